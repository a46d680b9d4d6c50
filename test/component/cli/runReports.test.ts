import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, task } from '../../support/client/says.ts';
import { silentCard } from '../../process/support/agentScripts.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const command = '::error file=x::pwned\n##[error]pwned\n  ::set-output name=a::b';

/** Answers with what it was sent, and with artifacts whose names are paths. */
const hostile: Script = {
  ...silentCard,
  SendMessage: ({ params }) => [
    {
      answer: {
        task: {
          ...task('TASK_STATE_COMPLETED'),
          artifacts: [
            { artifactId: 'a1', name: '../../../evil.sh', parts: [{ text: `${command}\n${JSON.stringify(params?.message.parts)}` }] },
            { artifactId: 'a2', name: 'pic.png', parts: [{ raw: Buffer.from([0, 255, 1]).toString('base64'), mediaType: 'image/png' }] },
            {
              artifactId: 'a3',
              name: 'pic.png',
              parts: [
                { url: `https://files.example/x?${JSON.stringify(params?.message.parts)}`, filename: '..' },
                { url: 'data:image/png;base64,AP8C' },
                { url: 'data:text/csv,a%2Cb', filename: 'table' },
              ],
            },
            { artifactId: 'a4', name: 'report', parts: [{ url: 'https://files.example/report', mediaType: 'application/pdf' }] },
          ],
        },
      },
    },
  ],
};

