import * as assert from 'node:assert/strict';
import { SentCredentials } from '../../../src/client/wireLog/sentCredentials.ts';

const sent = (headers: Readonly<Record<string, string>>, url = 'http://agent.example/'): SentCredentials =>
  new SentCredentials(new URL(url), Object.entries(headers), new Set(Object.keys(headers).map(name => name.toLowerCase())));

suite('sent credentials', () => {
  for (const [what, headers, text, masked] of [
    ['a token without its scheme', { Authorization: 'Bearer abcd-1234' }, 'no abcd-1234.', 'no ••••••.'],
    ['a scheme stays readable', { Authorization: 'Bearer test' }, 'got "Bearer test"', 'got "Bearer ••••••"'],
    ["a token behind a scheme of nobody's", { Authorization: 'token abcd-1234' }, 'token abcd-1234, abcd-1234.', '••••••, ••••••.'],
    ['a token that is any word', { Authorization: 'Bearer test' }, 'a test of tests', 'a test of tests'],
    ['a short token', { 'X-Api-Key': 'k3y!' }, 'k3y! and ak3y!', '•••••• and ak3y!'],
    ['a key of digits is no part of numbers', { 'X-Api-Key': '12345678' }, '12345678 1234567890', '•••••• 1234567890'],
    [
      'a number stays JSON',
      { 'X-Api-Key': '12345678' },
      '{"a": 12345678, "b": [12345678], "c": "12345678"}',
      '{"a": 0, "b": [0], "c": "••••••"}',
    ],
    ['the name of a member', { Authorization: 'Bearer artifacts' }, '{"artifacts": ["artifacts"]}', '{"artifacts": ["••••••"]}'],
    ['the password of Basic', { Authorization: `Basic ${btoa('ann:s3cret-99')}` }, 'ann:s3cret-99, s3cret-99', '••••••, ••••••'],
    ['each cookie', { Cookie: 'a=first-1; b=second-2' }, 'second-2 first-1', '•••••• ••••••'],
    ['a parameter of the address', {}, 'key=from-the-url', 'key=••••••'],
    ['the longest of several', { 'X-Key': 'abcdefgh-1', 'X-Token': 'abcdefgh-12' }, 'abcdefgh-12 abcdefgh-1', '•••••• ••••••'],
    [
      'a header that may be no credential',
      { 'X-Tenant': 'acme', 'X-Mode': 'production', Accept: 'application/json' },
      'acme production application/json',
      'acme production application/json',
    ],
    ['what looks like a key under another name', { 'X-Session': 'ab12cd34ef56ab78' }, 'is ab12cd34ef56ab78', 'is ••••••'],
    [
      'an id and an address by that key',
      { 'X-Session': 'ab12cd34ef56ab78' },
      '{"contextId":"ab12cd34ef56ab78","url":"https://a/ab12cd34ef56ab78"}',
      '{"contextId":"ab12cd34ef56ab78","url":"https://a/ab12cd34ef56ab78"}',
    ],
    ['characters of patterns', { 'X-Api-Key': 'a.b*c+d(e)' }, 'a.b*c+d(e) axb*c+d(e)', '•••••• axb*c+d(e)'],
    ['some characters percent-encoded', { 'X-Api-Key': 'abcd-12345' }, 'a%62cd%2D12345 %2561bcd-12345', '•••••• ••••••'],
    [
      'every character escaped',
      { 'X-Api-Key': 'abc-1' },
      String.raw`{"a":"\u0061\u0062\u0063\u002d\u0031","b":"&#97;bc&#x2D;1"}`,
      '{"a":"••••••","b":"••••••"}',
    ],
    ['other case, and digits', { 'X-Api-Key': 'aBcD-eF12' }, 'ABCD-EF12 614263442d65463132', '•••••• ••••••'],
    ['a short token in other case', { 'X-Api-Key': 'k3Y!' }, 'k3y!', 'k3y!'],
    [
      'what would reach beyond a text of JSON',
      { 'X-Api-Key': 'abcdefg"' },
      String.raw`{"a":"abcdefg\\","b":"abcdefg\""}`,
      String.raw`{"a":"abcdefg\\","b":"••••••"}`,
    ],
    [
      "JSON's escapes",
      { 'X-Api-Key': 'a"b\\c/d<e&f' },
      String.raw`a\"b\\c/d<e&f a\"b\\c\/d<e&f a\"b\\c/d\u003ce\u0026f a\"b\\c/d\u003Ce\u0026f`,
      '•••••• •••••• •••••• ••••••',
    ],
  ] as const)
    test(what, () => assert.equal(sent(headers, 'http://agent.example/?api_key=from-the-url').mask(text), masked));

  test('in the parts of one answer, in which no more than those is looked at', () => {
    const credentials = sent({ 'X-Api-Key': 'abcd-"1234' });
    const answer = (...texts: readonly string[]): string =>
      JSON.stringify({ result: { message: { parts: texts.map(text => ({ text, mediaType: 'text/plain' })) } } });
    assert.equal(credentials.maskAnswer(answer('is abc', 'd-"12', '34.', 'abcd')), answer('is ••••••', '', '.', 'abcd'));
    assert.equal(credentials.maskAnswer(answer('is abcd-', 'x"1234')), answer('is abcd-', 'x"1234'));
    assert.equal(
      credentials.maskAnswer('no JSON: abcd-"1234, {"text": "abcd-, "text": ""1234"'),
      'no JSON: ••••••, {"text": "abcd-, "text": ""1234"',
    );
  });

  test('in names of headers', () => {
    assert.deepEqual(
      sent({ 'X-Api-Key': 'abcd-1234' }).maskHeaders([
        ['x-abcd-1234', 'a'],
        ['x-b', 'ABCD-1234'],
      ]),
      [
        ['x-••••••', 'a'],
        ['x-b', '••••••'],
      ],
    );
  });

  test('base64 around a token stays base64', () => {
    const token = 'abcdefgh-12345';
    for (const lead of ['', 'x', 'xy', 'xyz']) {
      const masked = sent({ Authorization: `Bearer ${token}` }).mask(Buffer.from(`${lead}${token} and more`).toString('base64'));
      const text = Buffer.from(masked, 'base64').toString();
      assert.match(masked, /^[\w+/]+=*$/);
      assert.ok(text.endsWith(' and more') && text.startsWith(lead), text);
      assert.ok(!text.includes('cdefgh-123'), text);
    }
  });

  test('base64 around base64 of a token stays base64', () => {
    const token = 'abcdefgh-12345';
    for (const lead of ['', 'x', 'xy']) {
      const masked = sent({ Authorization: `Bearer ${token}` }).mask(
        Buffer.from(`${lead}${Buffer.from(`${lead}${token} and more`).toString('base64')}`).toString('base64'),
      );
      assert.match(masked, /^[\w+/]+=*$/);
      const inner = Buffer.from(Buffer.from(masked, 'base64').toString('latin1').slice(lead.length), 'base64').toString('latin1');
      assert.ok(!inner.includes('defgh-12'), inner);
    }
  });

  test('bytes keep their number, whatever they are encoded in', () => {
    assert.equal(
      String(sent({ 'X-Api-Key': 'abc-12345' }).maskBytes(Buffer.from('<a%62c-12345, ü ABC-12345>'))),
      `<${'*'.repeat(11)}, ü ${'*'.repeat(9)}>`,
    );
    assert.equal(String(sent({ 'X-Api-Key': 'abc-ü12345' }).maskBytes(Buffer.from('<abc-ü12345>'))), '<***********>');
    assert.equal(String(sent({ 'X-Api-Key': 'abc-12345' }).maskBytes(Buffer.from('<abc-12345>'))), '<*********>');
  });

  const passwords = (...values: readonly unknown[]): SentCredentials =>
    new SentCredentials(
      new URL('http://agent.example/'),
      [],
      new Set(),
      values.map(value => ({ name: 'pin', value })),
    );
  for (const [what, value, text, masked] of [
    ['a member, however short', 'a', '{"pin":"a","a":"a","b": "a"}', '{"pin":"••••••","a":"a","b": "a"}'],
    [
      'a member that is a number',
      42,
      '{"pin" : 42, "amount": 42, "pins": {"pin":421}}',
      '{"pin" : "••••••", "amount": 42, "pins": {"pin":421}}',
    ],
    ['a member with escapes', 'ä/"<', String.raw`{"pin":"ä\/\"<","x":{"pin":"\u00e4/\"\u003c"}}`, '{"pin":"••••••","x":{"pin":"••••••"}}'],
    [
      'any word, in sentences alone',
      'user',
      '{"role":"user","id":"user-1","text":"The user says user."}',
      '{"role":"user","id":"user-1","text":"The •••••• says ••••••."}',
    ],
    [
      'digits, in sentences alone',
      '1234',
      '{"amount":1234,"list":[1234],"text":"1234, or 12345"}',
      '{"amount":1234,"list":[1234],"text":"••••••, or 12345"}',
    ],
    ['anything else wherever it is', 'Geheim!42', '{"id":"Geheim!42","text":"geheim!42"}', '{"id":"••••••","text":"••••••"}'],
  ] as const)
    test(`a password: ${what}`, () => assert.equal(passwords(value).mask(text), masked));

  test('a password in the bytes of a message', () => {
    const bytes = Buffer.concat([Buffer.from('aa'), Uint8Array.of(0x1a, 1), Buffer.from('a'), Buffer.from('a')]);
    assert.deepEqual(
      passwords('a').maskBytes(bytes),
      Buffer.concat([Buffer.from('aa'), Uint8Array.of(0x1a, 1), Buffer.from('*'), Buffer.from('a')]),
    );
  });

  test('without credentials everything stays the same object', () => {
    const frames = [{ seq: 0, at: 0, data: '{}' }];
    assert.equal(sent({}).maskFrames(frames), frames);
    assert.equal(sent({ Authorization: 'Bearer abcdefgh' }).maskFrames(frames)[0], frames[0]);
  });
});
