import * as assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Script } from '../../src/mock/script.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { says, task } from '../support/client/says.ts';
import { TerminalFolder } from '../support/cli/terminalFolder.ts';
import { eventually } from '../support/eventually.ts';
import { caught, figure } from '../support/figure.ts';
import { silentCard } from './support/agentScripts.ts';
import { ended, TerminalProgram } from './support/terminalProgram.ts';

const posix = process.platform === 'win32' ? test.skip : test;

/** Names that an agent gives to its artifacts, and those of the files. */
const names = {
  '-rf': '_-rf.md',
  '--checkpoint-action=exec=sh x.sh': '_--checkpoint-action=exec=sh x.sh',
  '~': '_~.md',
  con: '_con.md',
  'NUL.txt': '_NUL.txt',
  'caf\u00e9.txt': 'caf\u00e9.txt',
  'cafe\u0301.txt': 'cafe\u0301-2.txt',
  'A.txt': 'A.txt',
  'a.txt': 'a-2.txt',
} as const;

const answering = (artifacts: readonly string[], before = (): void => {}): Script => ({
  ...silentCard,
  SendMessage: () => {
    before();
    const parts = [{ text: 'of the agent' }];
    return [
      {
        answer: {
          task: { ...task('TASK_STATE_COMPLETED'), artifacts: artifacts.map((name, at) => ({ artifactId: `a${at}`, name, parts })) },
        },
      },
    ];
  },
});

