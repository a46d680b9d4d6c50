import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { SendRequestOptions } from '../../../src/model/requests/sendContext.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readCsv } from '../../../src/request/text/csv.ts';
import { readEnvironments, type EnvironmentFile } from '../../../src/request/environment/environments.ts';
import { fill, type Scope } from '../../../src/request/resolve/fill.ts';
import { findEnvironments } from '../../../src/request/environment/findEnvironments.ts';
import { functions, systemHost, type FunctionHost } from '../../../src/request/template/functions.ts';
import { promptVariable, secretVariable } from '../../../src/request/template/variableNames.ts';
import { SandboxedFiles, readNamedText } from '../../../src/request/values/sandboxedFiles.ts';
import { maxFileBytes } from '../../../src/request/values/wholeFile.ts';
import { previewRequest } from '../../../src/request/resolve/preview.ts';
import type { ValueSources } from '../../../src/request/values/valueSources.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { systemValueSources } from '../../../src/request/template/systemValueSources.ts';
import { functionsOfValues } from '../../../src/request/template/template.ts';
import type { UsedValue } from '../../../src/request/resolve/usedValues.ts';
import { literals, merged, type Values } from '../../../src/request/text/value.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';

const files: Readonly<Record<string, string | Buffer>> = {
  'a.txt': 'Hello',
  'b.json': '{"n":[1]}',
  'c.png': Buffer.from([137, 80]),
  'd.csv': 'city,n\nParis,1\n"New, York",2\n',
  'bad.json': '{',
  'latin.txt': Buffer.from([0xe9]),
  odd: 'x',
};
const asked: string[] = [];
const reach: ValueSources = {
  env: name => ({ USER: 'ann', EMPTY: '' })[name],
  secret: async name => (name === 'TOKEN' ? 's3cret' : undefined),
  prompt: async label => {
    asked.push(label);
    return label === 'Skip' ? undefined : `answer to ${label}`;
  },
  file: async path => ({ name: path, bytes: Buffer.from(files[path] ?? '') }),
};
const host: FunctionHost = { now: () => new Date(0), uuid: () => 'u', random: () => 0.5, sources: reach };
const scopeOf = (values: Values, functionHost = host): Scope => ({
  file: readRequestFile('{"agent":"A","variables":{"color":"red","shade":"dark {{color}}"},"message":"x"}'),
  values,
  functions: functionHost,
  result: () => undefined,
});

