import * as assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRunFiles } from '../../../src/cli/run/runFiles.ts';
import type { Script } from '../../../src/mock/script.ts';
import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const snapshots = '__snapshots__/x.a2a.snap.json';
/** As on the machine of a person. */
const local = { CI: '' };

suite('snapshots in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  /** The parts of the artifact in the next answer. */
  let parts: readonly Part[];
  let metadata: Task['metadata'];
  /** How many answers there were, each with other ids and times. */
  let count: number;
  /** The state of each answer. */
  let stateOf: (count: number) => Task['status']['state'];
  const answers: Script = {
    SendMessage: () => {
      count++;
      const task: Task = {
        id: `task-number-${count}`,
        contextId: `context-number-${count}`,
        status: { state: stateOf(count), timestamp: new Date(1.8e12 + count * 1000).toISOString() },
        artifacts: [{ artifactId: `artifact-number-${count}`, name: 'log', parts: [...parts] }],
        ...(metadata !== undefined && { metadata }),
      };
      return [{ answer: { task } }];
    },
  };
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  setup(() => {
    parts = [{ text: 'Ten knots' }];
    metadata = undefined;
    count = 0;
    stateOf = () => 'TASK_STATE_COMPLETED';
  });
  teardown(() => open.close());

  /** A folder with these requests in `x.a2a`, and a run of it. */
  async function folder(...requests: readonly object[]) {
    const { url: agent } = await open.agent(answers);
    const asked = requests.map(one => ({ message: 'x', method: 'SendMessage', expect: { snapshot: true }, ...one }));
    const cwd = await program.workspace({ 'x.a2a': { agent, requests: asked } });
    return {
      cwd,
      run: (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
        program.run(['run', 'x.a2a', ...args], { cwd, env: { ...local, ...env } }),
      text: () => readFile(join(cwd, snapshots), 'utf8'),
      kept: async () => JSON.parse(await readFile(join(cwd, snapshots), 'utf8')) as Readonly<Record<string, Task>>,
      rewrite: (...again: readonly object[]) =>
        writeFile(
          join(cwd, 'x.a2a'),
          JSON.stringify({
            agent,
            requests: again.map(one => ({ message: 'x', method: 'SendMessage', expect: { snapshot: true }, ...one })),
          }),
        ),
    };
  }

  test('the first run writes it, and the next ones hold the answer against it', async () => {
    const { run, kept, text } = await folder({ name: 'log' }, {});
    const first = await run();
    assert.deepEqual([first.status, first.err], [0, ''], first.out);
    assert.match(first.out, /2 passed in .*\n2 snapshots written/);
    const { log, '#2': second } = await kept();
    assert.deepEqual(
      [log?.id, log?.contextId, log?.status.timestamp, log?.artifacts?.[0]?.artifactId],
      ['<task 1>', '<context 1>', '<time>', '<artifact 1>'],
    );
    assert.deepEqual(second?.artifacts?.[0]?.parts, [{ text: 'Ten knots' }]);
    const before = await text();
    const again = await run();
    assert.deepEqual([again.status, again.out.includes('snapshot')], [0, false], again.out);
    parts = [{ text: 'Nine knots' }];
    const differs = await run();
    assert.equal(differs.status, 1);
    assert.match(
      differs.out,
      /x\.a2a:\d+:\d+: The answer differs from its snapshot in __snapshots__\/x\.a2a\.snap\.json\. If the new answer is right, run again with --update-snapshots\./,
    );
    const lines = differs.out.split('\n').map(line => line.replace(/^ +(\| )?/, ''));
    const at = lines.findIndex(line => line.startsWith('- ') && line.includes('"Ten knots"'));
    assert.ok(at > 0 && lines[at + 1]?.includes('"Nine knots"'), differs.out);
    assert.equal(await text(), before);
    const updated = await run(['--update-snapshots']);
    assert.deepEqual([updated.status, /2 snapshots updated$/m.test(updated.out)], [0, true], updated.out);
    assert.deepEqual((await run()).status, 0);
  });

  test('in CI one that is missing fails, and nothing is written', async () => {
    const { run, cwd } = await folder({ name: 'log' });
    const came = await run([], { CI: 'true' });
    assert.equal(came.status, 1);
    assert.match(came.out, /has no snapshot in __snapshots__\/x\.a2a\.snap\.json, and none is written in CI\./);
    assert.equal(existsSync(join(cwd, '__snapshots__')), false);
    assert.equal((await run(['--update-snapshots'], { CI: 'true' })).status, 0);
    assert.equal((await run([], { CI: 'true' })).status, 0);
  });

  test('reporters have it as any other expectation', async () => {
    const { run } = await folder({ name: 'log' });
    const first = await run(['--json']);
    assert.equal((JSON.parse(first.out.split('\n')[0] ?? '') as { snapshot?: string }).snapshot, 'written');
    parts = [{ text: 'Nine knots' }];
    assert.match(
      (await run(['--reporter', 'junit'])).out,
      /failures="1"[^]*<failure [^]*differs from its snapshot[^]*actual: [^]*Nine knots/,
    );
  });

  test('ones that no request has are named, and removed with the option', async () => {
    const { run, rewrite, kept, cwd } = await folder(
      { name: 'log' },
      { name: 'rows', each: [{ name: 'a' }, { name: 'b' }] },
      { name: 'other' },
      { name: 'skipped' },
    );
    await run();
    assert.deepEqual(Object.keys(await kept()), ['log', 'other', 'rows [a]', 'rows [b]', 'skipped']);
    await rewrite({ name: 'log' }, { name: 'rows', each: [{ name: 'a' }] }, { name: 'other', expect: {} }, { name: 'skipped', skip: true });
    const one = await run(['--name', 'log']);
    assert.equal(one.err, '');
    const all = await run();
    assert.match(
      all.err,
      /^warning: no request has these snapshots of __snapshots__\/x\.a2a\.snap\.json: other, rows \[b\]\. --update-snapshots removes them\.$/m,
    );
    assert.equal(Object.keys(await kept()).length, 5);
    const removed = await run(['--update-snapshots']);
    assert.match(removed.err, /^Removed from __snapshots__\/x\.a2a\.snap\.json, as no request has it: other, rows \[b\]$/m);
    assert.deepEqual(Object.keys(await kept()), ['log', 'rows [a]', 'skipped']);
    await rewrite({ name: 'log', expect: {} });
    await run(['--update-snapshots']);
    assert.equal(existsSync(join(cwd, snapshots)), false, 'a file without snapshots is none');
  });

  test('rows have one each, by their labels', async () => {
    const { run, kept } = await folder({ name: 'rows', each: [{ name: 'a' }, { name: 'a' }, { n: 1 }] });
    await run();
    assert.deepEqual(Object.keys(await kept()), ['rows [1]', 'rows [a (2)]', 'rows [a]']);
    assert.equal((await run()).status, 0);
  });

  test('secrets are masked, bytes are counted and hashed, and numbers keep their digits', async () => {
    const bytes = Buffer.from('the token is s3cret-token-1');
    parts = [
      { raw: bytes.toString('base64'), mediaType: 'image/png' },
      { text: 'You sent s3cret-token-1 and private-word-2' },
      { data: { 'key s3cret-token-1': 2, n: new ExactNumber('12345678901234567890'), raw: 'as it is' } },
    ];
    const { run, text, kept, cwd } = await folder({ name: 'log', message: '{{$secret api-key}} {{word}}' });
    await writeFile(join(cwd, 'a2a.private.env.json'), JSON.stringify({ local: { word: 'private-word-2' } }));
    const env = { A2A_SECRET_API_KEY: 's3cret-token-1' };
    const came = await run(['--env', 'local'], env);
    assert.equal(came.status, 0, came.out);
    assert.ok(!/s3cret|private-word|czNjcmV0/.test(await text()), await text());
    const artifact = (await kept())['log']?.artifacts?.[0];
    assert.deepEqual(artifact?.parts[0], {
      mediaType: 'image/png',
      raw: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    });
    assert.match(await text(), /"n": 12345678901234567890,/);
    assert.deepEqual(artifact?.parts[2], { data: { 'key ••••••': 2, n: 12345678901234567890, raw: 'as it is' } });
    assert.equal((await run(['--env', 'local'], env)).status, 0);
    parts = [{ raw: Buffer.from('other').toString('base64'), mediaType: 'image/png' }, ...parts.slice(1)];
    assert.equal((await run(['--env', 'local'], env)).status, 1);
  });

  test('what may differ is left out', async () => {
    metadata = { took: 12, model: 'a' };
    const { run, text, rewrite } = await folder({ name: 'log', expect: { snapshot: { ignore: ['/metadata/took', '/none/0'] } } });
    const came = await run();
    assert.equal(came.status, 0, came.out + came.err);
    assert.doesNotMatch(await text(), /took/);
    metadata = { took: 13, model: 'a' };
    assert.equal((await run()).status, 0);
    metadata = { took: 13, model: 'b' };
    assert.equal((await run()).status, 1);
    await rewrite({ name: 'log', expect: { snapshot: { ignore: ['took'] } } });
    const wrong = await run();
    assert.equal(wrong.status, 2);
    assert.match(wrong.out + wrong.err, /"took" is not a JSON Pointer such as \/artifacts\/0\/metadata/);
  });

  test('is of the last answer, where the request is sent until something holds', async () => {
    stateOf = number => (number % 3 === 0 ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED');
    const until = { expect: { state: 'completed' }, delay: 1 };
    const { run, kept, rewrite } = await folder({ name: 'log', until });
    const first = await run();
    assert.deepEqual([first.status, count], [0, 3], first.out);
    assert.equal((await kept())['log']?.status.state, 'TASK_STATE_COMPLETED');
    assert.equal((await run()).status, 0);
    await rewrite({ name: 'log', until: { expect: { snapshot: true } } });
    const wrong = await run();
    assert.equal(wrong.status, 2, wrong.out + wrong.err);
  });

  test('an answer that fails otherwise becomes none, and takes the place of none', async () => {
    const { run, cwd, kept } = await folder({ name: 'log', expect: { text: 'Ten', snapshot: true } });
    parts = [{ text: 'Nothing' }];
    const first = await run();
    assert.deepEqual([first.status, existsSync(join(cwd, '__snapshots__'))], [1, false], first.out);
    parts = [{ text: 'Ten knots' }];
    await run();
    parts = [{ text: 'Nothing' }];
    assert.equal((await run(['--update-snapshots'])).status, 1);
    assert.deepEqual((await kept())['log']?.artifacts?.[0]?.parts, [{ text: 'Ten knots' }]);
  });

  test('nothing is read or written through a link', async () => {
    const { run, cwd } = await folder({ name: 'log' });
    const elsewhere = await program.workspace({});
    await symlink(elsewhere, join(cwd, '__snapshots__'));
    const folderLinked = await run();
    assert.equal(folderLinked.status, 1);
    assert.match(folderLinked.out, /is a link or behind one, so no snapshot is read or written there/);
    assert.equal(existsSync(join(elsewhere, 'x.a2a.snap.json')), false);
    await rm(join(cwd, '__snapshots__'));
    await mkdir(join(cwd, '__snapshots__'));
    await writeFile(join(elsewhere, 'kept.json'), '{}');
    await symlink(join(elsewhere, 'kept.json'), join(cwd, snapshots));
    const fileLinked = await run(['--update-snapshots']);
    assert.equal(fileLinked.status, 1);
    assert.equal(await readFile(join(elsewhere, 'kept.json'), 'utf8'), '{}');
  });

  test('a file that only its owner may read stays one, and a pipe is not waited for', async () => {
    if (process.platform === 'win32') return;
    const { run, cwd } = await folder({ name: 'log' });
    await run();
    await chmod(join(cwd, snapshots), 0o600);
    parts = [{ text: 'Eleven knots' }];
    assert.equal((await run(['--update-snapshots'])).status, 0);
    assert.equal((await stat(join(cwd, snapshots))).mode & 0o777, 0o600);
    await rm(join(cwd, snapshots));
    execFileSync('mkfifo', [join(cwd, snapshots)]);
    // So that a reader that waits has an end.
    const writer = execFile('sh', ['-c', `while echo '{}' > ${snapshots}; do :; done`], { cwd });
    const { out } = await run();
    writer.kill();
    assert.match(out, /cannot be read: It is not a file/);
  });

  test('a file that cannot be written or read says so', async () => {
    const { run, cwd } = await folder({ name: 'log' });
    await mkdir(join(cwd, '__snapshots__'));
    await writeFile(join(cwd, snapshots), '<<<<<<< mine');
    const broken = await run();
    assert.equal(broken.status, 1);
    assert.match(broken.out, /The snapshots in __snapshots__\/x\.a2a\.snap\.json cannot be read: /);
    await writeFile(join(cwd, snapshots), '{}');
    await chmod(join(cwd, snapshots), 0o444);
    if (process.getuid?.() === 0) return;
    const readOnly = await run();
    assert.match(readOnly.out, /cannot be written: .*(EACCES|EPERM)/);
  });

  test('an answer that is too long, none at all, and a file that is none say so', async () => {
    parts = [{ text: 'x'.repeat(100_001) }];
    const { run, cwd } = await folder(
      { name: 'log' },
      { name: 'refused', message: undefined, method: 'GetTask', params: { id: 't' }, expect: { error: { exists: true }, snapshot: true } },
    );
    const came = await run();
    assert.match(
      came.out,
      /The answer has 100\d{3} characters, more than the 100000 of a snapshot\. Leave parts of it out with "ignore"\./,
    );
    assert.match(came.out, /There is no answer to compare with a snapshot\./);
    assert.equal(existsSync(join(cwd, '__snapshots__')), false);
    const input = await program.run(['run', '-'], { cwd, env: local, stdin: await readFile(join(cwd, 'x.a2a')) });
    assert.match(input.out, /this one is not a file on disk/);
  });

  test('an imported request has its own beside its own file', async () => {
    const { url: agent } = await open.agent(answers);
    const shared = { agent, requests: [{ name: 'first', message: 'x', method: 'SendMessage', expect: { snapshot: true } }] };
    const cwd = await program.workspace({
      'shared/first.a2a': shared,
      'x.a2a': { agent, import: 'shared/first.a2a', requests: [{ name: 'uses', message: '{{first.task.id}}', method: 'SendMessage' }] },
    });
    const came = await program.run(['run', 'x.a2a'], { cwd, env: local });
    assert.equal(came.status, 0, came.out);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(join(cwd, 'shared/__snapshots__/first.a2a.snap.json'), 'utf8')) as object), [
      'first',
    ]);
  });

  test('its file is no request file', async () => {
    const cwd = await program.workspace({ 'x.a2a': {}, [snapshots]: {} });
    assert.deepEqual(
      findRunFiles(['**/*'], cwd).map(({ path }) => path),
      [join(cwd, 'x.a2a')],
    );
  });
});
