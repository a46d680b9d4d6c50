import * as assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { largestFile } from '../../src/request/heldFiles.ts';
import { OpenThings } from '../unit/client/support/openThings.ts';
import { says } from '../unit/client/support/says.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** For a command that waits for a pipe; every other one is over in a second. */
const hangMs = 20_000;

suite('a2a run in a hostile folder', function () {
  this.timeout(60_000);
  const open = new OpenThings();
  let folder: string;
  let program: string;
  suiteSetup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-hostile-'));
    program = join(folder, 'cli.cjs');
    await build({
      entryPoints: [join(root, 'src', 'cli.ts')], outfile: program, bundle: true, platform: 'node', format: 'cjs', target: 'node22', mainFields: ['module', 'main'],
    });
  });
  suiteTeardown(() => rmSync(folder, { recursive: true }));
  teardown(() => open.close());

  async function a2a(args: readonly string[], cwd: string) {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe', cwd });
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), hangMs);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    clearTimeout(timer);
    return { status: child.exitCode, out, err };
  }

  /** What stands in the place of a file that the command reads. */
  const stands: Readonly<Record<string, { readonly make: (path: string, outside: string) => void; readonly said: RegExp }>> = {
    'a pipe': { make: path => void execFileSync('mkfifo', [path]), said: /is not a regular file, so it was not read/ },
    'a link out of the folder': { make: (path, outside) => symlinkSync(outside, path), said: /lies outside .*, so it was not read/ },
    'a link to a device': { make: path => symlinkSync('/dev/zero', path), said: /lies outside .*, so it was not read/ },
    'more than 16 MiB': {
      make: path => {
        writeFileSync(path, '{}');
        truncateSync(path, largestFile + 1);
      },
      said: /is larger than 16 MB/,
    },
    'a folder': { make: path => void mkdirSync(path), said: /is a folder/ },
  };
  const places = ['a2a.env.json', 'a2a.private.env.json', 'sub/a2a.env.json', '.vscode/settings.json'] as const;

  for (const place of places) {
    for (const [title, { make, said }] of Object.entries(stands)) {
      (process.platform === 'win32' ? test.skip : test)(`${place} is ${title}`, async () => {
        const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
        const cwd = mkdtempSync(join(folder, 'w-'));
        const outside = join(mkdtempSync(join(folder, 'outside-')), 'secret.json');
        writeFileSync(outside, '{"dev":{"canary":"from outside"}}');
        mkdirSync(join(cwd, 'sub'));
        mkdirSync(dirname(join(cwd, place)), { recursive: true });
        writeFileSync(join(cwd, 'sub', 'x.a2a'), `{"agent":"${agent.url}","message":"x {{canary}}"}`);
        make(join(cwd, place), outside);
        const { status, out, err } = await a2a(['run', 'sub'], cwd);
        assert.deepEqual([status, out], [2, ''], err);
        assert.match(err, said);
        assert.ok(err.includes(place), err);
        assert.equal(agent.requests.length, 0);
      });
    }
  }

  (process.platform === 'win32' ? test.skip : test)('a request file that is found is held in the folder; one that is named is read wherever it is', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    const cwd = mkdtempSync(join(folder, 'w-'));
    const outside = join(mkdtempSync(join(folder, 'outside-')), 'x.a2a');
    writeFileSync(outside, `{"agent":"${agent.url}","message":"x"}`);
    symlinkSync(outside, join(cwd, 'link.a2a'));
    // What is no file at all is not found, as before.
    execFileSync('mkfifo', [join(cwd, 'pipe.a2a')]);
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'dangling.a2a'));
    for (const pattern of ['.', '*.a2a']) {
      const found = await a2a(['run', pattern], cwd);
      assert.equal(found.status, 2, found.out);
      assert.match(found.err, /link\.a2a lies outside .*, so it was not read/);
      assert.equal(agent.requests.length, 0);
    }
    const named = await a2a(['run', 'link.a2a'], cwd);
    assert.deepEqual([named.status, named.err], [0, ''], named.out);
    truncateSync(outside, largestFile + 1);
    const large = await a2a(['run', 'link.a2a'], cwd);
    assert.equal(large.status, 2, large.out);
    assert.match(large.err, /is larger than 16 MB/);
  });
});