const filled: readonly (readonly [text: string, expected: unknown])[] = [
  ['{{$uuid}}', 'u'],
  ['{{$timestamp}}', '1970-01-01T00:00:00.000Z'],
  ['{{$env USER}}', 'ann'],
  ['{{$env EMPTY}}', ''],
  ['Bearer {{$secret TOKEN}}', 'Bearer s3cret'],
  ['{{$prompt Your name}}', 'answer to Your name'],
  ['{{$file a.txt}}', 'Hello'],
  ['{{$file b.json}}', { n: [1] }],
  ['{{$file b.json as text}}', '{"n":[1]}'],
  ['{{$file c.png}}', { raw: 'iVA=', filename: 'c.png', mediaType: 'image/png' }],
  ['{{$file odd}}', { raw: 'eA==', filename: 'odd', mediaType: 'application/octet-stream' }],
  ['{{$file a.txt as part}}', { raw: 'SGVsbG8=', filename: 'a.txt', mediaType: 'text/plain' }],
  ['x {{$file c.png as base64}}', 'x iVA='],
  ['{{color}} {{shade}}', 'red dark red'],
  ['{{n}}', 5],
  ['{{raw}}', '{{$secret TOKEN}}'],
  ['{{again}}', 'red s3cret'],
  ['{{$date}}', '1970-01-01'],
  ['{{$date iso}}', '1970-01-01T00:00:00.000Z'],
  ['{{$date +1d -2h dd.MM.yyyy HH:mm:ss.SSS}}', '01.01.1970 22:00:00.000'],
  ['{{$date +1M}} {{$date +13M}} {{$date -1y}}', '1970-02-01 1971-02-01 1969-01-01'],
  ['{{$date +30d +1M}}', '1970-02-28'],
  ['{{$date +1w http}}', 'Thu, 08 Jan 1970 00:00:00 GMT'],
  ['{{$date +90s unix}}', 90],
  ['at {{$date +5ms ms}}', 'at 5'],
  ['{{$random 1 6}}', 4],
  ['{{$random -10 -10}}', -10],
  ["{{$base64 'ann:x'}}", 'YW5uOng='],
  ['{{$base64 shade}}', 'ZGFyayByZWQ='],
  ['Basic {{$base64 $secret TOKEN}}', 'Basic czNjcmV0'],
  ['{{$base64 n}}', 'NQ=='],
  ['{{$json color}} {{$json n}}', '"red" 5'],
  ['{{$json $file b.json}}', '{"n":[1]}'],
  ['{{$lines $file d.csv}}', ['city,n', 'Paris,1', '"New, York",2']],
  ["{{$lines 'one'}}", ['one']],
  ["{{nope ?? 'x'}}", 'x'],
  ['{{nope ?? "a \\"b\\" ?? c"}}', 'a "b" ?? c'],
  ['{{nope ?? n}}', 5],
  ['{{color ?? n}}', 'red'],
  ['{{nope.a ?? $env NOPE ?? -1.5}}', -1.5],
  ['{{nope ?? true}} {{nope ?? null}}', 'true null'],
  ["{{$env EMPTY ?? 'x'}}", ''],
  ["{{color.length ?? 'no path'}}", 'no path'],
  ["{{$prompt Really ?? Yes}} {{$prompt Skip ?? 'none'}}", 'answer to Really none'],
];
const missing: readonly (readonly [text: string, code: string, words: RegExp])[] = [
  ['{{$env NOPE}}', 'no-value', /environment variable .*NOPE/],
  ['{{$secret NOPE}}', 'no-value', /A2A_SECRET_NOPE/],
  ['{{$prompt Skip}}', 'no-value', /not answered/],
  ['{{$random 6 1}}', 'no-value', /takes two whole numbers/],
  ['{{$date tomorrow}}', 'no-value', /not a date format/],
  ['{{$base64 nope}}', 'no-value', /nope/],
  ['{{$json nope.a}}', 'no-value', /nope/],
  ['{{$lines $file bad.json as json}}', 'bad-file', /not JSON/],
  ['{{nope ?? gone}}', 'no-value', /gone/],
  ["{{$file bad.json ?? 'x'}}", 'bad-file', /not JSON/],
  ['{{$file bad.json}}', 'bad-file', /bad\.json is not JSON/],
  ['{{$file latin.txt}}', 'bad-file', /latin\.txt is not in UTF-8; it may be in Latin-1/],
];

/** Functions whose argument is a value and not the name of something outside the file: they read nothing and always have a value. */
const readNothing: readonly string[] = ['date', 'random', 'base64', 'json', 'lines'];

const problemOf = async (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => assert.fail('no problem'),
    (error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    },
  );

