import * as assert from 'node:assert/strict';
import { bindings, type BindingName } from '../../../src/mock/binding.ts';
import { ActiveFaults, faultText, readFault } from '../../../src/mock/chosenFault.ts';
import { faultNames, type FaultName } from '../../../src/mock/faults.ts';
import { TaskServer, type WorkRequest } from '../../../src/mock/taskServer.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { versions } from '../../../src/protocol/versions/index.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { OpenThings } from '../../support/client/openThings.ts';

const pieces = ['The harbour lies in the north of the town, ', 'behind the old customs house, ', 'and has forty berths.'];
const whole = pieces.join('');

/** Its events in a stream: the task, working, three chunks, completed. A message "ask" is answered with a question. */
function* work({ message, taskId, contextId }: WorkRequest): Iterable<StreamResponse> {
  const status = (state: TaskState): StreamResponse => ({ statusUpdate: { taskId, contextId, status: { state } } });
  yield status('TASK_STATE_WORKING');
  if (JSON.stringify(message.parts).includes('ask')) return yield status('TASK_STATE_INPUT_REQUIRED');
  for (const [index, text] of pieces.entries()) {
    const artifact = { artifactId: 'a', parts: [{ text }] };
    yield {
      artifactUpdate: { taskId, contextId, artifact, ...(index > 0 && { append: true }), ...(index === 2 && { lastChunk: true }) },
    };
  }
  yield status('TASK_STATE_COMPLETED');
}

/** How `a2a send` ends at an agent with a fault. */
interface Row {
  readonly send?: readonly string[];
  readonly out: string;
  readonly status: number;
  /** On standard error: findings, and what went wrong. */
  readonly says?: RegExp;
  /** True where nothing of the kind may be there. */
  readonly isQuiet?: true;
  /** What was asked of the agent after its card. */
  readonly asked?: readonly string[];
}

const stream = 'SendStreamingMessage';
const rows: { readonly [N in FaultName]: Readonly<Record<string, Row>> } = {
  cut: {
    cut: { out: whole, status: 0, isQuiet: true, asked: [stream, 'GetTask'] },
    'cut=4': { out: whole, status: 0, isQuiet: true, asked: [stream, 'GetTask'] },
    'cut=0': { out: '', status: 3, says: /may have received the request/, asked: [stream] },
    'cut=99': { out: whole, status: 0, isQuiet: true, asked: [stream] },
  },
  delay: {
    'delay=0.05': { out: whole, status: 0, isQuiet: true, asked: [stream] },
    'delay=6': { send: ['go', '--stream', '--timeout', '200ms'], out: '', status: 1, says: /no sign of life within/ },
  },
  pause: { 'pause=0.05': { out: whole, status: 0, isQuiet: true, asked: [stream] } },
  drip: { 'drip=2000': { out: whole, status: 0, isQuiet: true, asked: [stream] } },
  duplicate: {
    duplicate: { out: whole, status: 0, isQuiet: true, asked: [stream] },
    // Two chunks that are alike may be meant: the agent is asked.
    'duplicate=4': { out: whole, status: 0, isQuiet: true, asked: [stream, 'GetTask'] },
  },
  reorder: {
    reorder: { out: whole, status: 0, isQuiet: true, asked: [stream] },
    'reorder=3': { out: whole, status: 0, says: /STRM-0[48]/, asked: [stream, 'GetTask'] },
  },
  'half-frame': {
    'half-frame': { out: whole, status: 0, says: /submitted\ntask [\w-]+, completed/, asked: [stream, 'GetTask'] },
    'half-frame=1': { send: ['go'], out: '', status: 3, says: /broke in the middle of its answer/, asked: ['SendMessage'] },
  },
  status: {
    status: { out: '', status: 3, says: /HTTP 503[^]*Send again in 2 s/, asked: [stream] },
    'status=429': { out: '', status: 3, says: /HTTP 429[^]*Send again in 2 s/, asked: [stream] },
    'status=500': { out: '', status: 3, says: /HTTP 500/, asked: [stream] },
  },
  'content-type': {
    'content-type': { out: whole, status: 0, says: /text\/event-stream, not "text\/html"/, asked: [stream] },
  },
  'end-twice': { 'end-twice': { out: whole, status: 0, says: /STRM-11[^\n]* completed and is reported as failed/ } },
  'no-end': {
    'no-end': { send: ['go', '--stream', '--timeout', '300ms'], out: whole, status: 0, isQuiet: true, asked: [stream, 'GetTask'] },
  },
  restart: { restart: { out: '', status: 3, says: /broke in the middle[^]*-32001/, asked: [stream, 'GetTask'] } },
  'last-chunk-replaces': { 'last-chunk-replaces': { out: whole, status: 0, says: /STRM-08/, asked: [stream, 'GetTask'] } },
  'repeat-text': {
    'repeat-text': { out: whole, status: 0, says: /STRM-13[^\n]* repeats the 94 characters before it/, asked: [stream, 'GetTask'] },
  },
  'other-task': { 'other-task': { out: whole, status: 0, says: /DATA-06/ } },
  'open-after-question': {
    'open-after-question': { send: ['ask', '--stream'], out: '', status: 0, says: /input-required/ },
  },
  'expired-token': {
    'expired-token': { out: '', status: 3, says: /HTTP 401[^\n]*invalid_token/, asked: [stream, 'GetTask'] },
  },
  'unspecified-host': { 'unspecified-host': { out: whole, status: 0, asked: [stream] } },
};

