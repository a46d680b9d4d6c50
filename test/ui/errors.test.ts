import * as assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';

/** An agent whose card is right and whose every call is answered as `answer` says. */
async function refusingAgent(answer: (id: unknown) => { status: number; type: string; body: string }): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({
        name: 'Refusing', description: 'Says no.', version: '1.0.0', capabilities: { streaming: true },
        supportedInterfaces: [{ url: `http://127.0.0.1:${port}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [],
      }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
    const { status, type, body } = answer(id);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve); });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

suite('errors', () => {
  let stage: Stage;
  let servers: Server[];
  suiteSetup(async () => {
    const rpc = await refusingAgent(id => ({
      status: 200, type: 'application/json',
      body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: 'Only images, please.' } }),
    }));
    const page = await refusingAgent(() => ({ status: 502, type: 'text/html', body: '<html><body>Bad gateway</body></html>' }));
    servers = [rpc.server, page.server];
    stage = await Stage.open({ agents: { Refusing: rpc.url, Gateway: page.url, Gone: 'http://127.0.0.1:9' } });
  });
  suiteTeardown(async () => {
    for (const server of servers) server.close();
    await stage.close();
  });

  const cases: readonly (readonly [agent: string, what: string, said: readonly RegExp[]])[] = [
    ['Refusing', 'a JSON-RPC error is told with its name, the agent\'s words and the next step', [/ContentTypeNotSupportedError/, /Only images, please\./, /defaultInputModes/]],
    ['Gateway', 'a web page instead of an answer is told with its status', [/502/]],
    ['Gone', 'a dead port is told with where nothing listens', [/Nothing listens/]],
  ];
  for (const [agent, what, said] of cases) {
    test(what, async () => {
      const chat = await stage.newChat(agent);
      await chat.send('Hello?');
      await eventually(async () => {
        const text = await chat.text();
        for (const words of said) assert.match(text, words);
      });
      await chat.idle();
      await chat.shows('Hello?');
      await stage.workbench.screenshot(`error-${agent}`);
    });
  }
});
