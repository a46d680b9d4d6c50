import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { readEntry } from '../../../src/workbench/platform/agentEntry.ts';

const words = english;

suite('an entry of a2a.agents', () => {
  test('one that fits is used as it is', () => {
    const settings = {
      url: 'http://a',
      headers: { X: 'y' },
      interface: { protocolVersion: '0.3' },
      extensions: ['urn:e'],
      connectTimeoutMs: 5_000,
      answerTimeoutMs: 1,
      http2: true,
      origins: ['http://b'],
    };
    assert.deepEqual(readEntry('Ann', settings), { settings, warnings: [] });
  });

  const mistakes: readonly (readonly [name: string, value: unknown, said: RegExp, path: readonly string[]])[] = [
    ['Ann', 'http://a', /must be an object/, []],
    ['Ann', null, /must be an object/, []],
    ['Ann', {}, /"url" is missing/, ['url']],
    ['Ann', { url: '' }, /"url" is missing/, ['url']],
    [
      'Ann',
      { url: 'htp:/localhost:9999' },
      /^"htp:\/localhost:9999" does not begin with http:\/\/ or https:\/\/\. Did you mean http:\/\/localhost:9999\?$/,
      ['url'],
    ],
    ['Ann', { url: 7 }, /"url" must be a string/, ['url']],
    ['Ann', { url: 'http://a', headers: 'X: y' }, /"headers" must be an object with string values/, ['headers']],
    ['Ann', { url: 'http://a', headers: { 'X-Key': 7 } }, /"headers\.X-Key" must be a string/, ['headers', 'X-Key']],
    ['Ann', { url: 'http://a', interface: 'JSONRPC' }, /"interface" must be an object/, ['interface']],
    [
      'Ann',
      { url: 'http://a', interface: { protocolVersion: 1 } },
      /"interface\.protocolVersion" must be a string/,
      ['interface', 'protocolVersion'],
    ],
    ['Ann', { url: 'http://a', origins: 'http://b' }, /"origins" must be a list of strings/, ['origins']],
    [
      'Ann',
      { url: 'http://a', connectTimeoutMs: 0 },
      /"connectTimeoutMs" must be a whole number of milliseconds from 1/,
      ['connectTimeoutMs'],
    ],
    ['Ann', { url: 'http://a', answerTimeoutMs: '5' }, /"answerTimeoutMs" must be a whole number/, ['answerTimeoutMs']],
    ['Ann', { url: 'http://a', http2: 1 }, /"http2" must be true or false/, ['http2']],
    ['Ann', { url: 'http://a', extensions: [1] }, /"extensions\.0" must be a string/, ['extensions', '0']],
    ['', { url: 'http://a' }, /needs a non-empty name/, []],
    [' ', { url: 'http://a' }, /needs a non-empty name/, []],
  ];
  for (const [name, value, said, path] of mistakes) {
    test(`${JSON.stringify(name)}: ${JSON.stringify(value)} is a mistake that is told`, () => {
      const read = readEntry(name, value);
      assert.ok(read.mistake !== undefined);
      assert.match(words(read.mistake), said);
      assert.deepEqual(read.path, path);
    });
  }

  test('members that nobody reads are warned of, and the entry is used all the same', () => {
    const { settings, warnings } = readEntry('Ann', {
      url: 'http://a',
      header: { X: 'y' },
      zzzzzz: 1,
      interface: { version: '1.0', protocolversion: '1.0' },
      origins: ['no address', 'http:/b'],
    });
    assert.equal(settings?.url, 'http://a');
    assert.deepEqual(warnings.map(words), [
      '"header" is not a setting of an agent and is ignored. Did you mean "headers"?',
      '"zzzzzz" is not a setting of an agent and is ignored.',
      '"interface.version" is not a setting of an agent and is ignored.',
      '"interface.protocolversion" is not a setting of an agent and is ignored. Did you mean "interface.protocolVersion"?',
      '"no address" in "origins" is not a web address and is ignored.',
      '"http:/b" in "origins" is not a web address and is ignored.',
    ]);
  });

  test("a stranger's entry has no endless list of warnings", () => {
    const value = Object.fromEntries([['url', 'http://a'], ...Array.from({ length: 500 }, (_, index) => [`x${index}`, 1])]);
    assert.equal(readEntry('Ann', value).warnings.length, 20);
  });
});