suite('values of templates', () => {
  const values = merged(
    literals('option', { n: 5, raw: '{{$secret TOKEN}}' }),
    new Map([['again', { value: '{{color}} {{$secret TOKEN}}', source: 'environment', literal: false }]]),
  );
  for (const [text, expected] of filled) test(text, async () => assert.deepEqual(await fill(text, scopeOf(values)), expected));
  for (const [text, code, words] of missing) {
    test(`${text} has no value`, async () => {
      const problem = await problemOf(fill(text, scopeOf(values)));
      assert.equal(problem.code, code);
      assert.match(`${problem.message} ${problem.nextStep?.template} ${problem.nextStep?.args.join(' ')}`, words);
    });
  }
  test('every function is shown to have a value, and to have none where that can be', () => {
    const tried = (rows: readonly (readonly [text: string, ...unknown[]])[]): Set<string> =>
      new Set(rows.flatMap(([text]) => [...text.matchAll(/\{\{\$(\w+)/g)].map(([, name = '']) => name)));
    assert.deepEqual(
      Object.keys(functions).filter(name => !tried(filled).has(name)),
      [],
    );
    assert.deepEqual(
      Object.keys(functions).filter(
        name => functions[name]?.argument !== undefined && !readNothing.includes(name) && !tried(missing).has(name),
      ),
      [],
    );
  });

  for (const [name, { argument }] of Object.entries(functions)) {
    if (argument === undefined || readNothing.includes(name)) continue;
    test(`where nothing is trusted $${name} reads nothing`, async () => {
      assert.equal((await problemOf(fill(`{{$${name} x}}`, scopeOf(values, systemHost)))).code, 'untrusted');
    });
  }

  test('functions of values are those whose arguments are read as expressions', () => {
    for (const name of functionsOfValues) assert.ok(functions[name]?.argument === 'VALUE', name);
    assert.deepEqual(
      Object.keys(functions).filter(name => functions[name]?.argument === 'VALUE'),
      functionsOfValues,
    );
  });

  test('what is made of a secret is masked like it, and bound to where it may go', async () => {
    const used: UsedValue[] = [];
    const scope = { ...scopeOf(values), onUse: (one: UsedValue) => void used.push(one) };
    assert.equal(await fill('Basic {{$base64 again}}', scope), 'Basic cmVkIHMzY3JldA==');
    assert.deepEqual(
      used.map(one => (one.kind === 'secret' ? [one.name, one.value] : one.kind)),
      [
        ['TOKEN', 's3cret'],
        ['TOKEN', 'cmVkIHMzY3JldA=='],
      ],
    );
  });

  test('a default keeps no problem but a missing value from being told', async () => {
    assert.equal((await problemOf(fill("{{$secret TOKEN ?? 'x'}}", scopeOf(values, systemHost)))).code, 'untrusted');
  });

  const wrongTemplates: readonly (readonly [text: string, codes: readonly string[]])[] = [
    ["{{color ?? 'x'}} {{nope ?? 'x'}}", []],
    ['{{nope ?? gone}}', ['unknown-name']],
    ['{{$base64 nope}}', ['unknown-name']],
    ['{{$base64}}', ['missing-argument']],
    ['{{$base64 a b}}', ['unreadable-template']],
    ['{{$date}} {{$date +1d}}', []],
    ['{{$date soon}} {{$date +999999999y}}', ['bad-argument', 'bad-argument']],
    ['{{$random}} {{$random 1}} {{$random 2 1}}', ['missing-argument', 'bad-argument', 'bad-argument']],
    ["{{$uuid x ?? 'y'}}", ['unexpected-argument']],
    ['{{color ?? }}', ['unreadable-template']],
  ];
  for (const [text, codes] of wrongTemplates)
    test(`problems of ${text}`, () => {
      const { problems } = readRequestFile(JSON.stringify({ agent: 'A', variables: { color: 'red' }, message: text }));
      assert.deepEqual(
        problems.map(({ code }) => code),
        codes,
      );
    });

  test('the terminal: secrets and answers from the environment, and nobody to ask', async () => {
    const terminal = systemValueSources({
      root: '/',
      folder: '/',
      env: { A2A_SECRET_MY_TOKEN: 'x', PLAIN: 'y', A2A_PROMPT_YOUR_NAME: 'z' },
    });
    assert.deepEqual(
      [
        await terminal.secret('my-token'),
        await terminal.secret('PLAIN'),
        terminal.env('PLAIN'),
        await terminal.prompt('Your name'),
        await terminal.prompt('Other'),
      ],
      ['x', undefined, 'y', 'z', undefined],
    );
  });

  test('every label and every secret has a variable of its own that a shell can set', () => {
    const labels = [
      'Your name',
      '你的名字',
      '你的密码',
      'Größe',
      'Grüße',
      'Имя',
      'Пол',
      '?',
      '!',
      '…',
      '名 1',
      '名 2',
      'naïve',
      'naive',
      '٣',
      '٤',
    ];
    for (const variable of [promptVariable, secretVariable]) {
      const names = labels.map(variable);
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index || !/^A2A_(PROMPT|SECRET)_[A-Z0-9]+(_[A-Z0-9]+)*$/.test(name)),
        [],
      );
    }
    assert.deepEqual([promptVariable('Your name'), secretVariable('api-key')], ['A2A_PROMPT_YOUR_NAME', 'A2A_SECRET_API_KEY']);
    assert.equal(promptVariable('Größe'), promptVariable('Größe'.normalize('NFD')));
  });
});

