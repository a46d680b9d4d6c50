import * as assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { bindings } from '../../../src/mock/binding.ts';
import { TaskServer, type Work } from '../../../src/mock/taskServer.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { textOf, type Part } from '../../../src/protocol/message/part.ts';
import { contextIdOf, taskIdOf, type StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { versionOf, versions } from '../../../src/protocol/versions/index.ts';
import { playedBindings, Player } from '../../../src/recording/player.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { readRecording, type Recording } from '../../../src/recording/recording.ts';
import { conversationsIn, type Conversation } from '../../../src/recording/turns.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';

const workspace = resolve(import.meta.dirname, '../../../examples/workspace');

/** The number of requests that passed, and why the others did not. */
interface Ran {
  readonly passed: number;
  readonly failed: readonly string[];
}

/** States that 0.1 has not, and what stands for them. */
const lackingIn01: Readonly<Record<string, string>> = {
  TASK_STATE_AUTH_REQUIRED: 'TASK_STATE_INPUT_REQUIRED',
  TASK_STATE_REJECTED: 'TASK_STATE_FAILED',
};

/** The conversations that articles on the first edition tell: what is said, and how the agent answers. */
const firstStories: Readonly<Record<string, readonly (readonly [state: TaskState, words?: string] | Part | string)[]>> = {
  告诉我一个笑话: ['为什么鸡要过马路?因为想到另一边去!'],
  为我购买一部新手机: [['TASK_STATE_INPUT_REQUIRED', '选择手机类型(iPhone/Android)']],
  Android: [['TASK_STATE_COMPLETED', '我已经为您订购了一台新的 Android 设备。您的请求编号是 R12443']],
  写一篇长文描述附带的图片: ['<section 1>', '<section 2>', '<section 3>'],
  分析附带的报告并生成高级概述: [['TASK_STATE_WORKING', '分析进行中,请稍候'], '<生成分析内容>'],
  '显示我未关闭的 IT 工单列表': [{ data: [{ ticketNumber: 'REQ12312', description: '请求访问 VPN' }], mediaType: 'application/json' }],
};

const tellsFirstStories: Work = function* ({ message, taskId, contextId }) {
  const ids = { taskId, contextId };
  const steps = firstStories[textOf(message.parts)] ?? [];
  let append = false;
  for (const step of steps) {
    if (Array.isArray(step)) {
      const [state, words] = step as readonly [TaskState, string?];
      yield { statusUpdate: { ...ids, status: { state, ...(words !== undefined && { message: says(words, ids) }) } } };
    } else {
      yield {
        artifactUpdate: {
          ...ids,
          artifact: { artifactId: 'a', parts: [typeof step === 'string' ? { text: step } : (step as Part)] },
          append,
        },
      };
      append = true;
    }
  }
  if (append) yield { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } };
};

/** An event without ids and times: its kind, state and content, its texts put together. In 0.1 there is no message but in a task. */
function contentOf(event: StreamResponse, version: string): unknown {
  const partsOf = (parts: readonly Part[] = []): unknown => [
    textOf(parts),
    ...parts.filter(part => !('text' in part)).map(part => ('data' in part ? part.data : 'raw' in part ? part.raw : part)),
  ];
  if ('message' in event) return [version === '0.1' ? 'TASK_STATE_COMPLETED' : 'message', partsOf(event.message.parts)];
  if ('artifactUpdate' in event) return ['artifact', event.artifactUpdate.artifact.name, partsOf(event.artifactUpdate.artifact.parts)];
  const { status } = 'task' in event ? event.task : event.statusUpdate;
  const artifacts = 'task' in event ? (event.task.artifacts ?? []) : [];
  const state = version === '0.1' ? (lackingIn01[status.state] ?? status.state) : status.state;
  return [state, partsOf(status.message?.parts), ...artifacts.map(({ parts }) => partsOf(parts))];
}

/** The pairs of version and binding that can be played. */
const served = versions.flatMap(version =>
  version.taskRoutes !== undefined
    ? []
    : playedBindings
        .filter(binding => bindings[binding].versionFor(version) !== undefined)
        .map(binding => ({ version: version.protocolVersion, binding })),
);

