import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, chunk, statusUpdate, task } from '../../support/client/says.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

/** JSON with every name as protocol buffers write it. */
const inSnakeCase = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"[a-zA-Z]+":/g, name => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)));

const artifact = { artifactId: 'a-1', name: 'text', parts: [{ text: 'hiss', mediaType: 'text/plain' }] };
const listed = (id: string): object => ({ ...task('TASK_STATE_COMPLETED', { artifacts: [artifact] }), id });

suite('answers in snake_case', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const bindings = [
    ['JSONRPC', (body: string, result: unknown): unknown => ({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, result })],
    ['HTTP+JSON', (_body: string, result: unknown): unknown => result],
  ] as const;

  /** An agent whose card and answers are in snake_case, and whoever speaks to it. */
  const agent = async (binding: (typeof bindings)[number], answer: (asked: string) => unknown) => {
    const [protocolBinding, envelope] = binding;
    const url = await open.web((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const card = {
          ...{ name: 'Snake', description: 'x', version: '1.0.0', defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
          supportedInterfaces: [{ url, protocolBinding, protocolVersion: '1.0' }],
          capabilities: { streaming: true, pushNotifications: false },
          skills: [{ id: 's', name: 'S', description: 'x', tags: ['t'], inputModes: ['text/plain'] }],
        };
        const isCard = request.url?.startsWith('/.well-known/') === true;
        const written = inSnakeCase(isCard ? card : answer(`${request.url} ${body}`));
        const streams = Array.isArray(written);
        response.setHeader('content-type', streams ? 'text/event-stream' : isCard ? 'application/json' : 'application/a2a+json');
        if (protocolBinding === 'JSONRPC' && !streams) response.setHeader('content-type', 'application/json');
        response.end(
          streams
            ? written.map(event => `data: ${JSON.stringify(envelope(body, event))}\n\n`).join('')
            : JSON.stringify(isCard ? written : envelope(body, written)),
        );
      });
    });
    const http = open.http();
    const resolved = await resolveAgentCard(url, { http });
    const { card, cardUrl, agentUrl } = resolved;
    return {
      resolved,
      client: new AgentClient({ card, chosen: chooseInterface(card, cardUrl), http, agentUrl }),
      log: new WireRecording(),
    };
  };

  for (const binding of bindings) {
    test(`a card and a stream: every event is read, each name is told once, on its event (${binding[0]})`, async () => {
      const events = [
        { task: task('TASK_STATE_WORKING') },
        chunk('hi', false),
        chunk('ss', true, true),
        statusUpdate('TASK_STATE_COMPLETED'),
      ];
      const { client, log, resolved } = await agent(binding, () => events);
      assert.ok(resolved.findings.some(({ rule, pointer }) => rule === 'CARD-15' && pointer === '/skills/0/input_modes'));
      const [read, told]: [unknown[], string[]] = [[], []];
      for await (const batch of client.stream('SendStreamingMessage', asks('Go'), { log })) {
        read.push(...batch.events);
        told.push(...batch.findings.map(({ rule, pointer, frame }) => `${frame} ${rule} ${pointer}`));
      }
      assert.deepEqual(read, events);
      assert.deepEqual(told, [
        '0 CARD-15 /task/context_id',
        '1 CARD-15 /artifact_update',
        '1 CARD-15 /artifact_update/task_id',
        '1 CARD-15 /artifact_update/context_id',
        '1 CARD-15 /artifact_update/artifact/artifact_id',
        '1 CARD-15 /artifact_update/last_chunk',
        '3 CARD-15 /status_update',
        '3 CARD-15 /status_update/task_id',
        '3 CARD-15 /status_update/context_id',
      ]);
      // What came is kept as it came.
      const wire = log.framesOf(log.last.id).map(({ data }) => data);
      assert.ok(wire.length === events.length && wire.every(data => !/artifactUpdate|contextId/.test(data)));
    });

    test(`pages of tasks: their artifacts and the token of the next page (${binding[0]})`, async () => {
      const { client } = await agent(binding, asked =>
        asked.includes('p-2')
          ? { tasks: [listed('t-3')], nextPageToken: '', pageSize: 2, totalSize: 3 }
          : { tasks: [listed('t-1'), listed('t-2')], nextPageToken: 'p-2', pageSize: 2, totalSize: 3 },
      );
      const first = await client.call('ListTasks', {});
      assert.deepEqual(first.result, { tasks: [listed('t-1'), listed('t-2')], nextPageToken: 'p-2', pageSize: 2, totalSize: 3 });
      assert.deepEqual((await client.call('ListTasks', { pageToken: first.result.nextPageToken })).result.tasks, [listed('t-3')]);
      assert.deepEqual(
        first.findings.filter(({ rule }) => rule === 'CARD-15').map(({ pointer, times }) => `${pointer} ${times ?? 1}`),
        [
          '/tasks/0/context_id 2',
          '/tasks/0/artifacts/0/artifact_id 2',
          '/tasks/0/artifacts/0/parts/0/media_type 2',
          '/next_page_token 1',
          '/page_size 1',
          '/total_size 1',
        ],
      );
      assert.ok(!first.findings.some(({ message }) => message.includes('is missing')), JSON.stringify(first.findings));
    });

    test(`a task that waits: its ids are those of the next message (${binding[0]})`, async () => {
      const question = { messageId: 'q', role: 'ROLE_AGENT' as const, parts: [{ text: 'Which size?', mediaType: 'text/plain' }] };
      const waiting = { ...task('TASK_STATE_INPUT_REQUIRED', { artifacts: [artifact], history: [question] }), id: 't-9', contextId: 'c-9' };
      const { client } = await agent(binding, () => ({ task: waiting }));
      const { result } = await client.call('SendMessage', asks('Go'));
      assert.deepEqual(result, { task: waiting });
    });
  }
});
