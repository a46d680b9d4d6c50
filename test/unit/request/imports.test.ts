import * as assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import { readImports, type ImportSources } from '../../../src/request/check/readImports.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { noSettings } from '../../../src/request/file/folderDefaults.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { completions } from '../../../src/request/language/completions.ts';
import { hover } from '../../../src/request/language/hover.ts';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';
import { definitions } from '../../../src/request/language/navigation.ts';
import { renamable, rename, renameImported } from '../../../src/request/language/rename.ts';
import { settingsIn } from '../../../src/request/file/settingsIn.ts';
import { tokens } from '../../../src/request/language/tokens.ts';
import { exactTree } from '../../../src/request/text/exactTree.ts';
import { systemHost } from '../../../src/request/template/functions.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';

type Files = Readonly<Record<string, unknown>>;

const root = resolve('/w');
const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));

/** Files of a workspace by their path in it. `read` notes what is read. */
const sourcesOf = (files: Files, read: string[] = []): ImportSources => ({
  shown: path => path.slice(root.length + 1).replaceAll('\\', '/'),
  text: async path => {
    const shown = path.slice(root.length + 1).replaceAll('\\', '/');
    read.push(shown);
    if (!Object.hasOwn(files, shown)) throw new Problem('no-file', sentence('The file {0} cannot be read: {1}', shown, 'ENOENT'));
    return textOf(files[shown]);
  },
  defaults: async folder => {
    const text = files[`${folder.slice(root.length + 1)}/defaults`];
    return text === undefined ? noSettings : settingsIn(exactTree(textOf(text), []), textOf(text), 'defaults');
  },
});

async function fileOf(content: unknown, files: Files, { markdown = false, read = [] as string[], names = [] as string[] } = {}) {
  const options = { markdown, names: new Set(names) };
  const alone = readRequestFile(textOf(content), options);
  const imports = await readImports(alone, { path: resolve(root, 'main.a2a'), folder: root, sources: sourcesOf(files, read) });
  return readRequestFile(textOf(content), { ...options, imports });
}

const problemsOf = (file: RequestFile): readonly string[] => file.problems.map(({ code, sentence: said }) => `${code}: ${english(said)}`);

const login = {
  agent: 'L',
  variables: { user: 'ann', greeting: 'hello {{user}}', ticket: 'T{{login.task.id}}' },
  requests: [
    { name: 'first', message: 'first' },
    { name: 'login', message: '{{greeting}} {{first.task.id}}', capture: { token: 'task.id' } },
    { name: 'more', after: 'login', message: 'more' },
    { name: 'never', message: 'never' },
  ],
};

async function sent(file: RequestFile, key: string, values = new Map()) {
  const model = new FakeModel();
  const runs = new RequestRuns(model, error => assert.fail(String(error)));
  const outcome = await runs.send(file.requests.find(entry => entry.key === key)!, file, { host: systemHost, values }).done;
  return { outcome, what: model.sent.map(({ agent, what, context }) => `${agent}: ${what} @ ${context}`), runs, model };
}