suite('the requests of the sample workspace', () => {
  const open = new OpenThings();
  const recordings: Recording[] = [];
  let program: TerminalFolder;
  let live: Ran;
  let first: Recording;

  suiteSetup(async () => {
    program = await TerminalFolder.make();
    const samples = await startSampleAgents({ pace: 0 });
    live = await run(samples.urls, '--record', 'all.a2a-recording.jsonl').finally(() => samples.stop());
    for (const name of readdirSync(program.folder).filter(file => file.endsWith('.a2a-recording.jsonl')))
      recordings.push(readRecording(readFileSync(join(program.folder, name), 'utf8')));
    assert.equal(recordings.length, Object.keys(samples.urls).length);
    const server = new TaskServer({ version: versionOf('0.1')!, work: tellsFirstStories, onError: error => assert.fail(error as Error) });
    const { url } = await open.agent(server.script, '0.1');
    await program.run(['chat', url, '--record', 'first.jsonl'], { stdin: Object.keys(firstStories).join('\n') });
    first = readRecording(readFileSync(join(program.folder, 'first.jsonl'), 'utf8'));
    await open.close();
  });
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  async function run(agents: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
    const named = Object.entries(agents).flatMap(([name, url]) => ['--agent', `${name}=${url}`]);
    const { out, err } = await program.run(['run', workspace, ...named, '--reporter', 'junit', ...args]);
    const [, tests, failures, errors] = /<testsuites[^>]* tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(out) ?? [];
    assert.ok(tests !== undefined, err);
    const failed = [...out.matchAll(/<(?:failure|error)[^>]*message="([^"]*)"/g)].map(([, message = '']) => message);
    assert.equal(failed.length, Number(failures) + Number(errors));
    return { passed: Number(tests) - failed.length, failed };
  }

  async function played(recording: Recording, more: Partial<ConstructorParameters<typeof Player>[1]> = {}): Promise<Player> {
    const player = new Player(recording, { speed: 0, isLoose: false, onError: error => assert.fail(error as Error), ...more });
    await player.start();
    open.add(() => player.stop());
    return player;
  }

  test('pass against recordings alone, with every other connection refused', async () => {
    assert.deepEqual(live.failed, []);
    const urls: Record<string, string> = {};
    for (const recording of recordings) urls[recording.agent.name!] = (await played(recording)).url;
    const ports = new Set(Object.values(urls).map(url => Number(new URL(url).port)));
    const { connect } = Socket.prototype;
    const refused: unknown[] = [];
    Socket.prototype.connect = function (this: Socket, ...args: Parameters<typeof connect>) {
      const [to] = [args[0]].flat() as readonly { readonly port?: number }[];
      if (ports.has(Number(to?.port))) return Reflect.apply(connect, this, args) as Socket;
      refused.push(to);
      return this.destroy(new Error('no network'));
    } as typeof connect;
    try {
      assert.deepEqual(await run(urls), live);
    } finally {
      Socket.prototype.connect = connect;
    }
    assert.deepEqual(refused, []);
    const requests = globSync('*.a2a', { cwd: workspace }).flatMap(
      name => readRequestFile(readFileSync(join(workspace, name), 'utf8')).requests,
    );
    // One of them has two rows of data.
    assert.equal(live.passed, requests.length + 1);
  });

  /** Holds a recorded conversation with an agent that plays it: what came, message by message. */
  async function held(conversation: Conversation, client: AgentClient): Promise<readonly unknown[]> {
    /** Ids of the recording, and those that the player gave in their place. */
    const ids = new Map<string, string>();
    const came: unknown[] = [];
    for (const { message, isStreamed, answer, end } of conversation) {
      const { contextId, taskId, ...rest } = message;
      // Clients of 0.1 name new tasks and contexts by themselves.
      const [context, task] = [ids.get(contextId ?? '') ?? contextId, ids.get(taskId ?? '')];
      const own: Message = { ...rest, ...(context !== undefined && { contextId: context }), ...(task !== undefined && { taskId: task }) };
      const events: StreamResponse[] = [];
      try {
        if (isStreamed) for await (const batch of client.stream('SendStreamingMessage', { message: own })) events.push(...batch.events);
        else events.push((await client.call('SendMessage', { message: own })).result);
      } catch (error) {
        assert.ok(end !== undefined, String(error));
      }
      for (const [index, { event }] of answer.entries())
        for (const idOf of [contextIdOf, taskIdOf]) {
          const [before, now] = [idOf(event), events[index] && idOf(events[index])];
          if (before !== undefined && now !== undefined) ids.set(before, now);
        }
      came.push(events.map(event => contentOf(event, client.chosen.version.protocolVersion)));
    }
    return came;
  }

  for (const { version, binding } of served)
    test(`are answered the same in A2A ${version} over ${binding}`, async () => {
      const http = open.http();
      let count = 0;
      for (const recording of [...recordings, first]) {
        const player = await played(recording, { version, binding });
        const { card, cardUrl, agentUrl } = await resolveAgentCard(player.url, { http, wanted: { protocolVersion: version } });
        const chosen = chooseInterface(card, cardUrl, { protocolVersion: version });
        assert.deepEqual([chosen.transport.protocolBinding, chosen.version.protocolVersion], [binding, version]);
        const client = new AgentClient({ card, chosen, http, agentUrl });
        const { conversations, unread } = conversationsIn(recording);
        assert.deepEqual(unread, []);
        for (const conversation of conversations) {
          const wanted = conversation.map(({ answer }) => answer.map(({ event }) => contentOf(event, version)));
          assert.deepEqual(await held(conversation, client), wanted);
          count += conversation.length;
        }
        assert.deepEqual(player.counts, { reused: player.counts.reused, through: 0, unmatched: 0 });
      }
      // Four of the requests send no message.
      assert.equal(count, live.passed - 4 + Object.keys(firstStories).length);
    });
});