suite('files that requests name', () => {
  let folder: string;
  let held: SandboxedFiles;
  suiteSetup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-files-'));
    mkdirSync(join(folder, 'root', 'sub'), { recursive: true });
    mkdirSync(join(folder, 'rooted'));
    for (const path of ['root/sub/in.txt', 'root/up.txt', 'out.txt', 'rooted/x.txt']) writeFileSync(join(folder, path), path);
    writeFileSync(join(folder, 'root/large.bin'), '');
    truncateSync(join(folder, 'root/large.bin'), maxFileBytes + 1);
    symlinkSync(join(folder, 'out.txt'), join(folder, 'root/sub/link.txt'));
    symlinkSync(folder, join(folder, 'root/sub/away'));
    symlinkSync(join(folder, 'root/up.txt'), join(folder, 'root/sub/fine.txt'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'root/sub/pipe')]);
    held = new SandboxedFiles({ root: join(folder, 'root'), folder: join(folder, 'root/sub') });
  });
  suiteTeardown(() => rmSync(folder, { recursive: true }));

  const good: readonly (readonly [path: string, text: string])[] = [
    ['in.txt', 'root/sub/in.txt'],
    ['./in.txt', 'root/sub/in.txt'],
    ['../up.txt', 'root/up.txt'],
    ['fine.txt', 'root/up.txt'],
  ];
  for (const [path, text] of good) test(path, async () => assert.equal(Buffer.from((await held.read(path)).bytes).toString(), text));
  const bad: readonly (readonly [path: string, code: string])[] = [
    ['../../out.txt', 'file-outside'],
    ['/etc/hostname', 'file-outside'],
    ['link.txt', 'file-outside'],
    ['away/out.txt', 'file-outside'],
    ['../../rooted/x.txt', 'file-outside'],
    ['nope.txt', 'no-file'],
    ['..', 'no-file'],
    ['../large.bin', 'file-too-large'],
    ['in.txt\0.png', 'no-file'],
    ...(process.platform === 'win32' ? [] : [['pipe', 'no-file'] as const]),
  ];
  for (const [path, code] of bad)
    test(`${JSON.stringify(path)}: ${code}`, async () => assert.equal((await problemOf(held.read(path))).code, code));

  suite('for a message', () => {
    const home = process.env['HOME'];
    teardown(() => {
      if (home === undefined) delete process.env['HOME'];
      else process.env['HOME'] = home;
    });

    test('a private environment file is not read, under whichever name', async () => {
      mkdirSync(join(folder, 'root/private'));
      writeFileSync(join(folder, 'root/private/a2a.private.env.json'), '{}');
      symlinkSync(join(folder, 'root/private/a2a.private.env.json'), join(folder, 'root/sub/plain.json'));
      for (const path of ['../private/a2a.private.env.json', 'plain.json'])
        assert.equal((await problemOf(held.readForMessage(path))).code, 'file-private', path);
      for (const [path, text] of good) assert.equal(Buffer.from((await held.readForMessage(path)).bytes).toString(), text);
      for (const [path, code] of bad) assert.equal((await problemOf(held.readForMessage(path))).code, code);
    });

    test('hidden files are not read from the home folder, and are from a project in it', async function () {
      if (process.platform === 'win32') this.skip();
      for (const path of ['home/.keys/id', 'home/project/.env', 'home/notes.txt', 'home/down/x.a2a']) {
        mkdirSync(join(folder, path, '..'), { recursive: true });
        writeFileSync(join(folder, path), path);
      }
      symlinkSync(join(folder, 'home/.keys/id'), join(folder, 'home/down/id.txt'));
      process.env['HOME'] = join(folder, 'home');
      for (const root of ['home', '.']) {
        const files = new SandboxedFiles({ root: join(folder, root), folder: join(folder, 'home/down') });
        for (const path of ['../.keys/id', 'id.txt', '../project/.env'])
          assert.equal((await problemOf(files.readForMessage(path))).code, 'file-private', `${root} ${path}`);
        assert.equal((await files.readForMessage('../notes.txt')).name, 'notes.txt');
      }
      const project = new SandboxedFiles({ root: join(folder, 'home/project'), folder: join(folder, 'home/project') });
      assert.equal((await project.readForMessage('.env')).name, '.env');
      // What the person's own settings name is theirs to choose.
      const own = new SandboxedFiles({ root: join(folder, 'home'), folder: join(folder, 'home') });
      assert.equal((await own.read('.keys/id')).name, 'id');
    });
  });

  test('a text without its byte order mark; one that is not there, or a link to nothing, is none', async () => {
    writeFileSync(join(folder, 'root/marked.json'), '\ufeff{}');
    symlinkSync(join(folder, 'root/nothing'), join(folder, 'root/dangling'));
    assert.deepEqual(
      [await held.text('../marked.json'), await held.textIfThere('nope'), await held.textIfThere('../dangling')],
      ['{}', undefined, undefined],
    );
    for (const path of ['link.txt', 'away/out.txt']) assert.equal((await problemOf(held.textIfThere(path))).code, 'file-outside');
    for (const [path, code] of bad) assert.equal((await problemOf(held.check(path))).code, code, path);
    assert.equal(await held.check('fine.txt'), undefined);
  });

  test('a file is not made where a link to nothing stands', async () => {
    symlinkSync(join(folder, 'made'), join(folder, 'root/to-be-made'));
    assert.equal((await problemOf(held.checkNew('../to-be-made'))).code, 'file-outside');
    for (const path of ['nope', 'in.txt']) assert.equal(await held.checkNew(path), undefined);
  });

  test('what is not there is not looked for outside of the folder', async () => {
    assert.equal((await problemOf(held.textIfThere('../../nope.txt'))).code, 'file-outside');
  });

  test('a file that a person named is read through a link, but neither a pipe nor a file without end', async () => {
    assert.equal(await readNamedText(join(folder, 'root/sub/link.txt')), 'out.txt');
    for (const [path, code] of [
      ['root/large.bin', 'file-too-large'],
      ['root/sub', 'no-file'],
      ['root/sub/nope', 'no-file'],
      ...(process.platform === 'win32' ? [] : [['root/sub/pipe', 'no-file']]),
    ]) {
      assert.equal((await problemOf(readNamedText(join(folder, path!)))).code, code, path);
    }
  });

  test('environment files are found from the folder up to the root, and not above it', async () => {
    for (const path of ['a2a.env.json', 'root/a2a.env.json', 'root/sub/a2a.private.env.json'])
      writeFileSync(join(folder, path), `{"dev":{"x":"${path}"}}`);
    const found = await findEnvironments({ root: join(folder, 'root'), folder: join(folder, 'root/sub') });
    assert.deepEqual(
      found.map(file => [file.path.slice(folder.length + 1).replaceAll('\\', '/'), file.private]),
      [
        ['root/sub/a2a.private.env.json', true],
        ['root/a2a.env.json', false],
      ],
    );
    assert.equal(readEnvironments(found).values('dev').get('x')?.value, 'root/sub/a2a.private.env.json');
    rmSync(join(folder, 'root/a2a.env.json'));
    symlinkSync(join(folder, 'a2a.env.json'), join(folder, 'root/a2a.env.json'));
    assert.equal(
      (await problemOf(findEnvironments({ root: join(folder, 'root'), folder: join(folder, 'root/sub') }))).code,
      'file-outside',
    );
  });
});

