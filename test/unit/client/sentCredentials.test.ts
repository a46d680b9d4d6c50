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

  test('a credential as long as a header may be is masked, a longer one is not looked for', () => {
    const long = `k-${'ab1'.repeat(5461)}`.slice(0, 16_384);
    for (const [name, value] of [
      ['X-Api-Key', long],
      ['Authorization', `Bearer ${long.slice(7)}`],
    ] as const)
      assert.ok(
        !sent({ [name]: value })
          .mask(`is ${value}.`)
          .includes('ab1'),
      );
    const longer = `${long}z`;
    assert.equal(sent({ 'X-Api-Key': longer }).mask(`is ${longer}.`), `is ${longer}.`);
    const scheme = `Bearer ${longer}`;
    assert.equal(sent({ Authorization: scheme }).mask(`is ${scheme}.`), `is ${scheme}.`);
    assert.equal(sent({ Authorization: 'Bearer abcd-12' }).mask(`is ${scheme}.`), `is ${scheme}.`);
  });

  test('eight characters are found inside of words, in other case and in digits', () => {
    const key = sent({ 'X-Api-Key': 'k3y-abcd' });
    assert.equal(key.mask(`xk3y-ABCDx ${Buffer.from('k3y-abcd').toString('hex').toUpperCase()}`), 'x••••••x ••••••');
    assert.equal(key.mask(Buffer.from('xyk3y-abcdx').toString('base64')).includes('azN5LWFi'), false);
    assert.equal(sent({ 'X-Api-Key': 'k3y-abc' }).mask('xk3y-abcx k3y-ABC k3y-abc'), 'xk3y-abcx k3y-ABC ••••••');
    assert.equal(sent({ 'X-Api-Key': 'abcdefgh' }).mask('abcdefgh abcdefghi'), '•••••• abcdefghi');
  });

  test('what was cut at its end has no beginning of a credential, and other texts stay', () => {
    const credentials = sent({ 'X-Api-Key': 'abcdefgh-12345' });
    assert.equal(credentials.maskCut('is abcdefgh-12345 or abcdefgh-1'), 'is •••••• or ••••••');
    assert.equal(credentials.maskCut('is that'), 'is that');
    assert.equal(sent({}).maskCut('is abcdefgh-1'), 'is abcdefgh-1');
    assert.deepEqual([sent({}).none, credentials.none], [true, false]);
  });

  test('what is a credential for certain, and what may be a name', () => {
    const session = 'ab12cd34ef56ab78';
    const isIn = (headers: Readonly<Record<string, string>>, text: string): boolean => sent(headers).isIn(text);
    assert.equal(isIn({ 'X-Api-Key': 'abcd-1234' }, 'abcd-1234'), true);
    assert.equal(isIn({ Authorization: 'Bearer test' }, 'Bearer test'), true);
    assert.equal(isIn({ 'X-Session': session }, session), false);
    assert.equal(isIn({ 'X-Session': session, 'X-Api-Key': 'abcd-1234' }, `${session} abcd-1234`), true);
    assert.equal(isIn({ 'X-Api-Key': 'abcd-1234' }, 'nothing'), false);
    assert.deepEqual(
      sent({ 'X-Api-Key': 'abcd-1234' })
        .spansIn('is abcd-1234, %61bcd-1234')
        .map(({ from, to }) => [from, to]),
      [
        [3, 12],
        [14, 25],
      ],
    );
  });

  test('a credential is masked in ids and addresses, a key under another name is not', () => {
    const text = '{"contextId":"abcd-1234efgh-5678","url":"https://a/abcd-1234efgh-5678","also":"abcd-1234efgh-5678"}';
    assert.equal(sent({ 'X-Api-Key': 'abcd-1234efgh-5678' }).mask(text), '{"contextId":"••••••","url":"https://a/••••••","also":"••••••"}');
    assert.equal(sent({ 'X-Session': 'abcd-1234efgh-5678' }).mask(text), text.replace('"also":"abcd-1234efgh-5678"', '"also":"••••••"'));
    assert.equal(sent({ Authorization: 'Bearer test' }).mask('{"id":"Bearer test"} Bearer tests'), '{"id":"Bearer ••••••"} Bearer tests');
    const reaching = (length: number): string => `https://a/${'p'.repeat(length - 'https://a/'.length)}abcd-1234efgh-5678`;
    assert.equal(sent({ 'X-Session': 'abcd-1234efgh-5678' }).mask(reaching(2048)), reaching(2048));
    assert.ok(sent({ 'X-Session': 'abcd-1234efgh-5678' }).mask(reaching(2049)).endsWith('••••••'));
  });

  for (const value of ['abcdefghijklmnop', '1234567890123456', 'abc123', 'abc 123 def 456 ghi'])
    test(`under another name ${value} does not look like a key`, () =>
      assert.equal(sent({ 'X-Session': value }).mask(`is ${value}`), `is ${value}`));

  test('each field of a frame, and those alone that have a credential', () => {
    const credentials = sent({ 'X-Api-Key': 'abcd-1234' });
    const frame = { seq: 0, at: 0, data: '{}', id: 'i', event: 'e' };
    assert.equal(credentials.maskFrames([frame])[0], frame);
    for (const field of ['data', 'id', 'event'] as const)
      assert.deepEqual(credentials.maskFrames([{ ...frame, [field]: 'is abcd-1234' }]), [{ ...frame, [field]: 'is ••••••' }]);
    assert.deepEqual(credentials.maskFrames([{ seq: 1, at: 2, data: 'abcd-1234' }]), [{ seq: 1, at: 2, data: '••••••' }]);
  });

  test('a password that may be any word stays in names, addresses and values that are one word', () => {
    for (const text of [
      'a/user and a@user, a.user, a-user',
      'see user/a and user@a, or user-a of them all, whoever that is and whatever they are called',
      '"user"',
      'see https://a.example/?by=user',
      '{"role": "user"}',
      '{"a long name that nothing is like": 1, "user" : 2}',
      'User users auser',
    ])
      assert.equal(passwords('user').mask(text), text);
    assert.equal(passwords('user').mask('user'), '••••••');
    assert.equal(passwords(1234).mask('{"text":"x1234 is 1234 or so","amount": 1234}'), '{"text":"x1234 is •••••• or so","amount": 1234}');
  });

  test('a password that is no word, or a long one, is masked in those as well', () => {
    assert.equal(passwords('Geh!4').mask('{"role":"Geh!4"} a/Geh!4'), '{"role":"••••••"} a/••••••');
    assert.equal(passwords('acmesons').mask('{"role":"acmesons"} a/acmesons'), '{"role":"••••••"} a/••••••');
    assert.equal(passwords(12345678).mask('{"text":"a 12345678"}'), '{"text":"a ••••••"}');
    assert.equal(passwords(true, { a: 1 }).mask('true [object Object]'), 'true [object Object]');
    assert.equal(passwords('Geh!4').isIn('Geh!4'), true);
    assert.equal(passwords('user').isIn('a user'), false);
  });

  test('numbers in JSON stay numbers, alone, in lists and with space around them', () => {
    const key = sent({ 'X-Api-Key': '12345678' });
    for (const [text, masked] of [
      ['12345678', '0'],
      ['[ 12345678 ]', '[ 0 ]'],
      ['{"a": 12345678 , "b":[1, 12345678]}', '{"a": 0 , "b":[1, 0]}'],
      ['{"a": "so: 12345678 it is"}', '{"a": "so: •••••• it is"}'],
    ] as const)
      assert.equal(key.mask(text), masked);
  });

  test("each cookie, and Basic's two halves, with space and several signs in them", () => {
    assert.equal(sent({ Cookie: 'a = first=1 ;b=second-2;third-3' }).mask('first=1 second-2 third-3'), '•••••• •••••• ••••••');
    assert.equal(sent({ Authorization: `basic ${btoa('ann:pa:ss-99')}` }).mask('pa:ss-99'), '••••••');
  });
});
