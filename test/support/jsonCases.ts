/**
 * What a parser of JSON (RFC 8259) has to read, has to refuse, or may do either with: `y` where the grammar has it, `n` where it has not, `i` where it
 * is left to the parser.
 */
export interface JsonCase {
  readonly name: string;
  readonly kind: 'y' | 'n' | 'i';
  readonly bytes: Uint8Array;
}

type Written = string | Uint8Array;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const joined = (...parts: readonly Written[]): Uint8Array =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? utf8(part) : part)));
const hex = (value: number): string => value.toString(16).padStart(4, '0');
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

const cases: JsonCase[] = [];
const add = (kind: JsonCase['kind'], group: string, ...written: readonly Written[]): void => {
  for (const one of written)
    cases.push({ name: `${kind} ${group} ${cases.length}`, kind, bytes: typeof one === 'string' ? utf8(one) : one });
};

// Numbers.
add(
  'y',
  'number',
  '0',
  '-0',
  '1',
  '-1',
  '123',
  '10',
  '0.5',
  '-0.5',
  '1.50',
  '1e2',
  '1E2',
  '1e+2',
  '1e-2',
  '1.5e3',
  '0e0',
  '0E+1',
  '0.0e-0',
  '5e-324',
  '1.7976931348623157e308',
  '0.1234567890123456789',
);
add(
  'i',
  'number without bounds',
  '1e400',
  '-1e400',
  '1e-400',
  '123456789012345678901234567890',
  `1${'0'.repeat(400)}`,
  `0.${'1'.repeat(5_000)}`,
  `1e${'9'.repeat(400)}`,
  '9007199254740993',
);
add(
  'n',
  'number',
  '+1',
  '.5',
  '-.5',
  '1.',
  '0.',
  '01',
  '-01',
  '00',
  '-',
  '+',
  '--1',
  '- 1',
  '1e',
  '1E',
  '1e+',
  '1e-',
  '1.e1',
  '0.e1',
  '1.2.3',
  '1e1.5',
  '1e1e1',
  '0x1',
  '0xg',
  '0b1',
  '0o7',
  '1_000',
  '1n',
  '1f',
  '1a',
  '1/2',
  '$1',
  '1%',
  'NaN',
  '-NaN',
  'Infinity',
  '-Infinity',
  '+Infinity',
  'inf',
  '∞',
  '１',
  '٣',
  '²',
  '1 000',
  '1.0.',
  '1-1',
  '0-',
  '-a',
  '.',
  '-.',
  'e1',
  '1,5',
);

// Literals.
add('y', 'literal', 'true', 'false', 'null');
add(
  'n',
  'literal',
  'True',
  'FALSE',
  'Null',
  'tru',
  'fals',
  'nul',
  'truee',
  'nulll',
  't',
  'f',
  'n',
  'undefined',
  'None',
  'nil',
  'a',
  'true false',
  'nulltrue',
  'tr ue',
  'true.',
  '\\u0074rue',
);

// Strings and their escapes.
add(
  'y',
  'string',
  '""',
  '"a"',
  '" "',
  '"é"',
  '"京"',
  '"🙂"',
  '"\u007f"',
  '"\u0080"',
  '"\u2028\u2029"',
  '"\ufeff"',
  '"\uffff"',
  '"\u{10ffff}"',
  '"/"',
  '"//"',
  '"/*"',
  '"{}[]:,"',
  '"\'"',
  `"${'x'.repeat(100_000)}"`,
);
for (const escape of '"\\/bfnrt') add('y', 'escape', `"a\\${escape}b"`);
add(
  'y',
  'escape by number',
  '"\\u0000"',
  '"\\u001f"',
  '"\\u0041"',
  '"\\u00e9"',
  '"\\uABCD"',
  '"\\uabcd"',
  '"\\uD83D\\uDE42"',
  '"\\\\u0041"',
  '"\\u005C\\u0022"',
  '"\\uFFFF"',
);
add(
  'i',
  'half a character',
  '"\\uD83D"',
  '"\\uDE42"',
  '"\\uDE42\\uD83D"',
  '"\\uD83Da"',
  '"\\uD83D\\uD83D"',
  '"\\uD83D\\n"',
  '"\\uD800\\u0000"',
);
for (const letter of "acdeghijklmopqsvwxyzABU0123 '\n") add('n', 'escape', `"\\${letter}"`);
add(
  'n',
  'escape by number',
  '"\\u"',
  '"\\u1"',
  '"\\u12"',
  '"\\u123"',
  '"\\u12G4"',
  '"\\u 123"',
  '"\\U0041"',
  '"\\u{41}"',
  '"\\u-041"',
  '"\\uD83D\\u"',
  '"\\uD83D\\"',
  '"\\u００４１"',
);
for (let code = 0; code < 0x20; code++) add('n', `control character U+${hex(code)}`, `"a${String.fromCharCode(code)}b"`);
add('n', 'string', '"', '"a', '"\\', '"\\"', 'a"', "'a'", '`a`', '“a”', '"a""b"', '"a"b', '"a\\', '"a\nb"');

// Bytes that are no UTF-8: what a string holds may be replaced, what stands outside of strings may not.
const noUtf8 = [
  '80',
  'bf',
  'c3',
  'c0 80',
  'c1 bf',
  'e2 82',
  'e0 80 80',
  'ed a0 80',
  'ed bf bf',
  'ed a0 bd ed b9 82',
  'f0 9f 99',
  'f0 80 80 80',
  'f4 90 80 80',
  'f8 88 80 80 80',
  'fe',
  'ff',
  'ff fe fd',
].map(bytesOf);
for (const bytes of noUtf8) {
  add('i', 'bytes that are no UTF-8, in a string', joined('"a', bytes, 'b"'));
  add('n', 'bytes that are no UTF-8', joined('[1', bytes, ']'));
}