suite('environments', () => {
  const file = (path: string, content: object | string): EnvironmentFile => ({
    path,
    private: path.includes('private'),
    text: typeof content === 'string' ? content : JSON.stringify(content),
  });
  const nearest = file('a/a2a.env.json', { $shared: { all: 'near', only: 1 }, dev: { host: 'near', twice: 'near' } });
  const nearPrivate = file('a/a2a.private.env.json', { $shared: { hidden: 'all' }, dev: { token: 'near' } });
  const far = file('a2a.env.json', { dev: { host: 'far', all: 'dev', twice: 'far' }, prod: { production: true, host: 'p' } });
  const farPrivate = file('a2a.private.env.json', { dev: { host: 'private far' } });
  const all = readEnvironments([nearPrivate, nearest, farPrivate, far]);

  const rows: readonly (readonly [environment: string | undefined, name: string, value: unknown, source?: string])[] = [
    [undefined, 'all', 'near', 'shared'],
    [undefined, 'host', undefined],
    ['dev', 'host', 'private far', 'private'],
    ['dev', 'all', 'dev', 'environment'],
    ['dev', 'token', 'near', 'private'],
    ['dev', 'twice', 'near', 'environment'],
    ['dev', 'only', 1, 'shared'],
    ['dev', 'hidden', 'all', 'private-shared'],
    ['prod', 'host', 'p', 'environment'],
    ['prod', 'production', undefined],
    ['nope', 'all', 'near', 'shared'],
  ];
  for (const [environment, name, value, source] of rows) {
    test(`${name} in ${environment ?? 'none'}`, () => {
      const found = all.values(environment).get(name);
      assert.deepEqual([found?.value, found?.source], [value, source]);
    });
  }

  test('names, what is production, and where a value is written', () => {
    assert.deepEqual([all.names, [...all.production]], [['dev', 'prod'], ['prod']]);
    const { at } = all.values('dev').get('all')!;
    assert.equal(at?.path, 'a2a.env.json');
    assert.equal(far.text.slice(at.range.offset, at.range.offset + at.range.length), '"all"');
  });

  for (const text of ['', '[', '{"dev":', '{"dev":{"a":1,}', '5', '['.repeat(500), '{"dev":5}']) {
    test(`half-typed: ${text.slice(0, 20)}`, () => assert.notEqual(readEnvironments([file('a2a.env.json', text)]).problems.length, 0));
  }

  test('what an environment names is not unknown, and wins over the file', async () => {
    const read = readRequestFile('{"agent":"{{host}}","variables":{"all":"file"},"message":"{{all}} {{token}} {{nope}}"}', {
      names: new Set(all.values('dev').keys()),
    });
    assert.deepEqual(
      read.problems.map(({ code }) => code),
      ['unknown-name'],
    );
    assert.equal(await fill('{{all}}', { ...scopeOf(all.values('dev')), file: read }), 'dev');
  });
});

