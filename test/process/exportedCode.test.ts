import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Call } from '../../src/request/export/callCode.ts';
import { curl, jsonRpcRequest } from '../../src/request/export/curl.ts';
import { javascript } from '../../src/request/export/javascript.ts';
import { placeholder } from '../../src/request/export/placeholder.ts';
import { joined } from '../../src/request/text/pieced.ts';
import { versionOf } from '../../src/protocol/versions/index.ts';
import { startSampleAgents, type StartedSampleAgents } from '../support/sampleAgents.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Code that people copy runs as it is, against an agent that speaks by another implementation. */
suite('code of a request', () => {
  let agents: StartedSampleAgents;
  let folder: string;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
    // Inside the project, where the SDK is found.
    await mkdir(join(root, 'test-output'), { recursive: true });
    folder = await mkdtemp(join(root, 'test-output', 'code-'));
  });
  suiteTeardown(async () => {
    await agents.stop();
    await rm(folder, { recursive: true });
  });

  const run = async (command: string, args: readonly string[]): Promise<string> => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, A2A_SECRET_AMOUNT: '10', A2A_SECRET_KEY: 'k' },
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.equal(child.exitCode, 0, err);
    return out;
  };
  const message = {
    messageId: 'm-1',
    role: 'ROLE_USER',
    parts: [{ text: joined(['Convert ', placeholder('A2A_SECRET_AMOUNT'), ' USD to EUR']) }],
  };
  const headers = { 'X-Key': placeholder('A2A_SECRET_KEY') };

  const rows: readonly (readonly [title: string, call: Omit<Call, 'agentUrl' | 'headers'>, answer: RegExp])[] = [
    ['a message', { operation: 'SendMessage', params: { message } }, /EUR/],
    ['a message that streams', { operation: 'SendStreamingMessage', params: { message } }, /"TASK_STATE_COMPLETED"/],
    ['a list of tasks', { operation: 'ListTasks', params: { pageSize: 5 } }, /"tasks"/],
  ];
  for (const [title, call, answer] of rows) {
    test(`JavaScript: ${title}`, async () => {
      const path = join(folder, `${call.operation}.mjs`);
      await writeFile(path, javascript({ ...call, headers, agentUrl: agents.urls.Currency }));
      assert.match(await run(process.execPath, [path]), answer);
    });
  }

  test('JavaScript: over another interface than the card prefers', async () => {
    const path = join(folder, 'over.mjs');
    const over = { url: agents.urls.Phrasebook, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const asked = { ...message, messageId: 'm-3', parts: [{ text: 'How do I say thank you?' }] };
    const call: Call = { operation: 'SendMessage', params: { message: asked }, headers, agentUrl: agents.urls.Currency, over };
    await writeFile(path, javascript(call));
    assert.match(await run(process.execPath, [path]), /Kiitos/);
  });

  test('cURL', async function () {
    const found = await run('sh', ['-c', 'command -v curl || true']);
    if (found.trim() === '') this.skip();
    const request = jsonRpcRequest(
      { operation: 'SendStreamingMessage', params: { message: { ...message, messageId: 'm-2' } }, headers, agentUrl: '' },
      { url: agents.urls.Currency, version: versionOf('1.0')! },
    );
    assert.match(await run('sh', ['-c', `${curl(request!).replace('curl ', 'curl -sS ')}`]), /TASK_STATE_COMPLETED/);
  });
});
