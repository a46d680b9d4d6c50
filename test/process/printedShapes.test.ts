import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { AgentContexts } from '../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../src/model/agents/agents.ts';
import { RequestRuns } from '../../src/model/requests/requestRuns.ts';
import type { Task } from '../../src/protocol/message/task.ts';
import { collect } from '../../src/protocol/finding.ts';
import { readAgentCard } from '../../src/protocol/versions/index.ts';
import { syntheticIdPrefix } from '../../src/protocol/versions/shared/readTask.ts';
import { pasted } from '../../src/request/import/paste.ts';
import { repairJson } from '../../src/request/import/repairJson.ts';
import { Verbatim } from '../../src/request/text/indentJson.ts';
import { readRequestFile } from '../../src/request/check/readRequestFile.ts';
import { openStore } from '../../src/store/openStore.ts';
import { eventually } from '../support/eventually.ts';
import { OpenThings } from '../support/client/openThings.ts';
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

/** The same body with the small faults that bodies get when they are printed and copied; each can be read by people. */
const faults: Readonly<Record<string, (json: string) => string>> = {
  'a missing comma': json => json.replace(/,(\s*"(?:method|params|data)")/, '$1'),
  'a trailing comma': json => json.replace(/\}(\s*)$/, ',}$1'),
  'a comment before it and one in it': json => `// Request\n${json.replace('{', '{ // printed\n')}`,
  'curly quotes': json => (/\\|[“”]/.test(json) ? json : json.replaceAll(/"([^"]*)"/g, '“$1”')),
  'a comment that has lost its line break': json => `// Request ${json.replaceAll('\n', ' ')}`,
  'its answer behind it': json => `${json}\n// Response\n{ "jsonrpc": "2.0", "id": 1, "result": {} }`,
};

/** Every way in which a text can come into an empty request file. */
function waysOf(text: string): readonly { readonly as: string; readonly insert: string }[] {
  const { offers, fits } = pasted(text, { whole: true });
  return [...offers.map(({ as, text: insert }) => ({ as, insert })), ...(fits ? [{ as: 'text', insert: text }] : [])];
}

/** Without the ids that were made up where the agent gave none. */
const given = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(value, (name, inner: unknown) =>
          ['messageId', 'id'].includes(name) && String(inner).startsWith(syntheticIdPrefix) ? '' : inner,
        ),
      );

/** What a task says, whatever it is called: a client of its own has ids of its own, and an agent that answers by rote has others. */
const heard = (task: Task | undefined): unknown => given(task && { status: task.status, artifacts: task.artifacts });

