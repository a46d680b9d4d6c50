import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { plainCard } from '../../src/mock/plainCard.ts';
import { AgentContexts } from '../../src/model/agentContexts.ts';
import { Agents } from '../../src/model/agents.ts';
import { RequestRuns } from '../../src/model/requestRuns.ts';
import { collect } from '../../src/protocol/finding.ts';
import { readAgentCard } from '../../src/protocol/versions/index.ts';
import { syntheticIdPrefix } from '../../src/protocol/versions/readTask.ts';
import { readRequestFile } from '../../src/request/requestFile.ts';
import { openStore } from '../../src/store/openStore.ts';
import { OpenThings } from '../unit/client/support/openThings.ts';
import { april2025 } from './printed/april2025.ts';
import { commented0_2, history0_1, lifeOfATask0_2, lifeOfATaskDraft } from './printed/lifeOfATask.ts';
import { printedCards } from './printed/cards.ts';
import type { Printed } from './printed/printed.ts';
import { taskApi } from './printed/taskApi.ts';

const documents: Readonly<Record<string, Readonly<Record<string, Printed>>>> = {
  'the life of a task, 0.2': { ...lifeOfATask0_2, ...commented0_2 },
  'the life of a task, drafts of 1.0': lifeOfATaskDraft,
  'an article on history, 0.1': history0_1,
  'the dialogues of April 2025, 0.1': april2025,
  'an article with a task API': taskApi,
};

/** Without the ids that were made up where the agent gave none. */
const given = (value: unknown): unknown =>
  (value === undefined ? undefined : JSON.parse(JSON.stringify(value, (name, inner: unknown) => (['messageId', 'id'].includes(name) && String(inner).startsWith(syntheticIdPrefix) ? '' : inner))));

/** Pasted into a request file, sent through the whole model, answered by bytes. */
suite('shapes that documents print', () => {
  for (const [name, { card, interfaces, shows, notes }] of Object.entries(printedCards)) {
    test(name, () => {
      const { note, findings } = collect();
      const read = readAgentCard(JSON.parse(card), note);
      assert.deepEqual(read.supportedInterfaces, interfaces);
      assert.deepEqual(Object.fromEntries(Object.keys(shows).map(member => [member, (read as Record<string, unknown>)[member]])), shows);
      assert.deepEqual(findings.map(({ rule, pointer }) => `${rule} ${pointer}`), notes);
    });
  }

  const open = new OpenThings();
  const fail = (error: unknown): void => queueMicrotask(() => { throw error; });
  let folder: string;
  let agents: Agents;
  let contexts: AgentContexts;
  let runs: RequestRuns;

  suiteSetup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-printed-'));
    agents = new Agents({ http: open.http(), onError: fail });
    const store = openStore(join(folder, 'history.db'));
    contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
    runs = new RequestRuns({ agents, contexts }, fail);
    closeStore = () => store.close();
  });
  let closeStore: () => void;
  suiteTeardown(async () => {
    runs.dispose();
    contexts.dispose();
    agents.dispose();
    closeStore();
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An agent of bytes: its card, and to everything else the answer as printed. */
  async function answering({ generation, answer, before }: Printed): Promise<{ url: string; bodies: string[] }> {
    const bodies: string[] = [];
    const listener: RequestListener = (request, response) => {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(plainCard(`http://${request.headers.host}/`, generation)));
        return;
      }
      void textOf(request).then(body => {
        const lookedUp = before !== undefined && body.includes('"tasks/get"');
        if (!lookedUp) bodies.push(body);
        response.setHeader('content-type', 'stream' in answer && !lookedUp ? 'text/event-stream' : 'application/json');
        response.end(lookedUp ? JSON.stringify(before) : 'stream' in answer ? answer.stream : 'text' in answer ? answer.text : JSON.stringify(answer));
      });
    };
    return { url: await open.web(listener), bodies };
  }

  for (const [document, shapes] of Object.entries(documents)) {
    suite(document, () => {
      for (const [name, printed] of Object.entries(shapes)) {
        test(name, async () => {
          const { url, bodies } = await answering(printed);
          const file = readRequestFile(printed.file);
          assert.deepEqual([...file.problems.filter(({ severity }) => severity === 'error'), ...file.syntaxErrors.filter(() => printed.sent === undefined)], []);
          const run = runs.send(file.requests[0]!, file, { agent: url });
          const outcome = await run.done;

          // Of what is sent as a request of the file, the id is the client's.
          const own = printed.before === undefined ? {} : { id: undefined };
          if (printed.sent === undefined) assert.deepEqual(bodies, [printed.file]);
          else assert.deepEqual(bodies.map(body => ({ ...JSON.parse(body) as object, ...own })), [{ ...JSON.parse(printed.sent) as object, ...own }]);
          assert.equal(outcome.problem?.code, printed.problem, outcome.problem?.stack);
          assert.deepEqual(given(outcome.task), given(printed.task));
          assert.deepEqual(given(outcome.message), given(printed.message));
          if ('value' in printed) assert.deepEqual(outcome.value, printed.value);
          const exchange = contexts.exchange(outcome.exchangeIds.at(-1)!)!.exchange;
          assert.deepEqual([...new Set(exchange.findings.map(({ rule }) => rule))], printed.notes ?? []);
        });
      }
    });
  }
});
