import * as assert from 'node:assert/strict';
import { mask, SecretValues } from '../../../src/protocol/secretValues.ts';

/** With what every encoding writes in another way. */
const canary = 'c4n/+a r"y&<ü\\?~7';

const masking = (...values: readonly unknown[]): SecretValues => {
  const secrets = new SecretValues();
  secrets.add(values);
  return secrets;
};

suite('secret values', () => {
  const encodings: Readonly<Record<string, (text: string) => string>> = {
    'as it is': text => text,
    'JSON': text => JSON.stringify({ text }),
    'JSON in JSON': text => JSON.stringify(JSON.stringify({ text })),
    'JSON in ASCII': text => JSON.stringify(text).replaceAll('ü', '\\u00fc'),
    'JSON in ASCII, upper case': text => JSON.stringify(text).replaceAll('ü', '\\u00FC'),
    'JSON with escaped slashes': text => JSON.stringify(text).replaceAll('/', '\\/'),
    'a part of a URL': text => `https://a.example/?q=${encodeURIComponent(text)}&x`,
    'a part of a URL in lower case': text => encodeURIComponent(text).replaceAll(/%../g, code => code.toLowerCase()),
    'a URL': encodeURI,
    'a form': text => new URLSearchParams({ text }).toString(),
    'XML': text => `<a b="${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"/>`,
    'base64': text => Buffer.from(text).toString('base64'),
    'base64 for URLs': text => Buffer.from(text).toString('base64url'),
    ...Object.fromEntries([1, 2, 3, 4, 5].map(count => [`base64 behind ${count} bytes`, (text: string) => Buffer.from(`${'u'.repeat(count)}${text}tail`).toString('base64')])),
  };
  for (const [name, encode] of Object.entries(encodings)) {
    test(`found as ${name}`, () => {
      const masked = masking(canary).mask(`before ${encode(canary)} after`);
      assert.ok(masked.includes(mask), masked);
      assert.match(masked, /^before .* after$/s);
      for (const piece of [canary.slice(0, 8), encode(canary)]) assert.ok(!masked.includes(piece), masked);
    });
    test(`without the secret value, nothing is masked as ${name}`, () => {
      const text = `before ${encode('another value')} after`;
      assert.equal(masking(canary).mask(text), text);
    });
  }

  test('from four characters on', () => {
    assert.equal(masking('abc', 'wxyz').mask('abc wxyz'), `abc ${mask}`);
    assert.equal(masking(123, 4711).mask('123 4711'), `123 ${mask}`);
  });

  test('every value of a list or an object, and each line of one that has several', () => {
    const secrets = masking({ one: ['first-secret'], two: { three: 'second line\n  third line' } });
    assert.equal(secrets.mask('first-secret\n+ second line\n+   third line'), `${mask}\n+ ${mask}\n+   ${mask}`);
  });

  test('what an ellipsis left of one', () => {
    const secrets = masking('abcdefghijklmnop');
    for (const [text, shown] of [
      ['"abcdefgh…', `"${mask}…`], ['x …ijklmnop y', `x …${mask} y`], ['abcdef…', `${mask}…`], ['the …', 'the …'], ['tab…', 'tab…'],
      ['abcdefgh…mnop', `${mask}…${mask}`],
    ] as const) assert.equal(secrets.mask(text), shown, text);
  });

  test('the longest value first', () => {
    assert.equal(masking('token', 'token-of-mine').mask('a token-of-mine, a token'), `a ${mask}, a ${mask}`);
  });

  test('JSON keeps its shape', () => {
    const secrets = masking('text', 'canary-7', 4711);
    assert.deepEqual(secrets.maskIn({ text: 'some text', data: [4711, 12, null, true, 'canary-7'], 'canary-7': 1 }),
      { text: `some ${mask}`, data: [mask, 12, null, true, mask], [mask]: 1 });
  });

  test('header values, and the credential in them', () => {
    const secrets = new SecretValues();
    secrets.addHeader('Authorization', 'Bearer canary-of-bearer');
    secrets.addHeader('Proxy-Authorization', `Basic ${Buffer.from('ann:password-7').toString('base64')}`);
    secrets.addHeader('Cookie', 'session=canary-of-cookie; theme=dark');
    secrets.addHeader('X-Key', 'canary-of-key');
    secrets.addHeader('Accept-Language', 'zh-Hans');
    assert.equal(secrets.mask('canary-of-bearer password-7 canary-of-cookie canary-of-key zh-Hans Bearer'), `${mask} ${mask} ${mask} ${mask} zh-Hans Bearer`);
  });

  test('how much of a text may be the beginning of one', () => {
    const secrets = masking('abcdef');
    assert.deepEqual(['x abc', 'x abcdef', 'xyz'].map(text => secrets.pendingIn(text)), [3, 0, 0]);
  });
});
