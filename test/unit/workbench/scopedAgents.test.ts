import * as assert from 'node:assert/strict';
import {
  type AgentFolder,
  agentsIn,
  type EntryNamer,
  removablePlacesOf,
  type RemovedAgent,
  scopedAgents,
  windowAgents,
  windowNameOf,
  withAgentRestored,
  withAgentRenamed,
} from '../../../src/workbench/platform/scopedAgents.ts';

const trusted = { trusted: true };
const untrusted = { trusted: false };

suite('agents of several settings', () => {
  const mine = { url: 'https://mine.example', headers: { Authorization: 'Bearer secret' } };
  const theirs = { url: 'https://evil.example' };

  test('an agent comes whole from the strongest scope: a workspace cannot redirect the headers of the user', () => {
    const agents = scopedAgents({ globalValue: { Ann: mine, Bob: { url: 'http://b' } }, workspaceValue: { Ann: theirs } }, trusted);
    assert.deepEqual(
      [...agents],
      [
        ['Ann', { scope: 'workspace', value: theirs }],
        ['Bob', { scope: 'user', value: { url: 'http://b' } }],
      ],
    );
  });

  test('folder beats workspace beats user beats default', () => {
    const inspected = { defaultValue: { A: 1 }, globalValue: { A: 2 }, workspaceValue: { A: 3 }, workspaceFolderValue: { A: 4 } };
    assert.deepEqual(scopedAgents(inspected, trusted).get('A'), { scope: 'folder', value: 4 });
    assert.deepEqual(scopedAgents({ ...inspected, workspaceFolderValue: undefined }, trusted).get('A'), { scope: 'workspace', value: 3 });
    assert.deepEqual(scopedAgents(inspected, untrusted).get('A'), { scope: 'user', value: 2 });
  });

  test('nothing of an untrusted workspace counts', () => {
    const agents = scopedAgents(
      { globalValue: { Ann: mine }, workspaceValue: { Ann: theirs, New: theirs }, workspaceFolderValue: { Ann: theirs } },
      untrusted,
    );
    assert.deepEqual([...agents], [['Ann', { scope: 'user', value: mine }]]);
    assert.deepEqual(removablePlacesOf({ workspaceValue: { New: theirs } }, 'New', untrusted), []);
  });

  test('a setting that is no object has no agents', () => {
    for (const globalValue of [undefined, null, 'x', 3]) assert.equal(scopedAgents({ globalValue }, trusted).size, 0);
  });

  test('names that objects have by themselves are names like any other', () => {
    const inspected = { globalValue: JSON.parse('{"__proto__":{"url":"http://a"},"constructor":{"url":"http://b"}}') as unknown };
    assert.deepEqual([...scopedAgents(inspected, trusted).keys()], ['__proto__', 'constructor']);
    assert.equal(scopedAgents({ globalValue: {} }, trusted).has('constructor'), false);
  });

  test('what is removed goes back to its place, its unknown members too', () => {
    const user = { Ann: { url: 'http://a' }, Bob: { url: 'http://b', note: 'unknown' }, Cid: { url: 'http://c' } };
    const inspected = { globalValue: user, workspaceValue: { Bob: theirs } };
    const places = removablePlacesOf(inspected, 'Bob', trusted);
    assert.deepEqual(
      places.map(({ scope, position }) => [scope, position]),
      [
        ['workspace', 0],
        ['user', 1],
      ],
    );
    const left = new Map(agentsIn(inspected, 'user'));
    left.delete('Bob');
    assert.deepEqual([...withAgentRestored(left, places[1] as RemovedAgent)], Object.entries(user));
  });

  test('a renamed agent keeps its place', () => {
    const renamed = withAgentRenamed(agentsIn({ globalValue: { Ann: 1, Bob: 2, Cid: 3 } }, 'user'), 'Bob', 'Eve');
    assert.deepEqual(
      [...renamed],
      [
        ['Ann', 1],
        ['Eve', 2],
        ['Cid', 3],
      ],
    );
  });
});

