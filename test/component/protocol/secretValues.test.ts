import * as assert from 'node:assert/strict';
import { mask, SecretValues } from '../../../src/protocol/secrets/secretValues.ts';

/** With what every encoding writes in another way. */
const canary = 'c4n/+a r"y&<ü\\?~7';

const eachOf = (text: string, write: (character: string, index: number) => string): string => [...text].map(write).join('');
const percents = (text: string): string => [...Buffer.from(text)].map(byte => `%${byte.toString(16)}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const masking = (...values: readonly unknown[]): SecretValues => {
  const secrets = new SecretValues();
  secrets.add(values);
  return secrets;
};

suite('secret values', () => {
  const encodings: Readonly<Record<string, (text: string) => string>> = {
    'as it is': text => text,
    JSON: text => JSON.stringify({ text }),
    'JSON in JSON': text => JSON.stringify(JSON.stringify({ text })),
    'JSON in ASCII': text => JSON.stringify(text).replaceAll('ü', '\\u00fc'),
    'JSON in ASCII, upper case': text => JSON.stringify(text).replaceAll('ü', '\\u00FC'),
    'JSON with escaped slashes': text => JSON.stringify(text).replaceAll('/', '\\/'),
    'a part of a URL': text => `https://a.example/?q=${encodeURIComponent(text)}&x`,
    'a part of a URL in lower case': text => encodeURIComponent(text).replaceAll(/%../g, code => code.toLowerCase()),
    'a URL': encodeURI,
    'a form': text => new URLSearchParams({ text }).toString(),
    XML: text => `<a b="${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"/>`,
    base64: text => Buffer.from(text).toString('base64'),
    'base64 for URLs': text => Buffer.from(text).toString('base64url'),
    'a URL with every character encoded': percents,
    'a URL with some characters encoded that need not be': text =>
      eachOf(text, (character, index) => (index % 3 === 1 ? percents(character) : encodeURIComponent(character))),
    'a URL in a URL': text => encodeURIComponent(encodeURIComponent(text)),
    'a URL in a URL in a URL, in lower case': text => encodeURIComponent(encodeURIComponent(percents(text))),
    'a URL in Latin-1': text => eachOf(text, character => (character === 'ü' ? '%FC' : encodeURIComponent(character))),
    'JSON with every character escaped': text => eachOf(text, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'JSON with some characters escaped': text =>
      eachOf(text, (character, index) =>
        index % 2 === 1 ? `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}` : JSON.stringify(character).slice(1, -1),
      ),
    'JSON with every character escaped, in JSON': text =>
      JSON.stringify(eachOf(text, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)),
    JavaScript: text => eachOf(text, character => (/\w/.test(character) ? character : `\\x${character.charCodeAt(0).toString(16)}`)),
    'references to characters': text => eachOf(text, character => `&#${character.charCodeAt(0)};`),
    'references to characters in hexadecimal digits': text => eachOf(text, character => `&#x${character.charCodeAt(0).toString(16)};`),
    'a page in a page': text => eachOf(text, character => `&amp;#x${character.charCodeAt(0).toString(16)};`),
    'upper case': text => text.toUpperCase(),
    'hexadecimal digits': text => Buffer.from(text).toString('hex'),
    'hexadecimal digits in upper case': text => Buffer.from(text).toString('hex').toUpperCase(),
    'base64 in a URL': text => encodeURIComponent(base64(`${text}??`)),
    ...Object.fromEntries(
      [0, 1, 2].flatMap(inner =>
        [0, 1, 2].map(outer => [
          `base64 behind ${inner} bytes, in base64 behind ${outer}`,
          (text: string) => base64(`${'u'.repeat(outer)}${base64(`${'u'.repeat(inner)}${text}tail`)}`),
        ]),
      ),
    ),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5].map(count => [
        `base64 behind ${count} bytes`,
        (text: string) => Buffer.from(`${'u'.repeat(count)}${text}tail`).toString('base64'),
      ]),
    ),
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

  test('what it is in stays, and so does what only has escapes', () => {
    assert.equal(masking(canary).mask(`%20${percents(canary)}%20\\u0063 &amp; %2`), `%20${mask}%20\\u0063 &amp; %2`);
    assert.equal(masking('%41bcdefg').mask('%41bcdefg Abcdefg %2541bcdefg'), `${mask} ${mask} ${mask}`);
  });

  test('a short value in other case is another value', () => assert.equal(masking('wXyz').mask('wXyz wxyz'), `${mask} wxyz`));

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
      ['"abcdefgh…', `"${mask}…`],
      ['x …ijklmnop y', `x …${mask} y`],
      ['abcdef…', `${mask}…`],
      ['the …', 'the …'],
      ['tab…', 'tab…'],
      ['abcdefgh…mnop', `${mask}…${mask}`],
    ] as const)
      assert.equal(secrets.mask(text), shown, text);
  });

  test('the longest value first', () => {
    assert.equal(masking('token', 'token-of-mine').mask('a token-of-mine, a token'), `a ${mask}, a ${mask}`);
  });

  test('JSON keeps its shape', () => {
    const secrets = masking('text', 'canary-7', 4711);
    assert.deepEqual(secrets.maskIn({ text: 'some text', data: [4711, 12, null, true, 'canary-7'], 'canary-7': 1 }), {
      text: `some ${mask}`,
      data: [mask, 12, null, true, mask],
      [mask]: 1,
    });
  });

  test('header values, and the credential in them', () => {
    const secrets = new SecretValues();
    secrets.addHeader('Authorization', 'Bearer canary-of-bearer');
    secrets.addHeader('Proxy-Authorization', `Basic ${Buffer.from('ann:password-7').toString('base64')}`);
    secrets.addHeader('Cookie', 'session=canary-of-cookie; theme=dark');
    secrets.addHeader('X-Key', 'canary-of-key');
    secrets.addHeader('Accept-Language', 'zh-Hans');
    assert.equal(
      secrets.mask('canary-of-bearer password-7 canary-of-cookie canary-of-key zh-Hans Bearer'),
      `${mask} ${mask} ${mask} ${mask} zh-Hans Bearer`,
    );
  });

  test('as many as a file has, in time that does not grow with them', () => {
    const secrets = new SecretValues();
    for (let index = 0; index < 12_000; index++) secrets.add(`value-number-${index}`);
    assert.equal(secrets.mask('value-number-9999 value-number-0 value-number-11999'), `${mask} ${mask} ${mask}9`);
    for (const text of ['%25'.repeat(100_000), '\\'.repeat(100_000), '&'.repeat(100_000), '…'.repeat(1000), ' '.repeat(100_000)])
      assert.equal(secrets.mask(text), text);
  });

  test('how much of a text may be the beginning of one', () => {
    const secrets = masking('abcdef');
    assert.deepEqual(
      ['x abc', 'x abcdef', 'xyz'].map(text => secrets.pendingIn(text)),
      [3, 0, 0],
    );
    assert.deepEqual(
      ['x %61b', 'x a%6', 'x \\u0061&#x6', 'x %', 'x b%6'].map(text => secrets.pendingIn(text)),
      [4, 3, 10, 1, 2],
    );
  });

  test('headers of settings: all but names of agents, and what may be any word where nothing says that it is a credential', () => {
    const values = new SecretValues();
    values.addConfigured(
      {
        Authorization: 'Bearer word',
        'X-Key': '4711',
        'X-Tenant': 'acmeinc',
        'X-Number': '1234567',
        'X-Long': 'acmeinc-of',
        'X-Word': 'acmesons',
        'X-Digits': '87654321',
        'X-Token': 'Ann-Agent',
        Accept: 'text/lines',
      },
      name => name === 'Ann-Agent',
    );
    assert.equal(
      values.mask('word 4711 acmeinc. 1234567 acmeinc-of acmesons 87654321 Ann-Agent text/lines'),
      '•••••• •••••• acmeinc. 1234567 •••••• •••••• •••••• Ann-Agent text/lines',
    );
  });

  test('eight characters are found in other case and in digits, seven are not', () => {
    const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();
    assert.equal(masking('wXyZ-12q').mask(`WxYz-12Q ${hex('wXyZ-12q')}`), `${mask} ${mask}`);
    const short = `WxYz-12 ${hex('wXyZ-12')}`;
    assert.equal(masking('wXyZ-12').mask(short), short);
  });

  test('the ten-thousandth value is masked and none after it; what is too short for a value takes no place', () => {
    const secrets = new SecretValues();
    for (let index = 0; index < 10_000; index++) secrets.add(`${index % 1000}`.slice(0, 3));
    for (let index = 0; index < 10_001; index++) secrets.add(`no-${String(index).padStart(5, '0')}`);
    assert.equal(secrets.mask('no-09999 no-10000'), `${mask} no-10000`);
  });

  test('one value alone is masked in JSON, also beside what is no value', () => {
    assert.deepEqual(masking('canary-7').maskIn({ text: 'a canary-7' }), { text: `a ${mask}` });
    assert.deepEqual(masking(null, true, { none: null, text: 'canary-7' }).maskIn(['canary-7', null, true]), [mask, null, true]);
  });

  test('the scheme of a header before an ellipsis is no part of its credential', () => {
    const secrets = new SecretValues();
    secrets.addHeader('Authorization', 'Bearer c4nary-of-a-header');
    assert.equal(secrets.mask('Sent as "Authorization: Bearer …".'), 'Sent as "Authorization: Bearer …".');
    assert.equal(secrets.mask('Sent: Bearer c4nary-o…'), `Sent: ${mask}…`);
  });

  test('beside an ellipsis only what it cut is masked', () => {
    const secrets = masking('abcdefghijklmnop');
    for (const [text, shown] of [
      ['an … and abcdefgh', 'an … and abcdefgh'],
      ['ijklmnop and an …', 'ijklmnop and an …'],
      ['a…ijklmnopabcdefgh…b', `a…${mask}…b`],
      ['a…ijklmnop-abcdefgh…b', `a…${mask}-${mask}…b`],
      ['a…mnopabcd…b', `a…${mask}…b`],
      ['…mnop', `…${mask}`],
      ['…nop', '…nop'],
    ] as const)
      assert.equal(secrets.mask(text), shown, text);
  });

  test('what is behind a scheme, whatever its case; not base64 behind Basic', () => {
    const secrets = new SecretValues();
    secrets.addHeader('Authorization', 'bAsIc not/base64/at-all!');
    secrets.addHeader('X-Other', `BASIC ${Buffer.from('ann:pass:word-7').toString('base64')}`);
    secrets.addHeader('ACCEPT', 'text/canary');
    assert.equal(secrets.mask('not/base64/at-all! pass:word-7 text/canary'), `${mask} ${mask} text/canary`);
  });

  test('names of members that are one word stay, all others do not', () => {
    assert.deepEqual(masking('canary').maskIn({ canary: 1, CANARY: 2, 'my canary': 3 }), { canary: 1, CANARY: 2, [`my ${mask}`]: 3 });
  });
});
