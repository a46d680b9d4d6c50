import * as assert from 'node:assert/strict';
import { pythonJson } from '../../../../src/client/card/signatures/pythonJson.ts';
import { signedForms } from '../../../../src/client/card/signatures/signedForms.ts';

/** The card as it was received, canonical: what is signed where no member is left out. */
const canonical = (members: object): string =>
  text(signedForms({ ...members, url: 'u' }).find(({ name }) => /as it was received/.test(name?.template ?? '')));
const text = (form: { readonly bytes: Uint8Array } | undefined): string => Buffer.from(form?.bytes ?? []).toString('utf8');

suite('canonical JSON (RFC 8785)', () => {
  const numbers: readonly (readonly [written: string, canonical: string])[] = [
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['5e-324', '5e-324'],
    ['-5e-324', '-5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740992', '-9007199254740992'],
    ['295147905179352830000', '295147905179352830000'],
    ['9.999999999999997e22', '9.999999999999997e+22'],
    ['1e23', '1e+23'],
    ['1.0000000000000001e23', '1.0000000000000001e+23'],
    ['999999999999999700000', '999999999999999700000'],
    ['1e21', '1e+21'],
    ['9.999999999999997e-7', '9.999999999999997e-7'],
    ['0.000001', '0.000001'],
    ['0.0000001', '1e-7'],
    ['333333333.33333325', '333333333.33333325'],
    ['333333333.3333332', '333333333.3333332'],
    ['-0.0000033333333333333333', '-0.0000033333333333333333'],
    ['1424953923781206.25', '1424953923781206.2'],
    ['4.50', '4.5'],
    ['2e-3', '0.002'],
    ['0.000000000000000000000000001', '1e-27'],
    ['1E30', '1e+30'],
  ];
  for (const [written, expected] of numbers) {
    test(`the number ${written} is ${expected}`, () => {
      assert.equal(canonical(JSON.parse(`{"a":[${written}]}`) as object), `{"a":[${expected}],"url":"u"}`);
    });
  }

  test('members are sorted by UTF-16 code units, in every object, and lists keep their order', () => {
    const members = {
      '\u20ac': 'euro',
      '\r': 'return',
      '\ufb33': 'dalet',
      '1': 'one',
      '\u{1f600}': 'face',
      '\u0080': 'control',
      '\u00f6': 'o',
      '': 'empty',
      a: { c: 1, b: [{ z: 1, y: 2 }, 3] },
    };
    assert.equal(
      canonical(members),
      '{"":"empty","\\r":"return","1":"one","a":{"b":[{"y":2,"z":1},3],"c":1},"url":"u","\u0080":"control","\u00f6":"o","\u20ac":"euro","\u{1f600}":"face","\ufb33":"dalet"}',
    );
  });

  test('texts are escaped no more than they have to be', () => {
    assert.equal(
      canonical({ a: '\u20ac$\u000f\nA\'B"\\"/</script>\u007f\u2028\b\t\f\r\u0000' }),
      '{"a":"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/</script>\u007f\u2028\\b\\t\\f\\r\\u0000","url":"u"}',
    );
    // No normalization of Unicode: two texts that look the same are two.
    assert.notEqual(canonical({ a: '\u00e9' }), canonical({ a: 'e\u0301' }));
  });

  test('a member named __proto__ is a member', () => {
    const canonicalText = canonical(JSON.parse('{"__proto__":{"x":1},"constructor":2}') as object);
    assert.equal(canonicalText, '{"__proto__":{"x":1},"constructor":2,"url":"u"}');
  });
});