suite('what a run reports', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const secret = 's3cr3t-value-of-the-run';

  async function hostileRun(...options: string[]) {
    const agent = await open.agent(hostile);
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'good', message: 'x {{$secret one}}', expect: { state: 'completed', artifacts: [{ content: { raw: 'AP8C' } }] } },
          { name: 'no, bad: 100%', message: 'y {{$secret one}}', expect: { text: 'not there' } },
          { name: 'free', message: 'z' },
        ],
      },
    });
    return { cwd, ...(await program.run(['run', 'x.a2a', ...options], { cwd, env: { A2A_SECRET_ONE: secret, GITHUB_WORKSPACE: '' } })) };
  }

  test('an error that several requests have is told once, with what to do', async () => {
    const cwd = await program.workspace({
      'x.a2a': {
        agent: 'Home',
        requests: [
          { name: 'one', message: 'x' },
          { name: 'two', message: 'x', expect: {} },
          { name: 'three', message: 'x', after: 'one' },
          { name: 'four', message: 'x', agent: 'Shed' },
        ],
      },
    });
    const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 2);
    const step =
      /^ {4}Known are agents of --agent NAME=URL, of a2a\.agents in \.vscode\/settings\.json .* and, in the editor's own terminals, of its window\./;
    const lines = out.split('\n').map(line => line.replace(/^( +)x\.a2a:\d+:\d+: /, '$1').replace(/\(\d+ ms\)/, '(ms)'));
    assert.deepEqual(
      lines.slice(0, 9).map(line => (step.test(line) ? 'step' : line)),
      [
        '! x.a2a › one (ms)',
        '    No agent named "Home".',
        'step',
        '! x.a2a › two (ms)',
        '    the same error as x.a2a › one',
        '- x.a2a › three (skipped)',
        '    "one", which runs first, failed: No agent named "Home".',
        '! x.a2a › four (ms)',
        '    No agent named "Shed".',
      ],
    );
    assert.match(out, / {4}x\.a2a:2:12: No agent named "Home"\.\n[^]* {4}x\.a2a:21:16: No agent named "Shed"\.\n/);
    assert.match(
      out,
      /\n\nfailed: one \(x\.a2a:5\)\nfailed: two \(x\.a2a:9\)\nfailed: four \(x\.a2a:19\)\n0 passed, 3 failed, 1 skipped in [\d.]+ s\n$/,
    );
  });

  test('several reporters write at once: one to standard output, the others to files', async () => {
    const { cwd, status, out } = await hostileRun(
      ...['--reporter', 'spec', '--reporter', 'junit=reports/out.xml', '--reporter', 'json=all.json', '--reporter', 'github=gh.txt'],
    );
    assert.equal(status, 1);
    assert.match(out, /✓ x\.a2a › good[^]*✗ x\.a2a › no, bad: 100%[^]*→ x\.a2a › free/);
    const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
    assert.match(read('reports/out.xml'), /^<\?xml[^]*<testsuites name="a2a" tests="3" failures="1"/);
    const lines = read('all.json')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { name?: string; artifacts?: { name: string; bytes: number; addresses?: string[] }[] });
    assert.deepEqual(
      lines.map(({ name }) => name),
      ['good', 'no, bad: 100%', 'free', undefined],
    );
    assert.deepEqual(
      lines[0]?.artifacts?.map(({ name }) => name),
      ['../../../evil.sh', 'pic.png', 'pic.png', 'report'],
    );
    assert.deepEqual(
      lines[0]?.artifacts?.slice(2).map(({ bytes, addresses }) => ({ bytes, addresses })),
      [
        { bytes: 6, addresses: ['https://files.example/x?[{"text":"x ••••••"}]'] },
        { bytes: 0, addresses: ['https://files.example/report'] },
      ],
    );
    for (const text of [out, ...['reports/out.xml', 'all.json', 'gh.txt'].map(read)]) {
      assert.doesNotMatch(text, new RegExp(secret));
      // The runner takes a command at the beginning of a line, blanks before it or not, and `##[` anywhere.
      const commands = text.split('\n').filter(line => /^\s*::/.test(line) || line.includes('##['));
      assert.ok(
        commands.every(line => line.startsWith('::error file=x.a2a,line=22,')),
        commands.join('\n'),
      );
    }
    assert.match(
      read('gh.txt'),
      /^::error file=x\.a2a,line=\d+,col=\d+,title=no%2C bad%3A 100%25::[^\n]*%0A[^\n]*\na2a: 1 passed, 1 sent, 1 failed, 0 not run/,
    );
  });

  test('two reporters for one place, one that there is not, and a file that cannot be written are refused before anything is sent', async () => {
    const agent = await open.agent(hostile);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x' }, taken: { a: 1 } });
    for (const [options, said] of [
      [['--reporter', 'spec', '--reporter', 'junit'], /Only one reporter can write to standard output, not spec and junit/],
      [['--reporter', 'nope'], /Unknown reporter nope\. There are: spec, junit, json, github, latency\./],
      [['--reporter', 'junit=x.a2a/out.xml'], /The report cannot be written to x\.a2a\/out\.xml/],
      [['--reporter', 'junit=o', '--reporter', 'json=o'], /Two reporters cannot write to one file/],
      [['--repeat', '0'], /--repeat must be a whole number from 1 to 1000000/],
      [['--output', 'x.a2a'], /The folder x\.a2a cannot be made/],
    ] as const) {
      const { status, err } = await program.run(['run', 'x.a2a', ...options], { cwd });
      assert.equal(status, 2, options.join(' '));
      assert.match(err, said);
    }
    assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 0);
  });

  test('the answer of what is expected nothing of, answer and exchange of what failed; all of it with --verbose', async () => {
    const plain = await hostileRun();
    const [good = '', bad = '', free = ''] = plain.out.split(/^(?=[✓✗→])/m);
    assert.doesNotMatch(good, /POST|pwned/);
    assert.match(bad, /Artifact \.\.\/\.\.\/\.\.\/evil\.sh \(text\/plain, [^]*> POST http:[^]*< HTTP 200[^]*"artifacts"/);
    assert.match(free, /pwned[^]*Artifact pic\.png \(image\/png, 3 B\)/);
    assert.match(free, /Artifact report \(application\/pdf, at https:\/\/files\.example\/report\)/);
    assert.doesNotMatch(free, /POST/);
    const verbose = await hostileRun('--verbose');
    assert.equal(verbose.out.match(/^ {4}> POST http/gm)?.length, 3);
    assert.doesNotMatch(plain.out + verbose.out, new RegExp(secret));
  });

  test('--output writes text, artifacts and exchanges under names that are no paths, secrets masked', async () => {
    const { cwd } = await hostileRun('--output', 'out');
    assert.deepEqual(readdirSync(join(cwd, 'out')), ['001-good', '002-no, bad_ 100%', '003-free']);
    const folder = join(cwd, 'out', '001-good');
    assert.deepEqual(readdirSync(folder), ['.a2a-result', 'answer.txt', 'artifacts', 'exchange-1.txt']);
    const artifacts = readdirSync(join(folder, 'artifacts'));
    assert.deepEqual(artifacts, ['pic.png', 'pic-2.png', 'table.csv', '_.._.._evil.sh'].sort());
    const bytesIn = (name: string): Buffer => readFileSync(join(folder, 'artifacts', name));
    assert.deepEqual([...bytesIn('pic.png')], [0, 255, 1]);
    assert.deepEqual([...bytesIn('pic-2.png')], [0, 255, 2]);
    assert.equal(bytesIn('table.csv').toString(), 'a,b');
    for (const file of readdirSync(join(cwd, 'out'), { recursive: true, withFileTypes: true }).filter(one => one.isFile()))
      assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(secret), file.name);
    assert.match(readFileSync(join(folder, 'exchange-1.txt'), 'utf8'), /^> POST [^]*\n> \{"jsonrpc"[^]*\n< HTTP 200\n/);
    assert.equal(existsSync(join(cwd, '..', 'evil.sh')), false);
  });

  test('a request file comes from standard input', async () => {
    const agent = await open.agent(hostile);
    const { status, out } = await program.run(['run', '-', '--json', '--select', '/file', '--select', '/summary/counts/passed'], {
      cwd: await program.workspace({}),
      stdin: JSON.stringify({ agent: agent.url, message: 'x', expect: { state: 'completed' } }),
    });
    assert.deepEqual([status, out], [0, '"<stdin>"\n1\n']);
    assert.equal((await program.run(['run', '-', '--watch'])).status, 2);
  });

  test('each request is sent as often as --repeat says, and its latency is told', async () => {
    const agent = await open.agent({ ...silentCard, SendMessage: () => [{ delay: 20 }, { answer: { message: says('x') } }] });
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'one', message: 'x', expect: {} },
          { name: 'two', after: 'one', message: 'y' },
        ],
      },
    });
    const options = ['run', 'x.a2a', '--repeat', '10', '--parallel', '5', '--reporter', 'latency'];
    const { status, out } = await program.run(options, { cwd });
    assert.equal(status, 0);
    assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 20);
    const shown =
      /first event {2}n 10 {2}p50 [\d.]+ ms {2}p90 [\d.]+ ms {2}p95 [\d.]+ ms {2}p99 [\d.]+ ms {2}max [\d.]+ ms\n {2}total {8}n 10 /;
    assert.match(out, new RegExp(`^x\\.a2a › one\\n {2}${shown.source}[^]*x\\.a2a › two\\n[^]*all\\n[^]*20 requests in `));
    const json = await program.run([...options, '--json'], { cwd });
    const [one, , all] = json.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { name: string; total: { count: number; p50: number } });
    assert.deepEqual([one?.name, one?.total.count, all?.name, all?.total.count], ['x.a2a › one', 10, 'all', 20]);
    assert.ok(one!.total.p50 >= 19, String(one!.total.p50));
  });
});