/** Pasted into a request file, sent through the whole model, answered by bytes. */
suite('shapes that documents print', () => {
  for (const [name, { card, interfaces, shows, notes }] of Object.entries(printedCards)) {
    test(name, () => {
      const { note, findings } = collect();
      const read = readAgentCard(JSON.parse(card), note);
      assert.deepEqual(read.supportedInterfaces, interfaces);
      assert.deepEqual(Object.fromEntries(Object.keys(shows).map(member => [member, (read as Record<string, unknown>)[member]])), shows);
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        notes,
      );
    });
  }

  const open = new OpenThings();
  const fail = (error: unknown): void =>
    queueMicrotask(() => {
      throw error;
    });
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
  async function answering({ generation, answer, before, task }: Printed): Promise<{ url: string; bodies: string[] }> {
    const bodies: string[] = [];
    const listener: RequestListener = (request, response) => {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(minimalCard(`http://${request.headers.host}/`, generation)));
        return;
      }
      void textOf(request).then(body => {
        const lookedUp = before !== undefined && body.includes('"tasks/get"');
        // Once the stream was heard, the task is as the stream left it.
        const now =
          bodies.length > 0 && task !== undefined
            ? {
                result: {
                  id: task.id,
                  sessionId: task.contextId,
                  status: { state: 'completed', timestamp: task.status.timestamp },
                  artifacts: task.artifacts?.map(({ parts }, index) => ({ parts: parts.map(part => ({ type: 'text', ...part })), index })),
                },
              }
            : {};
        if (!lookedUp) bodies.push(body);
        response.setHeader('content-type', 'stream' in answer && !lookedUp ? 'text/event-stream' : 'application/json');
        response.end(
          lookedUp
            ? JSON.stringify({ ...before, ...now, id: (JSON.parse(body) as { id: unknown }).id })
            : 'stream' in answer
              ? answer.stream
              : 'text' in answer
                ? answer.text
                : JSON.stringify(answer),
        );
      });
    };
    return { url: await open.web(listener), bodies };
  }

  for (const [document, shapes] of Object.entries(documents)) {
    suite(`${document}, pasted`, () => {
      for (const [name, printed] of Object.entries(shapes)) {
        // What is no strict JSON as it is has its faults already.
        const spoilt =
          Verbatim.of(printed.file) === undefined
            ? { 'as it is printed': printed.file }
            : Object.fromEntries(Object.entries(faults).map(([fault, spoil]) => [fault, spoil(printed.file)]));
        test(`${name}: whichever way is the default, it has no fault in the file`, () => {
          for (const [fault, text] of Object.entries(spoilt)) {
            const ways = waysOf(text);
            assert.ok(
              ways.some(({ as }) => as !== 'request'),
              fault,
            );
            for (const { as, insert } of ways) {
              const file = readRequestFile(insert);
              assert.deepEqual(
                [...file.problems.filter(({ severity }) => severity === 'error'), ...file.syntaxErrors],
                [],
                `${fault}, ${as}`,
              );
              const body = file.requests[0]?.body;
              if (as !== 'request' && body !== undefined)
                assert.deepEqual(JSON.parse(body), JSON.parse(repairJson(printed.file).text), fault);
            }
          }
        });
        test(`${name}: it is sent, and the printed answer is read`, async () => {
          for (const { as, insert } of waysOf(Object.values(spoilt)[0]!)) {
            // A request of the workbench looks the task up first, which this agent answers by a stream.
            if (as === 'request' && printed.file.includes('tasks/resubscribe') && printed.before === undefined) continue;
            const { url } = await answering(printed);
            const file = readRequestFile(insert);
            const own = new RequestRuns({ agents, contexts }, fail);
            const run = own.send(file.requests[0]!, file, { agent: url });
            const state = printed.task?.status.state;
            // Its task would be followed for ever by an agent that gives one answer only.
            if (as === 'request' && (state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED')) {
              await eventually(() => assert.deepEqual(heard(run.task), heard(printed.task), as));
              run.stop();
              own.dispose();
              continue;
            }
            const outcome = await run.done;
            assert.equal(outcome.problem?.code, printed.problem, `${as}: ${outcome.problem?.stack}`);
            assert.deepEqual(heard(outcome.task), heard(printed.task), as);
            const value = as === 'request' ? (printed.coreValue ?? printed.value) : printed.value;
            if (value !== undefined) assert.deepEqual(outcome.value, value, as);
            own.dispose();
          }
        });
      }
    });
    suite(document, () => {
      for (const [name, printed] of Object.entries(shapes)) {
        test(name, async () => {
          const { url, bodies } = await answering(printed);
          const file = readRequestFile(printed.file);
          assert.deepEqual(
            [
              ...file.problems.filter(({ severity }) => severity === 'error'),
              ...file.syntaxErrors.filter(() => printed.sent === undefined),
            ],
            [],
          );
          const run = runs.send(file.requests[0]!, file, { agent: url });
          const outcome = await run.done;

          // Of what is sent as a request of the file, the id is the client's.
          const own = printed.before === undefined ? {} : { id: undefined };
          if (printed.sent === undefined) assert.deepEqual(bodies, [printed.file]);
          else
            assert.deepEqual(
              bodies.map(body => ({ ...(JSON.parse(body) as object), ...own })),
              [{ ...(JSON.parse(printed.sent) as object), ...own }],
            );
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