suite('JSON of Python', () => {
  const rows: readonly (readonly [value: unknown, floats: string, integers: string])[] = [
    [1, '1.0', '1'],
    [0, '0.0', '0'],
    [-0.5, '-0.5', '-0.5'],
    [1.5, '1.5', '1.5'],
    [100, '100.0', '100'],
    [1e15, '1000000000000000.0', '1000000000000000'],
    [1e16, '1e+16', '1e+16'],
    [1.25e17, '1.25e+17', '1.25e+17'],
    [0.0001, '0.0001', '0.0001'],
    [0.00001, '1e-05', '1e-05'],
    [1.5e-7, '1.5e-07', '1.5e-07'],
    [1e300, '1e+300', '1e+300'],
    [123.456, '123.456', '123.456'],
    ['ä€😀\u007f\n"', '"\\u00e4\\u20ac\\ud83d\\ude00\\u007f\\n\\""', '"\\u00e4\\u20ac\\ud83d\\ude00\\u007f\\n\\""'],
    [{ b: [true, false, null], a: {} }, '{"a":{},"b":[true,false,null]}', '{"a":{},"b":[true,false,null]}'],
    [{ '\u{1f600}': 1, '\ufb33': 2 }, '{"\\ufb33":2.0,"\\ud83d\\ude00":1.0}', '{"\\ufb33":2,"\\ud83d\\ude00":1}'],
  ];
  for (const [value, floats, integers] of rows) {
    test(floats, () => {
      assert.equal(pythonJson(value, true), floats);
      assert.equal(pythonJson(value, false), integers);
    });
  }
});

suite('forms in which cards are signed', () => {
  const card = {
    name: '',
    description: '',
    version: '1',
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
    documentationUrl: '',
    capabilities: { streaming: false, extensions: [] },
    securitySchemes: { certificate: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { certificate: { list: [] } } }],
    defaultInputModes: [],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 's', description: '', tags: [], examples: [] }],
    'x-own': { a: '' },
    signatures: [{ protected: 'x', signature: 'y' }],
  };
  const form = (name: RegExp | undefined): unknown => {
    const found = signedForms(card).find(each => (name === undefined ? each.name === undefined : name.test(each.name?.template ?? '')));
    return JSON.parse(text(found)) as unknown;
  };
  const uncovered = (name: RegExp): readonly string[] =>
    signedForms(card)
      .find(each => name.test(each.name?.template ?? ''))
      ?.uncovered() ?? ['no form'];

  test('the specified one keeps required members and those whose presence says something', () => {
    assert.deepEqual(form(undefined), {
      name: '',
      description: '',
      version: '1',
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      documentationUrl: '',
      capabilities: { streaming: false },
      securitySchemes: { certificate: { mtlsSecurityScheme: {} } },
      securityRequirements: [{ schemes: { certificate: {} } }],
      defaultInputModes: [],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 's', description: '', tags: [] }],
      'x-own': { a: '' },
    });
  });

  test('the one of the SDKs has no empty and no unknown members, and says which it loses', () => {
    assert.deepEqual(form(/what the official SDKs write/), {
      version: '1',
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: false },
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 's' }],
    });
    assert.deepEqual(uncovered(/what the official SDKs write/), ['/x-own', '/securitySchemes', '/securityRequirements']);
  });

  test('the one by the letter of §8.4.2 has no default, and the other keeps what is empty only then', () => {
    assert.deepEqual(form(/taken literally/), {
      version: '1',
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 's' }],
    });
    assert.deepEqual(form(/kept/), {
      version: '1',
      supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      securitySchemes: { certificate: {} },
      securityRequirements: [{ schemes: { certificate: {} } }],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 's', name: 's' }],
      'x-own': {},
    });
  });

  test('none has signatures, and forms that are the same are there once', () => {
    const { name, version, supportedInterfaces } = card;
    for (const each of signedForms(card)) assert.ok(!text(each).includes('signatures'));
    const plain = { name: 'n', version, supportedInterfaces: supportedInterfaces.map(({ tenant: _, ...rest }) => rest) };
    assert.equal(name, '');
    assert.deepEqual(
      signedForms(plain).map(each => each.name),
      [undefined],
    );
  });

  test('that of the Python SDK of 0.3 leaves out its defaults', () => {
    const old = {
      name: 'n',
      url: 'https://a.example',
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: false },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X' } },
      description: 'ü',
    };
    const found = signedForms(old).map(text);
    assert.ok(
      found.includes(
        '{"capabilities":{"streaming":false},"description":"\\u00fc","name":"n","securitySchemes":{"key":{"in":"header","name":"X"}},"url":"https://a.example"}',
      ),
      found.join('\n'),
    );
    assert.ok(
      found.includes('{"description":"\\u00fc","name":"n","securitySchemes":{"key":{"in":"header","name":"X"}},"url":"https://a.example"}'),
    );
  });
});
