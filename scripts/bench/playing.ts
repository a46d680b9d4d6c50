import { scriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { TaskServer } from '../../src/mock/taskServer.ts';
import type { StreamResponse } from '../../src/protocol/message/streamResponse.ts';
import { versionOf } from '../../src/protocol/versions/index.ts';
import { Player } from '../../src/recording/player.ts';
import type { Recording } from '../../src/recording/recording.ts';
import { median, tell } from './measure.ts';

// Processor time of a played stream of 10,000 chunks of one artifact, compared with the mock alone, whose work is the same events, and with a
// script of them, which keeps no task. The client reads the bytes and looks at nothing.

const chunks = 10_000;
const rounds = 21;
const onError = (error: unknown): void => console.error(error);

const ids = { taskId: '5c1d5a0c-3f5e-4a7d-9e44-0d0c8e3f6a01', contextId: '0e0b8f0e-6f1b-4b9e-8f0a-77c3c8f3a902' };
const status = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED') => ({ state, timestamp: '2026-01-02T03:04:05.678Z' });
const events: readonly StreamResponse[] = [
  { task: { id: ids.taskId, contextId: ids.contextId, status: status('TASK_STATE_WORKING') } },
  ...Array.from({ length: chunks }, (_, index) => ({
    artifactUpdate: { ...ids, artifact: { artifactId: 'text', parts: [{ text: `${index} `.padEnd(256, 'x') }] }, append: index > 0 },
  })),
  { statusUpdate: { ...ids, status: status('TASK_STATE_COMPLETED') } },
];
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendStreamingMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Write' }] } },
});
const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
const recording: Recording = {
  agent: { url: 'http://agent.example/' },
  recordedAt: 0,
  replaced: [],
  lacks: [],
  rules: [],
  faults: [],
  exchanges: [
    {
      exchange: {
        id: 'e',
        operation: 'SendStreamingMessage',
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
        request: { method: 'POST', url: 'http://agent.example/', headers: [], body },
        response: { status: 200, headers: [] },
        startedAt: 0,
        endedAt: 1,
        findings: [],
      },
      frames: events.map((result, seq) => ({ seq, at: 0, data: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) })),
    },
  ],
};

const player = new Player(recording, { speed: 0, isLoose: false, onError });
const server = new TaskServer({
  version: versionOf('1.0')!,
  onError,
  work: ({ taskId, contextId }) =>
    events.map(event => {
      if ('task' in event) return { task: { ...event.task, id: taskId, contextId } };
      return 'artifactUpdate' in event
        ? { artifactUpdate: { ...event.artifactUpdate, taskId, contextId } }
        : { statusUpdate: { taskId, contextId, status: status('TASK_STATE_COMPLETED') } };
    }),
});
const mock = scriptedAgent({ version: '1.0', script: server.script, onError, keepsRequests: false });
const script = events.map(event => ({ event }));
const scripted = scriptedAgent({ version: '1.0', script: { SendStreamingMessage: script }, onError, keepsRequests: false });
const agents = [player, mock, scripted];
await Promise.all(agents.map(agent => agent.start()));

/** Milliseconds of processor time. */
async function cost(url: string): Promise<number> {
  const started = process.cpuUsage();
  const text = await (await fetch(url, { method: 'POST', headers, body })).text();
  const { user, system } = process.cpuUsage(started);
  const came = text.split('\n\n').length - 1;
  if (came < events.length) throw new Error(`${came} events of ${events.length}: ${text.slice(0, 200)}`);
  return (user + system) / 1000;
}

const costs: number[][] = agents.map(() => []);
for (let round = 0; round < rounds; round++) for (const [index, { url }] of agents.entries()) costs[index]!.push(await cost(url));
const [value = 0, alone = 0, bare = 0] = costs.map(median);
tell({ name: `playing ${chunks} chunks`, value, unit: 'ms', against: 'the mock alone', ratio: value / alone });
tell({ name: `playing ${chunks} chunks`, value, unit: 'ms', against: 'a script that keeps no task', ratio: value / bare });
server.stop();
await Promise.all(agents.map(agent => agent.stop()));