suite('files that a command writes', () => {
  const open = new OpenThings();
  /** In the process of the tests: files are the same from there. */
  let program: TerminalFolder;
  let built: TerminalProgram;
  let cases = 0;
  let elsewhere = 0;
  suiteSetup(async () => {
    program = await TerminalFolder.make();
    built = await TerminalProgram.build();
  });
  suiteTeardown(async () => {
    await Promise.all([program.remove(), built.remove()]);
    figure('F36', { cases, 'written elsewhere': elsewhere }, `${cases} links and names, ${elsewhere} of them led a file elsewhere`);
  });
  teardown(() => open.close());

  /** A folder with a request, one beside it that nothing is to be written to, and an agent. */
  async function scene(before?: (cwd: string, outside: string) => void, artifacts: readonly string[] = ['evil.sh'], which = program) {
    const outside = mkdtempSync(join(program.folder, 'outside-'));
    writeFileSync(join(outside, 'victim'), 'mine');
    let swap = (): void => {};
    const agent = await open.agent(answering(artifacts, () => swap()));
    const file = { agent: agent.url, requests: ['one', 'two'].map(name => ({ name, message: 'x', expect: {} })) };
    const cwd = join(await program.workspace({ 'repo/x.a2a': file }), 'repo');
    before?.(cwd, outside);
    return {
      agent,
      cwd,
      outside,
      swap: (work: () => void) => (swap = work),
      run: (...args: string[]) => which.run(['run', 'x.a2a', ...args], { cwd }),
      /** Whether all is as it was where nothing is to be written. */
      isUntouched: (): boolean =>
        readdirSync(outside).join() === 'victim' &&
        readFileSync(join(outside, 'victim'), 'utf8') === 'mine' &&
        lstatSync(join(outside, 'victim')).isFile(),
    };
  }

  const link = (target: string, path: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  };
  const linked: Readonly<
    Record<string, { readonly make: (cwd: string, outside: string) => void; readonly args: readonly string[]; readonly said?: RegExp }>
  > = {
    'the output folder': { make: (cwd, outside) => link(outside, join(cwd, 'out')), args: ['--output', 'out'] },
    'the output folder, to nowhere': { make: (cwd, outside) => link(join(outside, 'new'), join(cwd, 'out')), args: ['--output', 'out'] },
    'a folder above it': { make: (cwd, outside) => link(outside, join(cwd, 'a')), args: ['--output', 'a/b/out'] },
    'a folder beside that of the command': { make: (cwd, outside) => link(outside, join(cwd, '../a')), args: ['--output', '../a/out'] },
    'the folder of a result': { make: (cwd, outside) => link(outside, join(cwd, 'out/001-one')), args: ['--output', 'out'] },
    'the folder of a later result': { make: (cwd, outside) => link(outside, join(cwd, 'out/002-two')), args: ['--output', 'out'] },
    'the folder of artifacts': {
      make: (cwd, outside) => link(outside, join(cwd, 'out/001-one/artifacts')),
      args: ['--output', 'out'],
      said: /001-one in it was not written by a run alone/,
    },
    'the file of an answer': {
      make: (cwd, outside) => link(join(outside, 'victim'), join(cwd, 'out/001-one/answer.txt')),
      args: ['--output', 'out'],
      said: /001-one in it was not written by a run alone/,
    },
    'a report': { make: (cwd, outside) => link(join(outside, 'victim'), join(cwd, 'r.xml')), args: ['--reporter', 'junit=r.xml'] },
    'a report, to nowhere': {
      make: (cwd, outside) => link(join(outside, 'new'), join(cwd, 'r.xml')),
      args: ['--reporter', 'junit=./r.xml'],
    },
    'the folder of a report': { make: (cwd, outside) => link(outside, join(cwd, 'r')), args: ['--reporter', 'json=r/victim'] },
    'a folder above that of a report': { make: (cwd, outside) => link(outside, join(cwd, 'r')), args: ['--reporter', 'json=r/a/b.json'] },
  };
  for (const [title, { make, args, said = /is a link, and nothing is written through links/ }] of Object.entries(linked)) {
    posix(`${title} is a link: refused before anything is sent`, async () => {
      const { agent, run, isUntouched } = await scene(make);
      const { status, err } = await run(...args);
      cases++;
      if (!isUntouched()) elsewhere++;
      assert.ok(isUntouched());
      assert.match(err, said);
      assert.equal(status, 2);
      assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 0);
    });
  }

  posix('a report of a check is a link, or its folder is: the same', async () => {
    const { agent, cwd, outside, isUntouched } = await scene();
    symlinkSync(join(outside, 'victim'), join(cwd, 'r.html'));
    symlinkSync(outside, join(cwd, 'r'));
    for (const path of ['r.html', 'r/victim', join(cwd, 'r', 'new.html')]) {
      const { status, err } = await program.run(['check', agent.url, '--reporter', `html=${path}`], { cwd });
      cases++;
      if (!isUntouched()) elsewhere++;
      assert.match(err, /is a link, and nothing is written through links/);
      assert.equal(status, 2);
    }
    assert.ok(isUntouched());
    assert.equal(agent.requests.length, 0);
  });

  posix('links that are put there during the run are not followed', async () => {
    for (const place of ['out', 'out/001-one', 'r.xml']) {
      const { agent, cwd, outside, swap, run, isUntouched } = await scene();
      swap(() => {
        if (agent.requests.filter(({ method }) => method === 'POST').length !== (place === 'out' ? 2 : 1)) return;
        if (place === 'out') renameSync(join(cwd, place), join(cwd, 'before'));
        link(place === 'r.xml' ? join(outside, 'victim') : outside, join(cwd, place));
      });
      const { status, err } = await run('--output', 'out', '--reporter', 'junit=r.xml');
      cases++;
      if (!isUntouched()) elsewhere++;
      assert.ok(isUntouched(), place);
      if (place === 'r.xml') {
        assert.equal(status, 0, err);
        assert.ok(lstatSync(join(cwd, place)).isFile());
      } else assert.match(err, /could not be written/);
    }
  });

  test('names of artifacts are no options, devices or home folders, and none is the name of another', async () => {
    const { cwd, run } = await scene(undefined, Object.keys(names));
    const { status, err } = await run('--output', 'out');
    const found = readdirSync(join(cwd, 'out/001-one/artifacts'));
    cases += Object.keys(names).length;
    assert.equal(status, 0, err);
    assert.deepEqual(found.toSorted(), Object.values<string>(names).toSorted());
  });

  test('a second run leaves nothing of the first one, and nothing of others is deleted or mixed with it', async () => {
    const { cwd, run } = await scene((folder: string) => {
      mkdirSync(join(folder, 'out'));
      writeFileSync(join(folder, 'out', 'notes.md'), 'mine');
    });
    assert.equal((await run('--output', 'out')).status, 0);
    writeFileSync(join(cwd, 'out/001-one/artifacts/old.txt'), 'of a run before');
    assert.equal((await run('--output', 'out', '--name', 'two')).status, 0);
    assert.deepEqual(readdirSync(join(cwd, 'out')).toSorted(), ['001-two', 'notes.md']);
    mkdirSync(join(cwd, 'out', '007-chapter'));
    writeFileSync(join(cwd, 'out', '007-chapter', 'text.md'), 'mine');
    const { status, err } = await run('--output', 'out');
    assert.equal(status, 2);
    assert.match(err, /007-chapter in it was not written by a run alone\. Name another folder, or move it away\./);
    assert.deepEqual(readdirSync(join(cwd, 'out')).toSorted(), ['001-two', '007-chapter', 'notes.md']);
  });

  test('what looks like a result and is of a person stops the run, whatever its files are called', async () => {
    for (const file of ['010-photos/artifacts/me.jpg', '003-thesis/answer.txt', '001-one/exchange-2.txt', '002-empty/artifacts/x/y']) {
      const { agent, cwd, run } = await scene(folder => {
        mkdirSync(dirname(join(folder, 'out', file)), { recursive: true });
        writeFileSync(join(folder, 'out', file), 'mine');
      });
      assert.equal((await run('--output', 'out')).status, 2, file);
      assert.equal(readFileSync(join(cwd, 'out', file), 'utf8'), 'mine');
      assert.equal(agent.requests.length, 0);
      cases++;
    }
  });

  posix('a pipe that nobody reads from is told, and not waited for', async () => {
    const { cwd, run } = await scene();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const { status, err } = await run('--reporter', 'junit=pipe');
    assert.equal(status, 2);
    assert.match(err, /nothing reads from this pipe/);
  });

  test('two ways to write one file are one file', async () => {
    const { agent, cwd, run } = await scene();
    for (const other of ['./r.xml', 'x/../r.xml', join(cwd, 'r.xml'), 'R.xml']) {
      const { status, err } = await run('--reporter', 'junit=r.xml', '--reporter', `json=${other}`);
      assert.equal(status, 2, other);
      assert.match(err, /Two reporters cannot write to one file/);
    }
    assert.match((await run('--reporter', 'junit=new/')).err, /cannot be written to new\/: that is the name of a folder/);
    assert.equal(agent.requests.length, 0);
    assert.deepEqual(readdirSync(cwd), ['x.a2a']);
  });

  /** Files that a run reads, and how a report is told to go there. */
  const replaced: Readonly<Record<string, string>> = {
    'x.a2a': './x.a2a',
    'other.a2a': 'OTHER.a2a',
    'a2a.env.json': 'a2a.env.json',
    'rows.csv': 'd/../rows.csv',
    'shared.csv': 'shared.csv',
    'imported.csv': 'imported.csv',
    'inner.txt': 'inner.txt',
    '.vscode/settings.json': '.vscode/settings.json',
    'agent.pem': 'agent.pem',
    'ca.pem': 'ca.pem',
  };
  test('no report replaces a file that the run reads: refused before anything is sent', async () => {
    for (const [file, report] of Object.entries(replaced)) {
      const { agent, cwd, run } = await scene(folder => {
        const put = (name: string, value: unknown): void => {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
        };
        const { agent: url } = JSON.parse(readFileSync(join(folder, 'x.a2a'), 'utf8')) as { agent: string };
        for (const name of Object.keys(replaced)) put(name, 'n\n1');
        put('x.a2a', {
          agent: url,
          import: 'other.a2a',
          requests: [
            { name: 'one', message: '{{n}} {{$base64 $file inner.txt}} {{theirs}} {{common}}', each: '{{$file rows.csv as text}}' },
          ],
        });
        put('other.a2a', {
          agent: url,
          variables: { theirs: '{{$file imported.csv}}' },
          requests: [{ name: 'theirs alone', message: 'x' }],
        });
        put('a2a.env.json', { $shared: { common: '{{$file shared.csv}}' } });
        put('.vscode/settings.json', { 'a2a.agents': { Other: { url, tls: { ca: 'agent.pem' } } } });
      });
      const before = readFileSync(join(cwd, file), 'utf8');
      const { status, err } = await run(...(file === 'ca.pem' ? ['--ca', file] : []), '--reporter', `junit=${report}`);
      cases++;
      assert.equal(readFileSync(join(cwd, file), 'utf8'), before, file);
      assert.ok(err.includes(`--reporter junit=${report} would replace ${file}, which this command reads. Nothing was sent.`), err);
      assert.equal(status, 2);
      assert.equal(agent.requests.length, 0);
    }
  });

  posix('nor one behind a link, nor a file that a check reads', async () => {
    const { agent, cwd, run } = await scene(folder => {
      writeFileSync(join(folder, 'p.a2a'), '{"check": {"task": "x"}}');
      for (const name of ['k.pem', 'c.pem']) writeFileSync(join(folder, name), 'mine');
    });
    const own = join(mkdtempSync(join(program.folder, 'own-')), 'link');
    symlinkSync(cwd, own);
    const through = await run('--reporter', `junit=${join(own, 'x.a2a')}`);
    assert.match(through.err, /would replace x\.a2a, which/);
    for (const [file, ...option] of [
      ['p.a2a', '--prompts', 'p.a2a'],
      ['k.pem', '--trusted-key', 'k.pem'],
      ['c.pem', '--cert', 'c.pem', '--key', 'k.pem'],
      ['k.pem', '--pfx', 'k.pem'],
    ]) {
      const { status, err } = await program.run(['check', agent.url, ...option, '--reporter', `html=${file}`], { cwd });
      cases++;
      assert.ok(err.includes(`--reporter html=${file} would replace ${file}, which`), err);
      assert.equal(status, 2);
    }
    assert.match((await run('--reporter', 'junit=new.xml', '--reporter', `json=${join(own, 'new.xml')}`)).err, /Two reporters cannot/);
    assert.equal(agent.requests.length, 0);
  });

  /** A run that is killed at its second request; the report as it is then. */
  async function killed(which: TerminalProgram): Promise<{ readonly report: string; readonly found: readonly string[] }> {
    const agent = await open.agent({
      ...silentCard,
      SendMessage: ({ params }) => [
        { delay: JSON.stringify(params?.message.parts).includes('hangs') ? 600_000 : 0 },
        { answer: { message: says('x') } },
      ],
    });
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, requests: ['one', 'hangs'].map(name => ({ name, message: name, expect: {} })) },
      'r.json': 'of the run before',
    });
    const child = which.start(['run', 'x.a2a', '--reporter', 'json=r.json'], { cwd });
    const done = ended(child);
    await eventually(() => assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 2));
    child.kill('SIGKILL');
    await done;
    return { report: readFileSync(join(cwd, 'r.json'), 'utf8'), found: readdirSync(cwd) };
  }

  posix('a run that is killed leaves no half report; one that ends before it begins leaves nothing', async () => {
    const { report, found } = await killed(built);
    cases++;
    assert.equal(report, 'of the run before');
    assert.equal(found.filter(name => name.endsWith('.json')).length, 1);
    const { cwd, run } = await scene();
    writeFileSync(join(cwd, 'r.xml'), 'of the run before');
    assert.equal((await run('--reporter', 'junit=r.xml', '--name', 'none of this name')).status, 2);
    assert.deepEqual(readdirSync(cwd).toSorted(), ['r.xml', 'x.a2a']);
    assert.equal(readFileSync(join(cwd, 'r.xml'), 'utf8'), 'of the run before');
  });

  posix('pipes, devices and what a shell has open are written to as they are', async () => {
    const { cwd } = await scene();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const shell = (command: string) =>
      promisify(execFile)('bash', ['-c', command, 'bash', process.execPath, built.path], { cwd, encoding: 'utf8' });
    const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
    const isWhole = (text: string): boolean => /^<\?xml[^]*<\/testsuites>\s*$/.test(text);
    const run = '"$1" "$2" run x.a2a --reporter json=all.json';
    assert.ok(isWhole((await shell(`${run} --reporter junit=/dev/stdout | cat`)).stdout));
    await shell(`${run} --reporter junit=/dev/stdout > redirected.xml`);
    assert.ok(isWhole(read('redirected.xml')));
    assert.ok(isWhole((await shell(`{ ${run} --reporter junit=/dev/fd/3 3>&1 >&2 | cat; }`)).stdout));
    await shell(`cat pipe > piped.xml & ${run} --reporter junit=pipe; wait`);
    assert.ok(isWhole(read('piped.xml')));
    assert.ok(lstatSync(join(cwd, 'pipe')).isFIFO());
    await shell(`${run} --reporter junit=>(cat > substituted.tmp; mv substituted.tmp substituted.xml)`);
    await eventually(() => assert.ok(existsSync(join(cwd, 'substituted.xml'))));
    assert.ok(isWhole(read('substituted.xml')));
    await shell(`${run} --reporter junit=/dev/null`);
    assert.ok(lstatSync('/dev/null').isCharacterDevice());
    assert.deepEqual(
      readdirSync(cwd).filter(name => name.includes('unfinished')),
      [],
    );
    cases += 6;
  });

  posix('an absolute path through links of the system, and a folder that is a link elsewhere, are the person’s own', async () => {
    const { cwd, outside, run } = await scene();
    rmSync(join(outside, 'victim'));
    const own = join(mkdtempSync(join(program.folder, 'own-')), 'link');
    symlinkSync(outside, own);
    assert.equal((await run('--output', own, '--reporter', `junit=${join(own, 'r.xml')}`)).status, 0);
    assert.deepEqual(readdirSync(outside).toSorted(), ['001-one', '002-two', 'r.xml']);
    assert.deepEqual(readdirSync(cwd), ['x.a2a']);
  });

  posix('an output folder that follows links, and a report that is written in its place, are caught', async () => {
    const follows = await TerminalProgram.build({
      file: 'src/cli/run/reporters/namedFolder.ts',
      from: 'import { lstatSync, mkdirSync }',
      to: 'import { statSync as lstatSync, mkdirSync }',
    });
    for (const title of ['the output folder', 'a folder above it', 'a folder beside that of the command', 'the folder of a report']) {
      const { make, args } = linked[title]!;
      const { run, isUntouched } = await scene(make, undefined, follows);
      await run(...args);
      assert.ok(!isUntouched(), title);
    }
    await follows.remove();
    caught('F36', 'an output folder that follows links');
    const inPlace = await TerminalProgram.build({
      file: 'src/cli/run/reporters/reportFile.ts',
      from: 'const file = new UnfinishedFile(whole);',
      to: "return straight(openSync(whole, 'w'));\n  const file = new UnfinishedFile(whole);",
    });
    assert.match((await killed(inPlace)).report, /^\{[^]*"one"/);
    await inPlace.remove();
    caught('F36', 'a report that is written in its place');
  });
});
