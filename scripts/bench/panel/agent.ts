import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { markdown } from './markdown.ts';

// An agent in a process of its own. What it does is in the message: "first 35" answers with one chunk after 35 ms that says when it was
// written; "stream 10000 1000" with 10,000 chunks of Markdown, 1,000 a second, 0 for as fast as they go; its last words say when that was. "wire 10000" answers with chunks of
// two artifacts in turn, so that no two neighbouring events are alike.

const taskId = (): string => crypto.randomUUID();
const now = (): number => performance.timeOrigin + performance.now();

async function play(response: ServerResponse, id: unknown, [what, ...numbers]: readonly string[]): Promise<void> {
  const [first = 0, rate = 0] = numbers.map(Number);
  const ids = { taskId: taskId(), contextId: 'bench' };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (result: object): boolean => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  const status = (state: string, words?: string): object => ({
    state,
    timestamp: new Date().toISOString(),
    ...(words && { message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text: words }] } }),
  });
  const chunk = (text: string, index: number, count: number, artifacts = 1): boolean =>
    write({
      artifactUpdate: {
        ...ids,
        artifact: { artifactId: `a${index % artifacts}`, name: 'text', parts: [{ text }] },
        append: index >= artifacts,
        lastChunk: index >= count - artifacts,
      },
    });
  write({ task: { id: ids.taskId, contextId: ids.contextId, status: status('TASK_STATE_WORKING') } });
  if (what === 'first') {
    await pause(first);
    chunk(`written ${now()} end`, 0, 2);
    await pause(60);
    chunk(' of it', 1, 2);
    await pause(10);
    write({ statusUpdate: { ...ids, status: status('TASK_STATE_COMPLETED') } });
  } else {
    const began = now();
    for (let index = 0; index < first; index++) {
      const free = what === 'wire' ? chunk(`chunk ${index} `, index, first, 2) : chunk(markdown(index), index, first);
      if (rate > 0) {
        const ahead = began + (index * 1000) / rate - now();
        if (ahead > 4) await pause(ahead);
      } else if (!free) await new Promise(resolve => response.once('drain', resolve));
    }
    write({ statusUpdate: { ...ids, status: status('TASK_STATE_COMPLETED', `over ${began} ${now()} end`) } });
  }
  response.end();
}

const server = createServer((request, response) => {
  response.socket?.setNoDelay(true);
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: 'Bench',
        description: 'Answers at known times.',
        version: '1',
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [],
        supportedInterfaces: [{ url: `http://${request.headers.host}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      }),
    );
    return;
  }
  let body = '';
  request
    .setEncoding('utf8')
    .on('data', text => (body += text))
    .on('end', () => {
      const { id, params } = JSON.parse(body) as { id: unknown; params: { message: { parts: { text: string }[] } } };
      void play(response, id, (params.message.parts[0]?.text ?? '').split(' '));
    });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