suite('CSV', () => {
  const rows: readonly (readonly [text: string, expected: unknown])[] = [
    ['a,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['\ufeffa\r\n"x, ""y""\nz"\r\n\r\n', [{ a: 'x, "y"\nz' }]],
    [
      'a,b\n1\n2,\n',
      [
        { a: '1', b: '' },
        { a: '2', b: '' },
      ],
    ],
    ['', []],
    ['a', []],
    ['__proto__\nx', [Object.fromEntries([['__proto__', 'x']])]],
  ];
  for (const [text, expected] of rows) test(JSON.stringify(text), () => assert.deepEqual(readCsv(text), expected));
  const places: readonly (readonly [text: string, said: RegExp])[] = [
    ['a,b,a\n1,2,3', /^data\/q\.csv:1: Two columns of the data are called "a"\.$/],
    ['\na, a\n1,2', /^data\/q\.csv:2: Two columns/],
    ['a\n\n1,2', /^data\/q\.csv:3: Line 3 of the data has too many fields: 2 instead of 1\.$/],
    ['a\n"1\r\n2"\n\n3,4', /^data\/q\.csv:5: Line 5/],
    ['a\n"1\n2\n', /^data\/q\.csv:2: Line 2 of the data has an unclosed quote/],
  ];
  for (const [text, said] of places)
    test(`${JSON.stringify(text)} is refused with its place`, () =>
      assert.throws(() => readCsv(text, 'data/q.csv'), { code: 'bad-data', message: said }));
  test('columns without a name may be many', () => assert.deepEqual(readCsv('a,,\n1,,'), [{ a: '1', '': '' }]));
  for (const text of ['a\n1,2', 'a\n"x', 'a\n"x"y'])
    test(`${JSON.stringify(text)} is refused`, () => assert.throws(() => readCsv(text), { code: 'bad-data' }));
});

suite('requests with data, repetition and a question', () => {
  const send = async (
    request: object,
    options: SendRequestOptions = {},
    model = new FakeModel(),
  ): Promise<{ outcome: RequestOutcome; sent: string[] }> => {
    const file = readRequestFile(
      JSON.stringify({ agent: 'A', variables: { city: 'file', cities: [{ city: 'Oslo' }] }, requests: [request] }),
    );
    const outcome = await new RequestRuns(model, error => {
      throw error;
    }).send(file.requests[0]!, file, { host, ...options }).done;
    return { outcome, sent: model.sent.map(({ what }) => what) };
  };
  const rows: readonly (readonly [title: string, request: object, sent: readonly string[], labels: readonly string[]])[] = [
    [
      'rows of the file',
      {
        message: '{{city}} {{n}}',
        each: [
          { city: 'Paris', n: 1 },
          { city: 'Rome', n: 2 },
        ],
      },
      ['Paris 1', 'Rome 2'],
      ['Paris, 1', 'Rome, 2'],
    ],
    ['rows with names', { message: '{{city}}', each: [{ name: 'first', city: 'Paris' }] }, ['Paris'], ['first']],
    ['rows of a CSV file', { message: '{{city}}', each: '{{$file d.csv}}' }, ['Paris', 'New, York'], ['Paris, 1', 'New, York, 2']],
    ['rows of a variable', { message: '{{city}}', each: '{{cities}}' }, ['Oslo'], ['Oslo']],
    [
      'what rows hold is text',
      { message: '{{city}}', each: [{ city: '\\{{$secret TOKEN}}' }] },
      ['{{$secret TOKEN}}'],
      ['{{$secret TOKEN}}'],
    ],
    ['rows may refer', { message: '{{town}}', each: [{ town: 'in {{city}}' }] }, ['in file'], ['in file']],
    ['repetition', { message: 'x', repeat: 3 }, ['x', 'x', 'x'], ['#1', '#2', '#3']],
    ['both', { message: '{{city}}', each: [{ city: 'P' }], repeat: 2 }, ['P', 'P'], ['P #1', 'P #2']],
  ];
  for (const [title, request, sent, labels] of rows) {
    test(title, async () => {
      const result = await send({ name: 'a', ...request });
      assert.deepEqual([result.outcome.problem, result.sent, result.outcome.rows?.map(({ label }) => label)], [undefined, sent, labels]);
      assert.equal(result.outcome.exchangeIds.length, sent.length);
    });
  }

  test('each row is held against the expectations; one that fails stops no other', async () => {
    const { outcome } = await send({
      message: 'x',
      each: [{ n: 1 }, { n: 2 }, { n: 3 }],
      expect: { paths: { 'task.id': 't{{n}}', 'task.metadata': { exists: false } } },
    });
    assert.deepEqual(
      outcome.rows?.map(row => row.outcome.expectations?.map(({ ok }) => ok)),
      [
        [true, true],
        [true, true],
        [true, true],
      ],
    );
    const { outcome: wrong, sent } = await send({
      message: 'x',
      each: [{ n: 2 }, { n: 2 }, { n: 4 }],
      expect: { paths: { 'task.id': 't{{n}}' } },
    });
    assert.deepEqual(
      wrong.expectations?.map(({ ok }) => ok),
      [false, true, false],
    );
    assert.equal(sent.length, 3);
  });

  for (const [title, request] of [
    ['no rows', { each: [] }],
    ['too many', { repeat: 1001 }],
    ['no number', { repeat: 0 }],
    ['no objects', { each: '{{$file b.json}}' }],
  ] as const) {
    test(`${title}: nothing is sent`, async () => {
      const { outcome, sent } = await send({ message: 'x', ...request });
      assert.deepEqual([outcome.problem?.code, sent], ['bad-data', []]);
    });
  }

  test('a prompt is asked once', async () => {
    asked.length = 0;
    const { sent } = await send({ message: '{{$prompt Name}} {{$prompt Name}}', repeat: 2 });
    assert.deepEqual([sent[0], asked], ['answer to Name answer to Name', ['Name']]);
  });

  const confirmations: readonly (readonly [confirm: unknown, answer: boolean | undefined, code: string | undefined, question: unknown])[] =
    [
      [true, true, undefined, undefined],
      ['Sure?', true, undefined, 'Sure?'],
      [true, false, 'not-confirmed', undefined],
      [true, undefined, 'not-confirmed', undefined],
      [false, false, undefined, undefined],
    ];
  for (const [confirm, answer, code, question] of confirmations) {
    test(`confirm ${String(confirm)}, answered ${String(answer)}`, async () => {
      let heard: unknown;
      const options =
        answer === undefined
          ? {}
          : {
              confirm: async (asks: { readonly question?: string }): Promise<boolean> => {
                heard = asks.question;
                return answer;
              },
            };
      const { outcome, sent } = await send({ message: 'x', confirm }, options);
      assert.deepEqual([outcome.problem?.code, sent.length, heard], [code, code === undefined ? 1 : 0, question]);
    });
  }
});

test('preview of a request: secrets masked, nobody asked, nothing sent', async () => {
  const file = readRequestFile(
    JSON.stringify({
      agent: '{{url}}',
      variables: { hidden: 'Bearer {{$secret TOKEN}}' },
      requests: [
        { name: 'a', message: 'x' },
        { message: ['{{color}} {{hidden}} {{$env USER}} {{$prompt Who}}', { data: '{{key}}' }, '{{a.task.id}}'] },
      ],
    }),
    { names: new Set(['url', 'color', 'key']) },
  );
  const values: Values = merged(
    literals('option', { color: 'red' }),
    new Map([
      ['url', { value: 'http://{{host}}', source: 'environment', literal: false }],
      ['host', { value: 'h', source: 'shared', literal: false }],
      ['key', { value: { id: 'k', n: 5, on: true }, source: 'private', literal: false }],
    ]),
  );
  asked.length = 0;
  assert.deepEqual(await previewRequest(file.requests[1]!, { file, values, functions: host, result: () => undefined }), {
    agent: 'http://h',
    message: ['red Bearer •••••• ann ‹Who›', { data: { id: '••••••', n: '••••••', on: true } }, '{{a.task.id}}'],
  });
  assert.deepEqual(asked, []);
});