// White space: four characters are, no others.
for (const space of [' ', '\t', '\n', '\r', '\r\n', ' \t\n\r '])
  add('y', 'white space', `${space}[${space}1${space},${space}{${space}"a"${space}:${space}2${space}}${space}]${space}`);
for (const code of [0x00, 0x08, 0x0b, 0x0c, 0x1e, 0x1f, 0x85, 0xa0, 0x1680, 0x180e, 0x2003, 0x200b, 0x2028, 0x2029, 0x202f, 0x2060, 0x3000])
  add('n', `white space U+${hex(code)}`, `[${String.fromCharCode(code)}1]`, `1${String.fromCharCode(code)}`);

// Structure.
add(
  'y',
  'structure',
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '{"a":{}}',
  '{"a":[]}',
  '[1,2]',
  '[null,1,"2",{}]',
  '{"a":1,"b":2}',
  '{"":0}',
  '{"a":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a b":1}',
  '{"\\u0061":1}',
  '{"\\u0000":1}',
  '[[[[]]]]',
  '[[],{},[]]',
  JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index)),
  JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]))),
);
add(
  'n',
  'list',
  '[',
  ']',
  '[[',
  ']]',
  '[]]',
  '[[]',
  '[1',
  '[1,',
  '[,',
  '[,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '[1,]',
  '[1,,]',
  '[:1]',
  '["a":1]',
  '[1}',
  '[1;2]',
  '[1:2]',
  '["a"',
  '["a',
  '[true',
  '[nul',
  '[1]1',
  '[1],',
  '[a]',
  '[*]',
  '[1]]',
  '(1)',
  '<1>',
  "['a']",
  '[-]',
  '["",]',
  '[1\n',
);
add(
  'n',
  'object',
  '{',
  '}',
  '{{',
  '}}',
  '{}}',
  '{{}',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a"}',
  '{"a":}',
  '{"a",1}',
  '{"a" 1}',
  '{"a"::1}',
  '{"a":1 "b":2}',
  '{"a":1,,"b":2}',
  '{"a":1,}',
  '{,"a":1}',
  '{:1}',
  '{a:1}',
  "{'a':1}",
  '{1:1}',
  '{null:1}',
  '{[]:1}',
  '{"a":"b":1}',
  '{"a":1]',
  '{"a"=1}',
  '{"a":1;}',
  '{"a":a}',
  '{"a":1}x',
  '{"a":1}{}',
  '{"a":1},',
  '{"\\x":1}',
  '{"a',
  '{9999E9999:1}',
  '{"a":"a" 123}',
  '{é:1}',
);
add('n', 'comment', '/**/1', '1/**/', '1//', '1//x', '[1/*,*/]', '{"a":/*comment*/1}', '1#x', '<!--x-->1', '/1', '/*', '[1]/');
add('n', 'nothing', '', ' ', '\n', '\t\r', ',', ':', ';', '\\', '@', '&', '%7B%7D', '\u0000');

// Marks of the byte order, and other encodings.
add('i', 'byte order mark', joined(bytesOf('efbbbf'), '{}'));
add(
  'n',
  'byte order mark',
  joined(bytesOf('efbbbf efbbbf'), '{}'),
  joined('{}', bytesOf('efbbbf')),
  joined('[', bytesOf('efbbbf'), '1]'),
  bytesOf('efbb'),
  joined(bytesOf('efbb'), '{}'),
);
add(
  'n',
  'UTF-16',
  Buffer.from('\ufeff{}', 'utf16le'),
  Buffer.from('\ufeff{}', 'utf16le').swap16(),
  Buffer.from('["a"]', 'utf16le'),
  Buffer.from('["é"]', 'utf16le').swap16(),
);
add('n', 'Latin-1', Buffer.from('{é:1}', 'latin1'));

// Depth.
const nested = (open: string, close: string, inner: string, depth: number): string => `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
add('y', 'depth', nested('[', ']', '', 40), nested('{"a":', '}', '1', 40));
for (const depth of [150, 300, 600, 5_000, 100_000])
  add('i', `depth ${depth}`, nested('[', ']', '', depth), nested('{"a":', '}', '1', depth), nested('[{"a":', '}]', '1', depth / 2));
for (const open of ['[', '{"a":', '[{"":']) add('n', 'depth that is never closed', open.repeat(50_000));

// Names that mean something to JavaScript.
for (const name of [
  '__proto__',
  '\\u005f_proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '__defineGetter__',
])
  add('y', `member ${name}`, `{"${name}":{"polluted":true,"prototype":{"polluted":true}}}`);
add(
  'y',
  'member __proto__',
  '{"__proto__":null}',
  '{"__proto__":[]}',
  '{"__proto__":1,"a":2}',
  '{"a":{"__proto__":{"polluted":true}}}',
  '[{"__proto__":{"polluted":true}}]',
  '{"constructor":{"prototype":{"polluted":true}}}',
);

/** Written by the grammar's rules, one after the other; no two have the same bytes. */
export const jsonCases: readonly JsonCase[] = [...new Map(cases.map(one => [Buffer.from(one.bytes).toString('latin1'), one])).values()];
