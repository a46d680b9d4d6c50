import * as assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../src/mock/script.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { eventually } from '../support/eventually.ts';
import { silentCard } from './support/agentScripts.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const greeting: Script = { ...silentCard, SendMessage: [{ answer: { message: says('hi') } }] };

suite('a run that watches its files', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('--watch does not run again for the snapshots that it writes', async () => {
    const agent = await open.agent(greeting);
    const request = { agent: agent.url, message: 'hi', expect: { snapshot: true } };
    const cwd = await program.workspace({ 'x.a2a': request });
    const child = program.start(['run', '**', '--watch', '--update-snapshots'], { cwd });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const closed = new Promise(resolve => child.once('close', resolve));
    const waits = (times: number): Promise<void> => eventually(() => assert.equal(err.split('Waiting for changes.').length - 1, times));
    await waits(1);
    assert.ok(existsSync(join(cwd, '__snapshots__/x.a2a.snap.json')));
    // A change after that of the snapshot, so that both would have been seen.
    writeFileSync(join(cwd, 'new.a2a'), JSON.stringify(request));
    await waits(2);
    writeFileSync(join(cwd, 'x.a2a'), JSON.stringify({ ...request, message: 'ho' }));
    await waits(3);
    assert.equal(agent.requests.filter(({ operation }) => operation === 'SendMessage').length, 1 + 2 + 2);
    child.kill('SIGINT');
    await closed;
  });

  test('--watch runs again when the file or what it reads has changed, until Ctrl+C', async () => {
    const agent = await open.agent(greeting);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: '{{$file prompt.txt}}' }, 'prompt.txt': 'first' });
    const child = program.start(['run', '.', '--watch'], { cwd });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const closed = new Promise(resolve => child.once('close', resolve));
    const waits = (times: number): Promise<void> => eventually(() => assert.equal(err.split('Waiting for changes.').length - 1, times));
    await waits(1);
    writeFileSync(join(cwd, 'prompt.txt'), 'second');
    await waits(2);
    assert.match(agent.requests.at(-1)!.body, /second/);
    assert.match(out, /prompt\.txt has changed\./);
    writeFileSync(join(cwd, 'x.a2a'), '{ broken');
    await waits(3);
    assert.match(err, /x\.a2a:1:\d+: error/);
    writeFileSync(join(cwd, 'x.a2a'), JSON.stringify({ agent: agent.url, message: 'third' }));
    await waits(4);
    writeFileSync(join(cwd, 'new.a2a'), JSON.stringify({ agent: agent.url, message: 'fourth' }));
    await waits(5);
    assert.match(out, /new\.a2a has changed\.[^]*new\.a2a › /);
    child.kill('SIGINT');
    await closed;
    assert.equal(child.exitCode, 130);
  });
});
