import * as assert from 'node:assert/strict';
import { agentsIn, placesOf, type RemovedAgent, scopedAgents, withAgentBack, withAgentRenamed } from '../../../src/workbench/scopedAgents.ts';

const trusted = { trusted: true };
const untrusted = { trusted: false };

suite('agents of several settings', () => {
  const mine = { url: 'https://mine.example', headers: { Authorization: 'Bearer secret' } };
  const theirs = { url: 'https://evil.example' };

  test('an agent comes whole from the strongest scope: a workspace cannot redirect the headers of the user', () => {
    const agents = scopedAgents({ globalValue: { Ann: mine, Bob: { url: 'http://b' } }, workspaceValue: { Ann: theirs } }, trusted);
    assert.deepEqual([...agents], [['Ann', { scope: 'workspace', value: theirs }], ['Bob', { scope: 'user', value: { url: 'http://b' } }]]);
  });

  test('folder beats workspace beats user beats default', () => {
    const inspected = { defaultValue: { A: 1 }, globalValue: { A: 2 }, workspaceValue: { A: 3 }, workspaceFolderValue: { A: 4 } };
    assert.deepEqual(scopedAgents(inspected, trusted).get('A'), { scope: 'folder', value: 4 });
    assert.deepEqual(scopedAgents({ ...inspected, workspaceFolderValue: undefined }, trusted).get('A'), { scope: 'workspace', value: 3 });
    assert.deepEqual(scopedAgents(inspected, untrusted).get('A'), { scope: 'user', value: 2 });
  });

  test('nothing of an untrusted workspace counts', () => {
    const agents = scopedAgents({ globalValue: { Ann: mine }, workspaceValue: { Ann: theirs, New: theirs }, workspaceFolderValue: { Ann: theirs } }, untrusted);
    assert.deepEqual([...agents], [['Ann', { scope: 'user', value: mine }]]);
    assert.deepEqual(placesOf({ workspaceValue: { New: theirs } }, 'New', untrusted), []);
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
    const places = placesOf(inspected, 'Bob', trusted);
    assert.deepEqual(places.map(({ scope, position }) => [scope, position]), [['workspace', 0], ['user', 1]]);
    const left = new Map(agentsIn(inspected, 'user'));
    left.delete('Bob');
    assert.deepEqual([...withAgentBack(left, places[1] as RemovedAgent)], Object.entries(user));
  });

  test('a renamed agent keeps its place', () => {
    const renamed = withAgentRenamed(agentsIn({ globalValue: { Ann: 1, Bob: 2, Cid: 3 } }, 'user'), 'Bob', 'Eve');
    assert.deepEqual([...renamed], [['Ann', 1], ['Eve', 2], ['Cid', 3]]);
  });
});