suite('imported files', () => {
  test('give their variables, which mean what they do there', async () => {
    const file = await fileOf(
      { import: 'login.a2a', agent: 'A', requests: [{ name: 'a', message: '{{greeting}}' }], variables: { user: 'own' } },
      {
        'login.a2a': login,
      },
    );
    assert.deepEqual(problemsOf(file), [
      'name-twice: "user" is defined in login.a2a and in this file. The definition in this file applies here.',
    ]);
    const { what } = await sent(file, 'a');
    assert.deepEqual(what, ['A: hello ann @ context 1']);
  });

  test('give their requests: each is sent first as its own file has it, once, with what it needs itself', async () => {
    const file = await fileOf(
      {
        import: ['login.a2a'],
        agent: 'A',
        requests: [
          { name: 'a', message: 'a {{login.task.id}} {{token}} {{ticket}}' },
          { name: 'b', agent: 'L', after: 'more', message: 'b' },
          { name: 'login2', message: 'x' },
        ],
      },
      { 'login.a2a': login },
    );
    assert.deepEqual(problemsOf(file), []);
    const { what, runs, model } = await sent(file, 'a');
    assert.deepEqual(what, ['L: first @ context 1', 'L: hello ann t1 @ context 2', 'A: a t2 t2 Tt2 @ context 3']);
    await runs.send(file.requests[1]!, file, { host: systemHost }).done;
    assert.deepEqual(
      model.sent.slice(3).map(one => `${one.agent}: ${one.what} @ ${one.context}`),
      ['L: more @ context 2', 'L: b @ context 2'],
    );
  });

  test('a request of the same name here is another one, with a result of its own', async () => {
    const file = await fileOf(
      {
        import: 'login.a2a',
        agent: 'A',
        requests: [
          { name: 'first', message: 'own' },
          { name: 'a', message: '{{first.task.id}} {{login.task.id}}' },
        ],
      },
      { 'login.a2a': login },
    );
    assert.deepEqual((await sent(file, 'a')).what, [
      'A: own @ context 1',
      'L: first @ context 2',
      'L: hello ann t2 @ context 3',
      'A: t1 t3 @ context 4',
    ]);
  });

  test('one that fails keeps what needs it from being sent; a file imported over two ways is one file', async () => {
    const read: string[] = [];
    const file = await fileOf(
      { import: ['b.a2a', 'sub/c.a2a'], requests: [{ name: 'a', agent: 'A', message: '{{b.task.id}} {{c.task.id}}' }] },
      {
        'b.a2a': { import: 'sub/d.a2a', name: 'b', agent: 'B', message: 'b {{d.task.id}}' },
        'sub/c.a2a': { import: './d.a2a', name: 'c', agent: 'C', message: 'c {{d.task.id}}' },
        'sub/d.a2a': { name: 'd', message: 'd' },
        'sub/defaults': { agent: 'OfFolder' },
      },
      { read },
    );
    assert.deepEqual(read, ['b.a2a', 'sub/d.a2a', 'sub/c.a2a']);
    assert.deepEqual((await sent(file, 'a')).what, [
      'OfFolder: d @ context 1',
      'B: b t1 @ context 2',
      'C: c t1 @ context 3',
      'A: t2 t3 @ context 4',
    ]);
    const broken = await fileOf(
      { import: 'x.a2a', agent: 'A', requests: [{ name: 'a', message: '{{x.task.id}}' }] },
      {
        'x.a2a': { name: 'x', agent: 'Dead', message: 'x' },
      },
    );
    assert.equal((await sent(broken, 'a')).outcome.problem?.code, 'needed-failed');
  });

  test('paths of files in them begin in their folder', async () => {
    const asked: string[] = [];
    const file = await fileOf(
      { import: 'sub/v.a2a', agent: 'A', requests: [{ name: 'a', message: '{{text}} {{$file own.md}}' }] },
      {
        'sub/v.a2a': { message: 'x', agent: 'A', variables: { text: '{{$file text.md}}' } },
      },
    );
    const host = {
      ...systemHost,
      sources: {
        env: () => undefined,
        secret: async () => undefined,
        prompt: async () => undefined,
        file: async (path: string) => (asked.push(path), { name: path, bytes: Buffer.from('text') }),
      },
    };
    const runs = new RequestRuns(new FakeModel(), error => assert.fail(String(error)));
    assert.equal((await runs.send(file.requests[0]!, file, { host }).done).problem, undefined);
    assert.deepEqual(asked, [resolve(root, 'sub/text.md'), 'own.md']);
  });

  test('values from outside are stronger; names that an imported file imports are not passed on', async () => {
    const files = { 'login.a2a': login, 'over.a2a': { import: 'login.a2a', agent: 'A', message: '{{user}}' } };
    const named = await fileOf({ import: 'login.a2a', agent: 'A', requests: [{ name: 'a', message: '{{greeting}}' }] }, files, {
      names: ['user'],
    });
    const values = new Map([['user', { value: 'bob', source: 'option' as const, literal: true }]]);
    assert.deepEqual((await sent(named, 'a', values)).what, ['A: hello bob @ context 1']);
    assert.deepEqual(problemsOf(await fileOf({ import: 'over.a2a', agent: 'A', message: '{{user}}' }, files)), [
      'unknown-name: Unknown variable or request "user".',
    ]);
  });

  const wrong: readonly (readonly [content: unknown, files: Files, problem: RegExp])[] = [
    [{ import: 'no.a2a' }, {}, /^bad-import: The file no\.a2a cannot be read: ENOENT$/],
    [
      { import: 'b.a2a' },
      { 'b.a2a': { import: 'main.a2a', agent: 'A', message: 'x' } },
      /^bad-import: b\.a2a, line 1: These files import each other in a circle: main\.a2a → b\.a2a → main\.a2a\.$/,
    ],
    [{ import: 'main.a2a' }, {}, /^bad-import: These files import each other in a circle: main\.a2a → main\.a2a\.$/],
    [{ import: 'b.a2a' }, { 'b.a2a': '{\n"agent": ' }, /^bad-import: b\.a2a, line 2: /],
    [{ import: 'b.a2a' }, { 'b.a2a': { agent: 'A', message: '{{nothing}}' } }, /^bad-import: b\.a2a, line 1: Unknown variable or request/],
    [{ import: 3 }, {}, /^wrong-type: "import" must be text or a list, not a number\.$/],
    [{ import: [] }, {}, /^empty: /],
    [
      { import: Array.from({ length: 52 }, (_, index) => `f${index}.a2a`) },
      Object.fromEntries(Array.from({ length: 52 }, (_, index) => [`f${index}.a2a`, { agent: 'A', message: 'x' }])),
      /^bad-import: More than 50 files are imported\.$/,
    ],
    [
      { import: 'f0.a2a' },
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}.a2a`, { import: `f${at + 1}.a2a`, agent: 'A', message: 'x' }])),
      /^bad-import: f0\.a2a, line 1: (?:f\d\.a2a, line 1: )+The imports form a chain of more than 8 files\.$/,
    ],
    [
      { import: ['login.a2a', 'other.a2a'] },
      { 'login.a2a': login, 'other.a2a': { agent: 'A', message: 'x', variables: { user: 1 } } },
      /^name-twice: "user" is defined in login\.a2a and in other\.a2a\. The first definition applies\.$/,
    ],
  ];
  for (const [content, files, problem] of wrong) {
    test(`what is wrong is told at the path: ${String(problem).slice(0, 80)}`, async () => {
      const file = await fileOf({ agent: 'A', message: '{{anything}}', ...(content as object) }, files);
      const found = problemsOf(file).filter(one => !one.startsWith('unknown-name'));
      assert.match(found[0] ?? '', problem);
    });
  }

  test('as long as a file is not read, names are not called unknown; once it is, they are', async () => {
    const content = { import: 'login.a2a', agent: 'A', requests: [{ name: 'a', after: 'loginn', message: '{{usr}}' }] };
    assert.deepEqual(problemsOf(readRequestFile(textOf(content))), []);
    assert.deepEqual(problemsOf(await fileOf(content, { 'login.a2a': login })), [
      'unknown-request: No request of this file is called "loginn". Did you mean "login"?',
      'unknown-name: Unknown variable or request "usr". Did you mean "user"?',
    ]);
    assert.deepEqual(
      problemsOf(await fileOf({ ...content, requests: [{ agent: 'A', message: '{{login.tsk}}' }] }, { 'login.a2a': login })),
      ['unknown-result: The result of "login" has no .tsk. It has: task, message, context, state, value.'],
    );
  });

  test('fences of Markdown import, and can be imported', async () => {
    const text = '```a2a\n{ "import": "login.md", "agent": "A" }\n```\n\n```a2a\n{ "name": "a", "message": "{{login.task.id}}" }\n```\n';
    const file = await fileOf(
      text,
      { 'login.md': '# In\n```a2a\n{ "name": "login", "agent": "L", "message": "in" }\n```\n' },
      { markdown: true },
    );
    assert.deepEqual(problemsOf(file), []);
    assert.deepEqual((await sent(file, 'a')).what, ['L: in @ context 1', 'A: t1 @ context 2']);
  });

  suite('in the editor', () => {
    const text = JSON.stringify({
      import: 'login.a2a',
      agent: 'A',
      requests: [
        { name: 'a', after: 'login', message: '{{user}} {{}}' },
        { name: 'b', after: '', message: '{{login.task.id}} {{token}}' },
      ],
    });
    let file: RequestFile;
    setup(async () => (file = await fileOf(text, { 'login.a2a': login })));
    const at = (words: string): number => text.indexOf(words) + 2;

    test('names are offered, shown and found', () => {
      const offered = completions(file, at('{{}}'), emptyLanguageContext).map(({ label, detail }) => `${label} ${String(detail)}`);
      for (const one of ['user login.a2a', 'login login.a2a', 'token login.a2a']) assert.ok(offered.includes(one), offered.join('\n'));
      assert.deepEqual(
        completions(file, text.indexOf('"after":""') + 9, emptyLanguageContext).map(({ label }) => label),
        ['a', 'first', 'login', 'more', 'never'],
      );
      assert.deepEqual(
        completions(file, text.indexOf('.task.id}}') + 6, emptyLanguageContext)
          .map(({ label }) => label)
          .includes('login.task.id'),
        true,
      );
      const shown = hover(file, at('{{user'), emptyLanguageContext);
      assert.deepEqual([shown?.facts.map(english), shown?.value], [['Variable user, from this file.', 'From login.a2a.'], 'ann']);
      assert.match(
        hover(file, at('{{login.'), emptyLanguageContext)?.facts.map(english).join(' ') ?? '',
        /no result yet\. From login\.a2a/,
      );
      const source = textOf(login);
      const targets = ['{{user', '"login","mess', '{{login.', '{{token'].map(
        words =>
          definitions(file, at(words), emptyLanguageContext).map(
            ({ path, range }) => `${path} ${source.slice(range.offset, range.offset + range.length)}`,
          )[0],
      );
      const path = resolve(root, 'login.a2a');
      assert.deepEqual(targets, [`${path} user`, `${path} login`, `${path} login`, `${path} token`]);
      assert.deepEqual(
        tokens(file)
          .filter(({ kind }) => ['variable', 'request', 'unknown'].includes(kind))
          .map(({ kind }) => kind),
        ['variable', 'request', 'variable'],
      );
    });

    test('a name is renamed where it is given, and the files that import it follow', async () => {
      assert.throws(() => renamable(file, at('{{user')), { message: '"user" is defined in login.a2a. Rename it there.' });
      const home = readRequestFile(textOf(login));
      assert.equal(rename(home, textOf(login).indexOf('"login"') + 1, 'enter').length, 3);
      const path = resolve(root, 'login.a2a');
      const follow = (from: string, to: string, where = path) => renameImported(file, { from, to, path: where, shown: 'main.a2a' });
      assert.deepEqual(
        follow('login', 'enter').map(({ range }) => text.slice(range.offset - 2, range.offset + range.length)),
        [':"login', '{{login'],
      );
      assert.equal(follow('user', 'who').length, 1);
      assert.deepEqual(follow('user', 'who', resolve(root, 'another.a2a')), []);
      assert.throws(() => follow('user', 'b'), { message: 'In main.a2a, which uses it, something else is already called "b".' });
      const own = await fileOf({ import: 'login.a2a', agent: 'A', message: '{{user}}', variables: { user: 1 } }, { 'login.a2a': login });
      assert.deepEqual(renameImported(own, { from: 'user', to: 'who', path, shown: 'main.a2a' }), []);
    });
  });
});