suite('faults', () => {
  const open = new OpenThings();
  let folder: TerminalFolder;
  suiteSetup(async () => (folder = await TerminalFolder.make()));
  suiteTeardown(() => folder.remove());
  teardown(() => open.close());

  async function agentWith(faults: ActiveFaults, generation = '1.0', binding: BindingName = 'JSONRPC'): Promise<ScriptedAgent> {
    const version = versions.find(({ protocolVersion }) => protocolVersion === generation)!;
    const server = new TaskServer({ version, work, onError: error => assert.fail(error as Error) });
    open.add(async () => server.stop());
    return open.agent(server.script, generation, { binding, faults });
  }

  for (const name of faultNames)
    for (const [text, { send = ['go', '--stream'], out, status, says, isQuiet, asked }] of Object.entries(rows[name]))
      test(`${text}: a2a send ${send.join(' ')}`, async () => {
        const agent = await agentWith(new ActiveFaults([readFault(text)]));
        const [message = '', ...options] = send;
        const ended = await folder.run(['send', agent.url, message, ...options]);
        assert.deepEqual({ out: ended.out.trim(), status: ended.status }, { out, status }, ended.err);
        if (says !== undefined) assert.match(ended.err, says);
        if (isQuiet === true) assert.doesNotMatch(ended.err, /^[A-Z]+-\d\d |broke|missing/m);
        if (asked !== undefined)
          assert.deepEqual(
            agent.requests.flatMap(({ operation }) => operation ?? []),
            asked,
          );
      });

  // A fault changes steps, which each version and binding writes in its own way.
  for (const { protocolVersion, taskRoutes } of versions.filter(version => version.taskRoutes === undefined))
    for (const binding of Object.keys(bindings) as BindingName[]) {
      const version = versions.find(each => each.protocolVersion === protocolVersion)!;
      if (taskRoutes !== undefined || bindings[binding].versionFor(version) === undefined) continue;
      test(`A2A ${protocolVersion} over ${binding}: every fault ends as in 1.0`, async () => {
        // The client waits for two seconds until it leaves a stream that stays open.
        for (const name of faultNames.filter(each => each !== 'open-after-question')) {
          const [text, { send = ['go', '--stream'], ...ends }] = Object.entries(rows[name])[0]!;
          // A gRPC client takes no other content type.
          const { out, status } = name === 'content-type' && binding === 'GRPC' ? { out: '', status: 3 } : ends;
          const agent = await agentWith(new ActiveFaults([readFault(text)]), protocolVersion, binding);
          const [message = '', ...options] = send;
          const ended = await folder.run(['send', agent.url, message, ...options, '--protocol-version', protocolVersion]);
          assert.deepEqual({ text, out: ended.out.trim(), status: ended.status }, { text, out, status }, ended.err);
        }
      });
    }

  test('several faults apply in their order, and others take their place while the agent runs', async () => {
    const faults = new ActiveFaults(['duplicate=4', 'cut=5'].map(readFault));
    const agent = await agentWith(faults);
    await folder.run(['send', agent.url, 'go', '--stream']);
    assert.deepEqual(
      agent.requests.slice(1).map(({ operation }) => operation),
      [stream, 'GetTask'],
    );
    faults.choose([readFault('status=429')]);
    assert.match((await folder.run(['send', agent.url, 'go'])).err, /HTTP 429/);
    faults.choose([]);
    assert.equal((await folder.run(['send', agent.url, 'go'])).status, 0);
  });

  test('other credentials are accepted after the first have expired', async () => {
    const faults = new ActiveFaults([readFault('expired-token')]);
    const agent = await agentWith(faults);
    const ended = await folder.run(['send', agent.url, 'go', '--stream', '--header', 'Authorization: Bearer one']);
    assert.match(ended.err, /invalid_token/);
    const id = /task ([\w-]+)/.exec(ended.err)?.[1] ?? '';
    const get = (token: string) => folder.run(['task', 'get', agent.url, id, '--header', `Authorization: Bearer ${token}`]);
    assert.equal((await get('one')).status, 3);
    assert.equal((await get('two')).status, 0);
    // Once it is chosen anew, everything is as it was at first.
    faults.choose([readFault('expired-token')]);
    assert.equal((await get('one')).status, 0);
  });

  test('the card says the host that no client connects to', async () => {
    const agent = await agentWith(new ActiveFaults([readFault('unspecified-host')]));
    assert.match((await folder.run(['card', agent.url])).err, /CARD-06 [^\n]*\[::\] is an address to listen on/);
  });

  test('a task that was over before is not lost in a restart', async () => {
    const agent = await agentWith(new ActiveFaults([readFault('restart=99')]));
    const { err } = await folder.run(['send', agent.url, 'go', '--stream']);
    assert.equal((await folder.run(['task', 'get', agent.url, /task ([\w-]+)/.exec(err)?.[1] ?? ''])).status, 0);
  });
});

