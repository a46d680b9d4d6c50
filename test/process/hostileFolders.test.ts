import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { maxFileBytes } from '../../src/request/values/wholeFile.ts';
import { caught, figure, full } from '../support/figure.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says } from '../support/client/says.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

/** For a command that waits for a pipe; every other one is over in a second. */
const hangMs = 20_000;

suite('a2a run in a hostile folder', () => {
  const open = new OpenThings();
  let folder: string;
  let program: TerminalProgram;
  let cases = 0;
  let wrong = 0;
  suiteSetup(async () => {
    program = await TerminalProgram.build();
    folder = program.folder;
  });
  suiteTeardown(async () => {
    await program.remove();
    figure(
      'F7',
      { cases, 'connected or read': wrong },
      `${cases} folders, ${wrong} of them had something read or asked that they had no right to`,
    );
  });
  teardown(() => open.close());

  async function a2a(args: readonly string[], cwd: string, which = program) {
    const child = which.start(args, { cwd });
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), hangMs);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    clearTimeout(timer);
    return { status: child.exitCode, out, err };
  }

  /** What stands in the place of a file that the command reads. */
  const stands: Readonly<Record<string, { readonly make: (path: string, outside: string) => unknown; readonly said: RegExp }>> = {
    'a pipe': { make: path => void execFileSync('mkfifo', [path]), said: /is not a regular file, so it was not read/ },
    'a link out of the folder': { make: (path, outside) => symlinkSync(outside, path), said: /is outside .*, so it was not read/ },
    'a link to a device': { make: path => symlinkSync('/dev/zero', path), said: /is outside .*, so it was not read/ },
    'more than 16 MiB': {
      make: path => {
        writeFileSync(path, '{}');
        truncateSync(path, maxFileBytes + 1);
      },
      said: /is larger than 16 MB/,
    },
    'a folder': { make: path => void mkdirSync(path), said: /is a folder/ },
    'a link to a pipe beside it': {
      make: path => {
        execFileSync('mkfifo', [`${path}.pipe`]);
        symlinkSync(`${path}.pipe`, path);
      },
      said: /is not a regular file, so it was not read/,
    },
    'a link to a link out of the folder': {
      make: (path, outside) => {
        symlinkSync(outside, `${path}.first`);
        symlinkSync(`${path}.first`, path);
      },
      said: /is outside .*, so it was not read/,
    },
    'a link to itself': { make: path => symlinkSync(path, path), said: /cannot be read/ },
    'a socket': {
      make: path => once(sockets[sockets.push(createServer()) - 1]!.listen(path), 'listening'),
      said: /cannot be read|is not a regular file/,
    },
  };
  const sockets: Server[] = [];
  teardown(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  /** Files that the command reads by itself, and files that a request names, by what the request says. */
  const places: Readonly<Record<string, { readonly message?: string; readonly each?: string; readonly shown?: string }>> = {
    'a2a.env.json': {},
    'a2a.private.env.json': {},
    'sub/a2a.env.json': {},
    'sub/a2a.private.env.json': {},
    '.vscode/settings.json': {},
    'sub/words.txt': { message: '{{$file words.txt}}', shown: 'words.txt' },
    'data/words.json': { message: 'x {{$file ../data/words.json as text}}', shown: '../data/words.json' },
    'sub/rows.json': { each: '{{$file rows.json}}', shown: 'rows.json' },
  };

  // In a sample each thing stands in one place, and something stands in each place.
  const standsAt = (at: number) => Object.entries(stands).filter((_, index) => full || index % Object.keys(places).length === at);
  for (const [at, [place, { message = 'x {{canary}}', each, shown = place }]] of Object.entries(places).entries()) {
    for (const [title, { make, said }] of standsAt(at)) {
      (process.platform === 'win32' ? test.skip : test)(`${place} is ${title}`, async () => {
        const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
        const cwd = mkdtempSync(join(folder, 'w-'));
        const outside = join(mkdtempSync(join(folder, 'outside-')), 'secret.json');
        writeFileSync(outside, '{"dev":{"canary":"from outside"}}');
        mkdirSync(join(cwd, 'sub'));
        mkdirSync(dirname(join(cwd, place)), { recursive: true });
        writeFileSync(join(cwd, 'sub', 'x.a2a'), JSON.stringify({ agent: agent.url, message, each }));
        await make(join(cwd, place), outside);
        const { status, out, err } = await a2a(['run', 'sub'], cwd);
        cases++;
        const messages = agent.requests.filter(({ operation }) => operation !== undefined);
        if (messages.length > 0 || `${out}${err}`.includes('from outside')) wrong++;
        assert.equal(messages.length, 0);
        assert.ok(!`${out}${err}`.includes('from outside'), out + err);
        if (shown === place) {
          assert.deepEqual([status, out], [2, ''], err);
          assert.equal(agent.requests.length, 0);
        } else assert.notEqual(status, 0);
        assert.match(out + err, said);
        assert.ok(`${out}${err}`.includes(shown), out + err);
      });
    }
  }

  (process.platform === 'win32' ? test.skip : test)('a reader that follows links is caught', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { message: says('hi') } }] });
    const wall = 'if (leadsOut(root, real)) throw outside(path, root);';
    const flawed = await TerminalProgram.build({ file: 'src/request/values/sandboxedFiles.ts', from: wall, to: '' });
    const cwd = mkdtempSync(join(folder, 'w-'));
    const outside = join(mkdtempSync(join(folder, 'outside-')), 'secret.json');
    writeFileSync(outside, '{"$shared":{"canary":"from outside"}}');
    writeFileSync(join(cwd, 'x.a2a'), JSON.stringify({ agent: agent.url, message: 'x {{canary}}' }));
    symlinkSync(outside, join(cwd, 'a2a.env.json'));
    await a2a(['run', '.'], cwd, flawed);
    await flawed.remove();
    assert.ok(agent.requests.some(({ body }) => body.includes('from outside')));
    caught('F7', 'a reader that follows links');
  });

  (process.platform === 'win32' ? test.skip : test)(
    'a request file that is found is held in the folder; one that is named is read wherever it is',
    async () => {
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
        assert.match(found.err, /link\.a2a is outside .*, so it was not read/);
        assert.equal(agent.requests.length, 0);
      }
      const named = await a2a(['run', 'link.a2a'], cwd);
      assert.deepEqual([named.status, named.err], [0, ''], named.out);
      truncateSync(outside, maxFileBytes + 1);
      const large = await a2a(['run', 'link.a2a'], cwd);
      assert.equal(large.status, 2, large.out);
      assert.match(large.err, /is larger than 16 MB/);
    },
  );
});
