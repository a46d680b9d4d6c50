import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { A2AClient } from '@a2a-js/sdk-0.2/client';
import {
  ClientFactory as OlderFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory as OlderJsonRpc,
  RestTransportFactory as OlderRest,
} from '@a2a-js/sdk-0.3/client';
import { GrpcTransportFactory as OlderGrpc } from '@a2a-js/sdk-0.3/client/grpc';
import { textPart } from '../../../examples/agents/parts.ts';
import { playedBindings, Player } from '../../../src/recording/player.ts';
import { readRecording, type Recording } from '../../../src/recording/recording.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';

const lines = ['How much is 10 USD?', 'in EUR'];

/** One answer: the last state of the task, and all its texts. */
interface Answer {
  readonly taskId: string;
  readonly contextId: string;
  readonly state: string;
  readonly text: string;
}

/** Sends a text, in a task where one is named, and gives the answer. */
type Ask = (text: string, before: Answer | undefined) => Promise<Answer>;

/** The clients of the protocol's own SDKs hold a conversation with a played agent as our own client held it with the agent. */
suite('played agents, for clients of the SDKs', () => {
  let program: TerminalFolder;
  let recording: Recording;
  let player: Player | undefined;
  let answers: readonly Pick<Answer, 'state' | 'text'>[];

  suiteSetup(async () => {
    program = await TerminalFolder.make();
    const samples = await startSampleAgents({ pace: 0 });
    const { out } = await program
      .run(['chat', samples.urls.Currency, '--record', 'x.jsonl', '--json'], { stdin: lines.join('\n') })
      .finally(() => samples.stop());
    recording = readRecording(readFileSync(join(program.folder, 'x.jsonl'), 'utf8'));
    assert.match(out, /Which currency|currency/);
    const [question] = /[^"]*\?(?=")/.exec(out.slice(out.indexOf('INPUT_REQUIRED'))) ?? [];
    const [converted] = /10 USD[^"]*EUR[^"]*/.exec(out.slice(out.lastIndexOf('"artifactUpdate"'))) ?? [];
    assert.ok(question !== undefined && converted !== undefined, out);
    answers = [
      { state: 'input-required', text: question },
      { state: 'completed', text: converted },
    ];
  });
  suiteTeardown(() => program.remove());
  teardown(() => player?.stop());

  async function url(version: string, binding: (typeof playedBindings)[number]): Promise<string> {
    player = new Player(recording, { version, binding, speed: 0, isLoose: false, onError: error => assert.fail(error as Error) });
    await player.start();
    return player.url;
  }

  async function holds(ask: Ask): Promise<void> {
    let before: Answer | undefined;
    for (const [index, line] of lines.entries()) {
      const answer: Answer = await ask(line, before);
      assert.equal(answer.state, answers[index]!.state);
      assert.ok(answer.text.includes(answers[index]!.text), JSON.stringify([answer.text, answers[index]!.text]));
      if (before !== undefined) assert.deepEqual([answer.taskId, answer.contextId], [before.taskId, before.contextId]);
      before = answer;
    }
    assert.deepEqual(player!.counts, { reused: 2, through: 0, unmatched: 0 });
  }

  for (const version of ['1.0', '0.3'])
    for (const binding of playedBindings)
      test(`the SDK of 1.0 in A2A ${version} over ${binding}`, async () => {
        const legacyCompat = { enabled: true };
        const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(await url(version, binding));
        const transports = [JsonRpcTransportFactory, RestTransportFactory, GrpcTransportFactory].map(one => new one({ legacyCompat }));
        const client = await new ClientFactory({ transports }).createFromAgentCard(card);
        await holds(async (text, before) => {
          const { taskId = '', contextId = '' } = before ?? {};
          const message = {
            ...{ messageId: randomUUID(), contextId, taskId, referenceTaskIds: [], extensions: [] },
            ...{ role: Role.ROLE_USER, parts: [textPart(text)], metadata: undefined },
          };
          let answer: Answer = { taskId, contextId, state: '', text: '' };
          for await (const { payload } of client.sendMessageStream({
            tenant: '',
            message,
            configuration: undefined,
            metadata: undefined,
          })) {
            assert.ok(payload !== undefined && payload.$case !== 'message');
            const ids = payload.$case === 'task' ? { taskId: payload.value.id, contextId: payload.value.contextId } : payload.value;
            const status = payload.$case === 'artifactUpdate' ? undefined : payload.value.status;
            const parts = payload.$case === 'artifactUpdate' ? payload.value.artifact?.parts : status?.message?.parts;
            answer = {
              taskId: ids.taskId,
              contextId: ids.contextId,
              state:
                status === undefined
                  ? answer.state
                  : (TaskState[status.state] ?? '').replace('TASK_STATE_', '').replace('_', '-').toLowerCase(),
              text: `${answer.text}${(parts ?? []).map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')}`,
            };
          }
          return answer;
        });
      });

  /** The events of 0.3 and 0.2 are the same. */
  async function answerIn(events: AsyncIterable<object>): Promise<Answer> {
    let answer: Answer = { taskId: '', contextId: '', state: '', text: '' };
    for await (const each of events) {
      const event = each as {
        readonly kind: string;
        readonly id?: string;
        readonly taskId?: string;
        readonly contextId: string;
        readonly status?: { readonly state: string; readonly message?: { readonly parts: readonly { readonly text?: string }[] } };
        readonly artifact?: { readonly parts: readonly { readonly text?: string }[] };
      };
      const parts = event.artifact?.parts ?? event.status?.message?.parts ?? [];
      answer = {
        taskId: event.taskId ?? event.id ?? '',
        contextId: event.contextId,
        state: event.status?.state ?? answer.state,
        text: `${answer.text}${parts.map(({ text = '' }) => text).join('')}`,
      };
    }
    return answer;
  }

  const own = (text: string, before: Answer | undefined) => ({
    kind: 'message' as const,
    messageId: randomUUID(),
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text }],
    ...(before !== undefined && { taskId: before.taskId, contextId: before.contextId }),
  });

  for (const binding of playedBindings)
    test(`the SDK of 0.3 over ${binding}`, async () => {
      const transports = [new OlderJsonRpc(), new OlderRest(), new OlderGrpc()];
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports });
      const client = await new OlderFactory(options).createFromUrl(await url('0.3', binding));
      await holds((text, before) => answerIn(client.sendMessageStream({ message: own(text, before) })));
    });

  test('the SDK of 0.2', async () => {
    const client = new A2AClient(await url('0.2', 'JSONRPC'));
    await holds((text, before) => answerIn(client.sendMessageStream({ message: own(text, before) })));
  });
});