suite('agents of a workspace with several folders', () => {
  const folder = (name: string, value: unknown): AgentFolder => ({ key: `file:///${name}`, name, value });
  const api = { url: 'http://api' };
  const web = { url: 'http://web' };

  test("each folder's agents are there; one name for two agents goes with the folder's", () => {
    const folders = [folder('api', { Local: api, Api: api }), folder('web', { Local: web })];
    const agents = windowAgents({ globalValue: { Ann: { url: 'http://a' } } }, folders, trusted);
    assert.deepEqual(
      [...agents].map(([name, { scope, folder: where, value }]) => [name, scope, where, value]),
      [
        ['Ann', 'user', undefined, { url: 'http://a' }],
        ['Local (api)', 'folder', 'file:///api', api],
        ['Api', 'folder', 'file:///api', api],
        ['Local (web)', 'folder', 'file:///web', web],
      ],
    );
    const meant = (where: string | undefined, name: string): string => windowNameOf(agents, folders, where, name);
    assert.deepEqual(
      [
        meant('file:///api', 'Local'),
        meant('file:///web', 'Local'),
        meant('file:///web', 'Api'),
        meant('file:///web', 'Ann'),
        meant(undefined, 'Local'),
      ],
      ['Local (api)', 'Local (web)', 'Api', 'Ann', 'Local'],
    );
  });

  test("a folder's agent comes before the workspace's and the user's of that name, for its own files alone", () => {
    const folders = [folder('api', { Ann: api }), folder('web', {})];
    const agents = windowAgents({ globalValue: { Ann: { url: 'http://user' } }, workspaceValue: { Ann: web } }, folders, trusted);
    assert.deepEqual(
      [...agents].map(([name, { scope }]) => [name, scope]),
      [
        ['Ann', 'workspace'],
        ['Ann (api)', 'folder'],
      ],
    );
    assert.deepEqual(
      ['file:///api', 'file:///web', undefined].map(where => windowNameOf(agents, folders, where, 'Ann')),
      ['Ann (api)', 'Ann', 'Ann'],
    );
  });

  test('the same entry in two places is one agent', () => {
    const folders = [folder('one', { Ann: api }), folder('two', { Ann: { ...api } })];
    const agents = windowAgents({}, folders, trusted);
    assert.deepEqual([...agents.keys()], ['Ann']);
    assert.equal(windowNameOf(agents, folders, 'file:///two', 'Ann'), 'Ann');
  });

  test('folders of the same name do not hide each other', () => {
    const folders = [
      { ...folder('app', { Ann: api }), key: 'file:///1' },
      { ...folder('app', { Ann: web }), key: 'file:///2' },
    ];
    const agents = windowAgents({}, folders, trusted);
    assert.deepEqual([...agents.keys()], ['Ann (app)', 'Ann (app) 2']);
    assert.equal(windowNameOf(agents, folders, 'file:///2', 'Ann'), 'Ann (app) 2');
  });

  /** As the history names them where it knows the person's Ann. */
  const known: EntryNamer = ({ scope, folder, name, value }) =>
    scope === 'user' || name !== 'Ann' || (value as { url: string }).url === 'http://user' ? name : `${name} (${folder?.name ?? 'repo'})`;

  test("a workspace's agent that is another one than the history has goes by another name, and files mean it by its own", () => {
    const asked: string[] = [];
    const agents = windowAgents(
      { globalValue: { Ann: { url: 'http://user' } }, workspaceValue: { Ann: web, Bob: api } },
      [],
      trusted,
      entry => {
        asked.push(`${entry.scope} ${entry.name}`);
        return known(entry);
      },
    );
    assert.deepEqual(
      [...agents].map(([name, { scope, name: own }]) => [name, scope, own]),
      [
        ['Ann (repo)', 'workspace', 'Ann'],
        ['Bob', 'workspace', 'Bob'],
      ],
    );
    assert.deepEqual(
      ['Ann', 'Ann (repo)', 'Bob', 'Nobody'].map(name => windowNameOf(agents, [], undefined, name)),
      ['Ann (repo)', 'Ann (repo)', 'Bob', 'Nobody'],
    );
    // The person's own first: it holds its name.
    assert.equal(asked[0], 'user Ann');
  });

  test("a workspace that gives the person's agent other headers has that agent", () => {
    const value = { url: 'http://user', headers: { 'X-Team': 'a' } };
    const agents = windowAgents({ globalValue: { Ann: { url: 'http://user' } }, workspaceValue: { Ann: value } }, [], trusted, known);
    assert.deepEqual([...agents], [['Ann', { scope: 'workspace', name: 'Ann', value }]]);
  });

  test("a folder's agent alone in the window that is another one than the history has", () => {
    const folders = [folder('api', { Ann: api }), folder('web', {})];
    const agents = windowAgents({}, folders, trusted, known);
    assert.deepEqual(
      [...agents].map(([name, { name: own }]) => [name, own]),
      [['Ann (api)', 'Ann']],
    );
    assert.deepEqual(
      ['file:///api', 'file:///web', undefined].map(where => windowNameOf(agents, folders, where, 'Ann')),
      ['Ann (api)', 'Ann (api)', 'Ann (api)'],
    );
  });

  test("nothing of an untrusted workspace's folders counts", () => {
    assert.deepEqual([...windowAgents({}, [folder('api', { Local: api })], untrusted).keys()], []);
  });
});
