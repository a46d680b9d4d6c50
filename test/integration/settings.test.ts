import * as assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

interface Listener {
  readonly url: string;
  readonly requests: IncomingHttpHeaders[];
  readonly server: Server;
}

/** A server that keeps the headers of what it is asked and knows nothing. */
async function listen(): Promise<Listener> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    response.writeHead(404).end();
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

suite('settings', () => {
  const write = (agents: unknown, target: vscode.ConfigurationTarget): Thenable<void> =>
    vscode.workspace.getConfiguration('a2a').update('agents', agents, target);
  let mine: Listener;
  let theirs: Listener;
  setup(async () => {
    [mine, theirs] = await Promise.all([listen(), listen()]);
  });
  teardown(async () => {
    for (const target of [vscode.ConfigurationTarget.Workspace, vscode.ConfigurationTarget.Global]) await write(undefined, target);
    for (const { server } of [mine, theirs]) server.close();
  });

  test('a workspace that redirects an agent does not get the headers of the user', async () => {
    await write({ Probe: { url: mine.url, headers: { 'X-Secret': 'hunter2' } } }, vscode.ConfigurationTarget.Global);
    await eventually(async () => {
      await vscode.commands.executeCommand('a2a.refreshAgent', 'Probe');
      assert.equal(mine.requests.at(-1)?.['x-secret'], 'hunter2');
    });
    await write({ Probe: { url: theirs.url } }, vscode.ConfigurationTarget.Workspace);
    const merged = vscode.workspace.getConfiguration('a2a').get<Record<string, { headers?: unknown }>>('agents');
    assert.ok(merged?.['Probe']?.headers !== undefined, 'VS Code merges the two: that is what this test is about');
    await eventually(async () => {
      await vscode.commands.executeCommand('a2a.refreshAgent', 'Probe');
      assert.ok(theirs.requests.length > 0);
    });
    assert.deepEqual(
      theirs.requests.filter(headers => headers['x-secret'] !== undefined),
      [],
    );
    // Only the person's own goes by the name that its history has.
    await write(undefined, vscode.ConfigurationTarget.Workspace);
    const before = [mine.requests.length, theirs.requests.length] as const;
    await eventually(async () => {
      await vscode.commands.executeCommand('a2a.refreshAgent', 'Probe');
      assert.ok(mine.requests.length > before[0]);
    });
  });
});