suite('how a fault is written', () => {
  const said = (text: string): readonly [string, string] => {
    try {
      return [faultText(readFault(text)), ''];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [error.message, error.nextStep?.template ?? ''];
    }
  };

  for (const [text, ...wanted] of [
    ['cut', 'cut=2', ''],
    ['cut=0', 'cut=0', ''],
    ['delay=0.5', 'delay=0.5', ''],
    ['no-end', 'no-end', ''],
    ['cutt=2', 'There is no fault "cutt". Did you mean "cut"?', 'Choose one of these: {0}.'],
    ['earthquake', 'There is no fault "earthquake".', 'Choose one of these: {0}.'],
    ['cut=two', 'The fault cut cannot have the value "two". It must be a number from 0 to 10000.', 'Write {0}.'],
    ['cut=1.5', 'The fault cut cannot have the value "1.5". It must be a number from 0 to 10000.', 'Write {0}.'],
    ['cut=', 'The fault cut cannot have the value "". It must be a number from 0 to 10000.', 'Write {0}.'],
    ['status=200', 'The fault status cannot have the value "200". It must be a number from 400 to 599.', 'Write {0}.'],
    ['status=600', 'The fault status cannot have the value "600". It must be a number from 400 to 599.', 'Write {0}.'],
    ['no-end=1', 'The fault no-end cannot have the value "1". It takes no value.', 'Write {0}.'],
  ] as const)
    test(text, () => assert.deepEqual(said(text), wanted));
});
