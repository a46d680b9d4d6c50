import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unrelatedBuiltins } from '../../scripts/builtinExtensions.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { launchWorkbench, type Workbench } from '../support/vscode/workbench.ts';

/** An agent whose card is right and which refuses every call. */
async function refusingAgent(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          name: 'Refusing',
          description: 'Says no.',
          version: '1.0.0',
          capabilities: { streaming: true },
          supportedInterfaces: [{ url: `http://127.0.0.1:${port}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
        }),
      );
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: 'Only images, please.' } }));
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

suite('errors', () => {
  let stage: Stage;
  let server: Server;
  suiteSetup(async () => {
    const agent = await refusingAgent();
    server = agent.server;
    stage = await Stage.open({ agents: { Refusing: agent.url } });
  });
  suiteTeardown(async () => {
    server.close();
    await stage.close();
  });

  test("a JSON-RPC error is told with its name, the agent's words and the next step", async () => {
    const chat = await stage.newChat('Refusing');
    await chat.send('Hello?');
    await eventually(async () => {
      const text = await chat.text();
      for (const words of [/ContentTypeNotSupportedError/, /Only images, please\./, /defaultInputModes/]) assert.match(text, words);
    });
    await chat.idle();
    await chat.shows('Hello?');
    await stage.workbench.screenshot('error-Refusing');
  });
});

suite('a history that cannot be opened', () => {
  let workbench: Workbench;
  let userDataDir: string;
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-newer-'));
    const storage = join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench');
    await mkdir(storage, { recursive: true });
    const database = new DatabaseSync(join(storage, 'history.db'));
    database.exec('PRAGMA user_version = 9999');
    database.close();
    workbench = await launchWorkbench({ userDataDir, withoutBuiltins: unrelatedBuiltins });
  });
  suiteTeardown(async () => {
    await workbench.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  test('is told with the next step: once when it is found, in the tree, and by every command', async () => {
    const why = /written by a newer version.*Update/;
    await workbench.view('A2A', 'Agents');
    await workbench.notification(why).waitFor();
    await workbench.page.locator('.part.sidebar .message', { hasText: why }).waitFor();
    assert.equal(await workbench.notification().count(), 1);
    await workbench.notification(why).hover();
    await workbench.notification(why).locator('.codicon-notifications-clear').click();
    await workbench.notification().waitFor({ state: 'detached' });
    await workbench.command('A2A: Add Agent…');
    await workbench.notification(why).waitFor();
    assert.equal(await workbench.notification().count(), 1);
    await workbench.screenshot('history-unopened');
  });
});
