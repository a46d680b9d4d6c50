import * as assert from 'node:assert/strict';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { defaultsProblems, readDefaults } from '../../../src/request/check/folderDefaults.ts';
import { readEnvironments } from '../../../src/request/environment/environments.ts';
import { environmentHeaders, withEnvironment } from '../../../src/request/file/environmentHeaders.ts';
import { previewRequest } from '../../../src/request/resolve/preview.ts';
import type { UsedValue } from '../../../src/request/resolve/usedValues.ts';
import { membersOf } from '../../../src/request/text/jsonNode.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { problemsInContext } from '../../../src/request/language/contextProblems.ts';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import type { Scope } from '../../../src/request/resolve/fill.ts';
import { resolveAgent, resolveHeaders, resolveInterface, resolveTimeout } from '../../../src/request/resolve/resolve.ts';
import { covered, marked } from '../../support/request/marked.ts';

/** A request file below folders with defaults, nearest first. */
function below(folders: readonly object[], file: object): RequestFile {
  const defaults = readDefaults(
    folders.map((value, index) => ({ path: `${'up/'.repeat(index)}a2a.defaults.json`, text: JSON.stringify(value) })),
  );
  assert.deepEqual(defaults.problems, []);
  return readRequestFile(JSON.stringify(file), { defaults });
}

const scope = (file: RequestFile): Scope => ({
  file,
  result: () => undefined,
  functions: {
    now: () => new Date(0),
    uuid: () => 'u',
    sources: {
      env: name => `env-${name}`,
      secret: async name => `secret-${name}`,
      prompt: async () => undefined,
      file: async () => ({ name: '', bytes: new Uint8Array() }),
    },
  },
});

async function settingsOf(file: RequestFile, index = 0) {
  const entry = file.requests[index]!;
  return {
    agent: await resolveAgent(entry, scope(file)),
    interface: resolveInterface(entry),
    headers: await resolveHeaders(entry, scope(file)),
    auth: entry.auth?.value,
    timeoutMs: resolveTimeout(entry),
  };
}

const all = { agent: 'far', interface: 'GRPC', headers: { 'X-A': 'far', 'x-far': '{{$secret K}}' }, auth: 'alice', timeoutMs: 1000 };

suite('headers of an environment', () => {
  const environments = readEnvironments([
    { path: 'near.private', private: true, text: '{ "dev": { "headers": { "P": "private {{v}}" } } }' },
    {
      path: 'near',
      private: false,
      text: '{ "dev": { "headers": { "X": "dev", "Y": "dev", "N": "near" } }, "$shared": { "headers": { "S": "{{$secret K}}" } } }',
    },
    {
      path: 'far',
      private: false,
      text: '{ "dev": { "headers": { "N": "far", "P": "shared" }, "v": 1 }, "$shared": { "headers": { "X": "shared" } } }',
    },
  ]);
  const given = (name?: string) => environmentHeaders(environments, name, path => path);

  test('are weaker than those of defaults, and these than those of file and request; nearer and private ones are stronger', async () => {
    const defaults = withEnvironment(
      readDefaults([{ path: 'a2a.defaults.json', text: '{ "headers": { "Y": "defaults", "Z": "defaults" } }' }]),
      given('dev'),
    );
    const file = readRequestFile(
      JSON.stringify({
        agent: 'A',
        headers: { Z: 'file' },
        variables: { v: 'V' },
        requests: [{ message: 'x', headers: { x: 'own' } }, { message: 'y' }],
      }),
      { defaults },
    );
    assert.deepEqual(file.problems, []);
    const drawn: UsedValue[] = [];
    const headers = (index: number) => resolveHeaders(file.requests[index]!, { ...scope(file), onUse: one => drawn.push(one) });
    assert.deepEqual(await headers(0), {
      values: { x: 'own', S: 'secret-K', N: 'near', P: 'private V', Y: 'defaults', Z: 'file' },
      secret: ['s', 'p'],
    });
    assert.equal((await headers(1))?.values['X'], 'dev');
    assert.deepEqual(
      drawn.filter(one => one.kind === 'secret' && one.isPrivate === true).map(one => ('value' in one ? one.value : '')),
      ['private V', 'private V'],
    );
    const { headers: shown } = await previewRequest(file.requests[0]!, scope(file));
    assert.deepEqual([(shown as Record<string, string>)['P'], (shown as Record<string, string>)['N']], ['••••••', 'near']);
  });

  test('of no environment are those that all have; an object of headers is no variable', async () => {
    assert.deepEqual(
      given().flatMap(({ node }) => membersOf(node).map(({ name }) => name)),
      ['X', 'S'],
    );
    assert.deepEqual([...environments.values('dev').keys()], ['v']);
    const text = readEnvironments([{ path: 'a', private: false, text: '{ "dev": { "headers": "x" } }' }]);
    assert.deepEqual([[...text.values('dev').keys()], text.headers('dev')], [['headers'], []]);
  });

  test('what is wrong with a template in one is told with its file', () => {
    const file = readRequestFile('{ "agent": "A", "message": "x" }', { defaults: withEnvironment(readDefaults([]), given('dev')) });
    assert.deepEqual(
      file.problems.map(({ sentence: said }) => english(said)),
      ['near.private: Unknown variable or request "v".'],
    );
  });
});

