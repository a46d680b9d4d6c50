import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// An agent of recorded bytes, in a process of its own so that its work is not counted: it answers every POST with one stream. The path
// says which: "/jsonrpc/256/20000/text" is 20,000 events of 256 bytes of text over JSON-RPC, "/rest/…/message:stream" the same over HTTP+JSON,
// "/jsonrpc/256/20000/markdown" text that JSON has to escape and that is not ASCII alone.

const taskId = '5c1d5a0c-3f5e-4a7d-9e44-0d0c8e3f6a01';
const contextId = '0e0b8f0e-6f1b-4b9e-8f0a-77c3c8f3a902';
/** Space for the id of any request: JSON ignores the surplus spaces. */
const room = ' '.repeat(40);

const line = '- A *tall* ship — “Sørlandet”, 1927 — "sails" to `Helsinki`\n';
const writing: Readonly<Record<string, (index: number, size: number) => string>> = {
  text: (index, size) => `${index} `.padEnd(size, 'x'),
  markdown: (index, size) => `${index}. `.padEnd(size, line),
};

interface Recording {
  readonly bytes: Buffer;
  /** Offset of the request's id in each event. */
  readonly ids: readonly number[];
}
const recorded = new Map<string, Recording>();

function record(binding: string, size: number, count: number, kind: string): Recording {
  const text = writing[kind] ?? writing['text']!;
  const artifact = (index: number): object => ({
    artifactUpdate: {
      taskId,
      contextId,
      artifact: { artifactId: 'text', name: 'text', parts: [{ text: text(index, size) }] },
      append: index > 0,
      lastChunk: index === count - 1,
    },
  });
  const status = (state: string): object => ({ state, timestamp: '2026-01-02T03:04:05.678Z' });
  const events: object[] = [
    { task: { id: taskId, contextId, status: status('TASK_STATE_WORKING') } },
    ...Array.from({ length: count }, (_, index) => artifact(index)),
    { statusUpdate: { taskId, contextId, status: status('TASK_STATE_COMPLETED') } },
  ];
  const head = 'data: {"jsonrpc":"2.0","id":';
  const ids: number[] = [];
  let length = 0;
  const lines = events.map(result => {
    const json = JSON.stringify(result);
    const line = binding === 'rest' ? `data: ${json}\n\n` : `${head}${room},"result":${json}}\n\n`;
    if (binding !== 'rest') ids.push(length + head.length);
    length += Buffer.byteLength(line);
    return line;
  });
  return { bytes: Buffer.from(lines.join('')), ids };
}

const server = createServer((request, response) => {
  const [, binding = '', size = '0', count = '0', kind = ''] = (request.url ?? '').split('/');
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(cardAt(`http://${request.headers.host}/${binding}/${size}/${count}/${kind}`, binding)));
    return;
  }
  let body = '';
  request
    .setEncoding('utf8')
    .on('data', chunk => (body += chunk))
    .on('end', () => {
      const key = `${binding}/${size}/${count}/${kind}`;
      const recording = recorded.get(key) ?? record(binding, Number(size), Number(count), kind);
      recorded.set(key, recording);
      response.setHeader('content-type', 'text/event-stream');
      if (binding === 'rest') {
        response.end(recording.bytes);
        return;
      }
      // A client may refuse an answer with another id. Streams are read one after the other, so the bytes can be changed in place; a copy
      // would take as long as reading.
      const id = Buffer.from(JSON.stringify((JSON.parse(body) as { id: unknown }).id).padEnd(room.length));
      for (const offset of recording.ids) id.copy(recording.bytes, offset);
      response.end(recording.bytes);
    });
});

function cardAt(url: string, binding: string): object {
  return {
    name: 'Replay',
    description: 'Plays recorded bytes.',
    version: '1',
    capabilities: { streaming: true },
    supportedInterfaces: [{ url, protocolBinding: binding === 'rest' ? 'HTTP+JSON' : 'JSONRPC', protocolVersion: '1.0' }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
