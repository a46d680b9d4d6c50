import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { type LargeMessage, largeMessages } from './largeMessages.ts';

// An agent in a process of its own, so that its memory is not measured. It answers each message with a task, a large event and the end.

const large = largeMessages[process.argv[2] as LargeMessage]();
const taskIs = (state: string): string => JSON.stringify({ task: { id: 't', contextId: 'c', status: { state } } });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { port } = server.address() as AddressInfo;
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(minimalCard(`http://127.0.0.1:${port}/`, '1.0')));
      return;
    }
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly id: unknown };
    response.setHeader('content-type', 'text/event-stream');
    for (const result of [taskIs('TASK_STATE_WORKING'), large, taskIs('TASK_STATE_COMPLETED')])
      response.write(`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n\n`);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, length: large.length }));
