import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { unrelatedBuiltins } from '../../scripts/builtinExtensions.ts';
import { eventually } from '../support/eventually.ts';
import { ChatView } from '../support/vscode/chatView.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';
import { picture } from '../support/vscode/picture.ts';
import { launchWorkbench, type Workbench } from '../support/vscode/workbench.ts';

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** An agent in one file. It answers "wait" only after it has stood at a breakpoint. */
const agentText = (port: number, answer: string): string => `
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
writeFileSync(new URL('pid.txt', import.meta.url), String(process.pid));
const url = 'http://localhost:${port}/';
const card = {
  name: 'Pocket', description: 'Answers.', version: '1.0.0', capabilities: {}, skills: [],
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
};
const answerTo = text => {
  if (text === 'wait') debugger;
  return text === 'thanks' ? 'You are welcome' : '${answer}';
};
createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET') return response.end(JSON.stringify(card));
  const { id, method, params } = JSON.parse(body);
  if (method !== 'SendMessage') return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
  const parts = [{ text: answerTo(params.message.parts[0].text) }];
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { message: { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts } } }));
}).listen(${port}, 'localhost', () => console.log('the agent listens'));
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

suite('an agent that is debugged', function () {
  this.bail(true);
  let folder: string;
  let port: number;
  let workbench: Workbench;
  let chat: ChatView;
  const pid = async (): Promise<number> => Number(await readFile(join(folder, 'pid.txt'), 'utf8'));
  const toolbar = (name: RegExp): Locator => workbench.page.locator('.debug-toolbar').getByRole('button', { name });
  const console = (): Locator => workbench.page.locator('.repl');
  const choose = async (configurations: readonly object[]): Promise<void> => {
    await writeFile(join(folder, '.vscode', 'launch.json'), JSON.stringify({ version: '0.2.0', configurations }, undefined, 2));
  };
  const start = async (name: string): Promise<void> => {
    await workbench.pickCommand('Debug: Select and Start Debugging');
    await workbench.pick(name);
  };

  suiteSetup(async () => {
    port = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'a2a-debug-'));
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, 'agent.mjs'), agentText(port, 'the first answer'));
    await choose([
      { name: 'Run Pocket', type: 'a2a', request: 'launch', command: 'node agent.mjs', port, env: { PATH: process.env['PATH'] } },
      { name: 'Debug Pocket', type: 'a2a', request: 'launch', configuration: 'Pocket in Node', port },
      {
        name: 'Pocket in Node',
        type: 'node',
        request: 'launch',
        program: '${workspaceFolder}/agent.mjs',
        runtimeExecutable: process.execPath,
      },
      { name: 'Nothing', type: 'a2a', request: 'launch', port },
    ]);
    workbench = await launchWorkbench({
      folder,
      withoutBuiltins: unrelatedBuiltins.filter(name => name !== 'ms-vscode.js-debug'),
      settings: { 'a2a.agents': {}, 'debug.toolBarLocation': 'floating' },
    });
    chat = new ChatView(workbench, 'Pocket');
  });
  suiteTeardown(async () => {
    await workbench.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  test('F5 starts it and opens a chat', async () => {
    // Before VS Code has read launch.json, F5 opens the view Run and Debug alone.
    await eventually(async () => {
      await workbench.page.keyboard.press('F5');
      await toolbar(/^Stop/).waitFor({ timeout: 5_000 });
    });
    await chat.send('hello');
    await chat.shows('the first answer');
    await console().getByText('the agent listens').waitFor();
    await picture(workbench, 'debug-running');
    await chat.send('thanks');
    await chat.shows('You are welcome');
  });

  test('Restart runs what was changed, in the same chat; the row says so, and a conversation that runs again has that one difference', async () => {
    const before = await pid();
    await workbench.command('A2A: Toggle Run Again on Restart');
    await writeFile(join(folder, 'agent.mjs'), agentText(port, 'the second answer').replace('Answers.', 'Answers again.'));
    await toolbar(/^Restart/).click();
    await eventually(async () => assert.notEqual(await pid(), before));
    assert.equal(isAlive(before), false);
    const tree = await workbench.view('A2A', 'Agents');
    await tree.item(/Pocket.*restarted now/).waitFor();
    await tree.item(/Pocket.*card changed: description changed/).waitFor();
    await picture(workbench, 'debug-restarted');
    const notification = await workbench.notified(/"hello" ran again: turn 1 differs/);
    await notification.getByRole('button', { name: 'Compare' }).click();
    const page = await webviewFrame(workbench.page, 'h1:text-is("Compared Runs")');
    await page.locator('.difference').getByText('differs: message').waitFor();
    assert.deepEqual([await page.locator('.difference').count(), await page.locator('.same').count()], [1, 1]);
    await picture(workbench, 'debug-difference');
    await workbench.tab(/Pocket: hello/).click();
    await chat.send('hello');
    await chat.shows('the second answer');
    // Its message "wait" would stop at the breakpoint after the next restart.
    await workbench.command('A2A: Toggle Run Again on Restart');
    await workbench.notified(/"hello" no longer runs when its agent is back/);
  });

  test('Stop ends its process, and the agent is no longer in the list', async () => {
    const running = await pid();
    assert.equal(isAlive(running), true);
    await toolbar(/^Stop/).click();
    await eventually(() => assert.equal(isAlive(running), false));
    const tree = await workbench.view('A2A', 'Agents');
    await tree.item(/Pocket.*debug session ended, press F5/).waitFor();
  });

  test('with another configuration, breakpoints hold it, and the chat waits', async () => {
    await start('Debug Pocket');
    const tree = await workbench.view('A2A', 'Agents');
    await tree.item(/Pocket.*reachable/).waitFor();
    await chat.send('wait');
    await toolbar(/^Continue/).waitFor();
    await picture(workbench, 'debug-breakpoint');
    const running = await pid();
    // The editor at the breakpoint lies over the chat.
    await workbench.tab(/^Pocket/).click();
    await chat.busy();
    await toolbar(/^Continue/).click();
    await chat.idle();
    await eventually(async () => assert.match(await chat.text(), /wait[^]*the second answer/));
    // The toolbar is that of the other session, whose debugger starts the program anew.
    await toolbar(/^Restart/).click();
    await eventually(async () => assert.notEqual(await pid(), running));
    const again = await pid();
    await chat.send('hello');
    await eventually(async () => assert.equal((await chat.text()).match(/the second answer/g)?.length, 3));
    await toolbar(/^Stop/).first().click();
    await eventually(() => assert.equal(isAlive(again), false));
    await workbench.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });

  test('a launch configuration is added for what starts the agent', async () => {
    const file = join(folder, '.vscode', 'launch.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('{', '{\n  // Mine.'));
    await workbench.pickCommand('A2A: Add Launch Configuration');
    await workbench.answer('4711');
    await eventually(async () =>
      assert.match(
        await readFile(file, 'utf8'),
        /\/\/ Mine\.[^]*"configurations": \[\s*\{\s*"name": "A2A Agent",\s*"type": "a2a",\s*"request": "launch",\s*"configuration": "Pocket in Node",\s*"port": 4711\s*\}/,
      ),
    );
    await workbench.tab('launch.json').waitFor();
    // Completion in what was written.
    await workbench.editor().getByText('4711').click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(',');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('Control+Space');
    const offers = workbench.page.locator('.suggest-widget');
    for (const member of ['agents', 'command', 'cwd', 'env', 'open']) await offers.getByText(member, { exact: true }).first().waitFor();
    await picture(workbench, 'debug-completion');
    await workbench.page.keyboard.press('Escape');
    await workbench.command('View: Revert and Close Editor');
  });

  test('a configuration that says nothing of the agent is refused, with the way to launch.json', async () => {
    await start('Nothing');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Neither "command" nor "configuration" says what starts the agent.').waitFor();
    await picture(workbench, 'debug-refused');
    await dialog.getByRole('button', { name: "Open 'launch.json'" }).click();
    await workbench.tab('launch.json').waitFor();
  });

  test('a port that another program has is said, and a program that ends without a card with its last line', async () => {
    const { page } = workbench;
    const dialog = page.locator('.monaco-dialog-box');
    const other = createServer(socket => socket.destroy()).listen(port, 'localhost');
    await once(other, 'listening');
    await start('Run Pocket');
    await dialog.getByText(`Port ${port} is taken by another program.`).waitFor();
    await picture(workbench, 'debug-port-taken');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    other.close();
    await once(other, 'close');
    await writeFile(join(folder, 'agent.mjs'), "console.error('no model is configured'); process.exit(7);");
    await start('Run Pocket');
    await workbench.notification(/has ended with status 7\. Its last line: no model is configured/).waitFor();
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });
});