suite('defaults of a folder', () => {
  test('hold for files that do not say otherwise', async () => {
    assert.deepEqual(await settingsOf(below([all], { message: 'x' })), {
      agent: 'far',
      interface: { protocolBinding: 'GRPC' },
      headers: { values: { 'X-A': 'far', 'x-far': 'secret-K' }, secret: ['x-far'] },
      auth: 'alice',
      timeoutMs: 1000,
    });
  });

  test('the nearest folder wins for each key, and the file and the request over it', async () => {
    const near = { agent: 'near', headers: { 'x-a': 'near' } };
    assert.deepEqual(await settingsOf(below([near, all], { requests: [{ message: 'x' }] })), {
      agent: 'near',
      interface: { protocolBinding: 'GRPC' },
      headers: { values: { 'x-a': 'near', 'x-far': 'secret-K' }, secret: ['x-far'] },
      auth: 'alice',
      timeoutMs: 1000,
    });
    const own = { agent: 'own', interface: '1.0', auth: 'none', timeoutMs: 5, headers: { 'x-a': 'file', 'X-FAR': 'plain' } };
    assert.deepEqual(await settingsOf(below([near, all], { ...own, requests: [{ message: 'x', headers: { 'x-a': 'request' } }] })), {
      agent: 'own',
      interface: { protocolVersion: '1.0' },
      headers: { values: { 'x-a': 'request', 'X-FAR': 'plain' }, secret: [] },
      auth: 'none',
      timeoutMs: 5,
    });
  });

  test('a request alone in its file takes them, too', async () => {
    assert.equal((await settingsOf(below([all], { agent: 'own', message: 'x' }))).agent, 'own');
    assert.deepEqual(below([all], { message: 'x' }).problems, []);
  });

  test('their templates name variables and requests of the file', async () => {
    const file = below([{ agent: '{{where}}', headers: { 'x-id': '{{login.task.id}}' } }], {
      variables: { where: 'A' },
      requests: [
        { name: 'login', agent: 'L', headers: {}, message: 'x' },
        { name: 'b', message: 'y' },
      ],
    });
    // A request whose header it would be itself is a circle, as it is for headers of a file.
    assert.deepEqual(
      file.problems.map(({ code }) => code),
      ['circle'],
    );
    assert.equal(
      (await settingsOf(below([{ agent: '{{where}}' }], { variables: { where: 'A' }, requests: [{ message: 'y' }] }))).agent,
      'A',
    );
  });

  test('a name that no request file has is told once, at its first request, with the file that uses it', () => {
    const file = below([{ agent: '{{nowhere}}' }], { requests: [{ name: 'a', message: 'x' }, { message: 'y' }] });
    assert.deepEqual(
      file.problems.map(({ code, range, sentence }) => [
        code,
        file.text.slice(range.offset, range.offset + range.length),
        english(sentence),
      ]),
      [['unknown-name-in-defaults', '"a"', 'a2a.defaults.json: Unknown variable or request "nowhere".']],
    );
  });

  test('what has no value is told with the file that it stands in', async () => {
    const file = below([{ agent: 'A', headers: { k: '{{v.x}}' } }], { variables: { v: {} }, message: 'x' });
    await assert.rejects(
      resolveHeaders(file.requests[0]!, scope(file)),
      (error: unknown) => error instanceof Problem && english(error.sentence).startsWith('a2a.defaults.json: {{v.x}} has no value'),
    );
  });

  test('an agent of theirs that is not known is no problem of the request file', () => {
    const file = below([{ agent: 'Nobody' }], { message: 'x' });
    const world = { ...emptyLanguageContext, agents: [{ name: 'Ann', url: 'http://x' }] };
    assert.deepEqual(problemsInContext(file, world), []);
  });

  const wrong: readonly (readonly [title: string, text: string, codes: readonly string[]])[] = [
    ['nothing wrong', JSON.stringify(all), []],
    ['empty', '', []],
    ['comments', '{ // x\n"agent": "A", }', []],
    ['an unknown key', '{ «"agnt"»: "A" }', ['unknown-key']],
    ['a key of requests', '{ «"message"»: "A" }', ['unknown-key']],
    ['a wrong type', '{ "timeoutMs": «"5"» }', ['wrong-type']],
    ['too long', '{ "timeoutMs": «86400001» }', ['out-of-range']],
    ['no interface', '{ "interface": «"x y z"» }', ['bad-interface']],
    ['twice', '{ "agent": "A", «"agent"»: "B" }', ['doubled-key']],
    ['no function', '{ "headers": { "a": "«{{$nope}}»" } }', ['unknown-function']],
    ['no object', '«[]»', ['wrong-type']],
    ['not closed', '{ "agent": "A"«»', ['syntax']],
  ];
  for (const [title, source, codes] of wrong) {
    test(`problems: ${title}`, () => {
      const { text, ranges } = marked(source);
      const found = defaultsProblems(text);
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
      if (codes[0] !== 'syntax')
        assert.deepEqual(
          covered(
            text,
            found.map(({ range }) => range),
          ),
          covered(text, ranges),
        );
    });
  }
});
