import * as assert from 'node:assert/strict';
import { cardProblems, shapeFixes } from '../../../src/card/cardProblems.ts';
import { cardValue, readCardText } from '../../../src/card/cardText.ts';
import { cardChecks } from '../../../src/protocol/card/checks/cardChecks.ts';
import { memberNames } from '../../../src/protocol/card/checks/memberNames.ts';
import { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { AgentCard0_3 } from '../../../src/protocol/versions/shared/agentCard0_3.ts';
import { AgentCard0_1 } from '../../../src/protocol/versions/v0_1/agentCard0_1.ts';
import { AgentCard0_2 } from '../../../src/protocol/versions/v0_3/v0_2.ts';
import { jsonSchemaOf, type JsonSchema } from '../../../src/request/schema/jsonSchema.ts';
import type { JsonNode } from '../../../src/request/text/jsonNode.ts';
import type { TextEdit } from '../../../src/card/cardProblem.ts';
import { figure, sampleOf } from '../../support/figure.ts';

type Json = Record<string, unknown>;

const modern = {
  name: 'Harbour',
  description: 'Plans berths.',
  version: '2.1.0',
  supportedInterfaces: [
    { url: 'https://harbour.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'harbour.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true, extensions: [{ uri: 'urn:harbour:tides' }] },
  securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  defaultInputModes: ['text/plain', 'image/*'],
  defaultOutputModes: ['application/json; charset=utf-8'],
  skills: [{ id: 'berth', name: 'Berth', description: 'Finds one.', tags: ['ships'], examples: ['A berth for 40 m'] }],
};

const older = {
  protocolVersion: '0.3.0',
  name: 'Harbour',
  description: 'Plans berths.',
  version: '2.1.0',
  url: 'https://harbour.example/a2a',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [{ url: 'https://harbour.example/rest', transport: 'HTTP+JSON' }],
  capabilities: { streaming: true },
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  security: [{ key: [] }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'berth', name: 'Berth', description: 'Finds one.', tags: ['ships'] }],
};

const iface = (url: string, protocolBinding = 'JSONRPC', protocolVersion = '1.0'): Json => ({
  ...modern,
  supportedInterfaces: [{ url, protocolBinding, protocolVersion }],
});

interface Row {
  readonly card: Json;
  readonly code: string;
  /** The text that is underlined. */
  readonly at: string;
  readonly severity?: 'error' | 'warning' | 'information';
  /** What stands there after the first fix; absent where there is none. */
  readonly fixed?: string;
}

const twoFlows = {
  flows: {
    clientCredentials: { tokenUrl: 'https://t.example', scopes: {} },
    deviceCode: { deviceAuthorizationUrl: 'https://d.example', tokenUrl: 'https://t.example', scopes: {} },
  },
};

const rows: Readonly<Record<string, Row>> = {
  'a scheme that is not defined, mistyped': {
    card: { ...modern, securityRequirements: [{ schemes: { kye: {} } }] },
    code: 'undefined-scheme',
    at: '"kye"',
    fixed: '"key"',
  },
  'a scheme that is not defined anywhere': {
    card: { ...modern, securityRequirements: [{ schemes: { certificate: {} } }] },
    code: 'undefined-scheme',
    at: '"certificate"',
    fixed: 'httpAuthSecurityScheme',
  },
  "a skill's scheme that is not defined": {
    card: { ...modern, skills: [{ ...modern.skills[0], securityRequirements: [{ schemes: { sso: {} } }] }] },
    code: 'undefined-scheme',
    at: '"sso"',
    fixed: '"sso": {\n      "httpAuth',
  },
  'a 0.3 scheme that is not defined': {
    card: { ...older, security: [{ sso: [] }] },
    code: 'undefined-scheme',
    at: '"sso"',
    fixed: '"type": "http"',
  },
  'a scheme without a kind': { card: { ...modern, securitySchemes: { key: { description: 'x' } } }, code: 'no-kind', at: '"key"' },
  'a scheme of two kinds': {
    card: { ...modern, securitySchemes: { key: { mtlsSecurityScheme: {}, httpAuthSecurityScheme: { scheme: 'Basic' } } } },
    code: 'several-kinds',
    at: '"httpAuthSecurityScheme"',
  },
  'two OAuth flows': {
    card: { ...modern, securitySchemes: { key: { oauth2SecurityScheme: twoFlows } } },
    code: 'several-kinds',
    at: '"deviceCode"',
  },
  'a credential': {
    card: { ...older, authentication: { schemes: ['Basic'], credentials: 'c2hpcDpzYWls' } },
    code: 'credential',
    at: '"c2hpcDpzYWls"',
  },
  'security as 0.3 has it': {
    card: { ...modern, securityRequirements: undefined, security: [{ key: ['read'] }] },
    code: 'old-security',
    at: '"security"',
    fixed: '"securityRequirements": [\n    {\n      "schemes": {\n        "key": {\n          "list": [\n            "read"',
  },
  'two skills of one id': {
    card: { ...modern, skills: [modern.skills[0], modern.skills[0], { ...modern.skills[0], id: 'berth-2' }] },
    code: 'duplicate-skill',
    at: '"berth"',
    severity: 'warning',
    fixed: '"berth-3"',
  },
  'the mode that 0.1 had': {
    card: { ...modern, defaultInputModes: ['text'] },
    code: 'media-word',
    at: '"text"',
    severity: 'information',
    fixed: '"text/plain"',
  },
  'a mode that is a word': {
    card: { ...modern, defaultInputModes: ['json'] },
    code: 'media-word',
    at: '"json"',
    severity: 'warning',
    fixed: '"application/json"',
  },
  'a member misspelt': {
    card: { ...modern, iconURl: 'https://harbour.example/icon.png' },
    code: 'misspelt-member',
    at: '"iconURl"',
    severity: 'warning',
    fixed: '"iconUrl"',
  },
  'a member misspelt beside the right one': {
    card: { ...modern, descripton: 'Berths' },
    code: 'misspelt-member',
    at: '"descripton"',
    severity: 'warning',
  },
  "a skill's member misspelt": {
    card: { ...modern, skills: [{ ...modern.skills[0], exmaples: ['x'], examples: undefined }] },
    code: 'misspelt-member',
    at: '"exmaples"',
    fixed: '"examples"',
  },
  'a member of a flow misspelt': {
    card: {
      ...modern,
      securitySchemes: {
        key: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenURI: 'https://t.example', scopes: {} } } } },
      },
    },
    code: 'misspelt-member',
    at: '"tokenURI"',
    fixed: '"tokenUrl"',
  },
  'an empty list of modes': {
    card: { ...modern, defaultOutputModes: [] },
    code: 'empty-list',
    at: '[]',
    severity: 'warning',
    fixed: '"defaultOutputModes": [\n    "text/plain"',
  },
  'an empty list of modes in 0.3': {
    card: { ...older, defaultOutputModes: [] },
    code: 'empty-list',
    at: '[]',
    severity: 'information',
    fixed: '"text/plain"',
  },
  'no skills, which is disputed': { card: { ...modern, skills: [] }, code: 'empty-list', at: '[]', severity: 'information' },
  'no tags, which is disputed': {
    card: { ...modern, skills: [{ ...modern.skills[0], tags: [] }] },
    code: 'empty-list',
    at: '[]',
    severity: 'information',
    fixed: '"tags": [\n        "berth"',
  },
  'an empty description, which is disputed': {
    card: { ...modern, description: ' ' },
    code: 'empty-text',
    at: '" "',
    severity: 'information',
  },
  'an empty description of a skill': {
    card: { ...modern, skills: [{ ...modern.skills[0], description: '' }] },
    code: 'empty-text',
    at: '""',
    severity: 'information',
  },
  'an empty name': { card: { ...modern, name: '' }, code: 'empty-text', at: '""', severity: 'warning' },
  'a mode that nobody can guess': {
    card: { ...modern, skills: [{ ...modern.skills[0], outputModes: ['ships and cargo'] }] },
    code: 'media-type',
    at: '"ships and cargo"',
  },
  'an empty example': { card: { ...modern, skills: [{ ...modern.skills[0], examples: [' '] }] }, code: 'empty-example', at: '" "' },
  'an extension without a URI': {
    card: { ...modern, capabilities: { extensions: [{ uri: 'tides' }] } },
    code: 'extension-uri',
    at: '"tides"',
  },
  'an extension twice': {
    card: { ...modern, capabilities: { extensions: [{ uri: 'urn:t' }, { uri: 'urn:t' }] } },
    code: 'duplicate-extension',
    at: '"urn:t"',
  },
  'a member in snake_case': {
    card: { ...modern, default_input_modes: [] },
    code: 'snake-case',
    at: '"default_input_modes"',
    fixed: '"defaultInputModes"',
  },
  'a binding misspelt': { card: iface('https://h.example', 'http_json'), code: 'binding', at: '"http_json"', fixed: '"HTTP+JSON"' },
  'a transport misspelt': { card: { ...older, preferredTransport: 'rest' }, code: 'binding', at: '"rest"', fixed: '"HTTP+JSON"' },
  "a binding of one's own without a URI": {
    card: { ...iface('https://h.example', 'carrier pigeon'), capabilities: {} },
    code: 'binding',
    at: '"carrier pigeon"',
  },
  'a version with a patch number': {
    card: iface('https://h.example', 'JSONRPC', '1.0.1'),
    code: 'version-number',
    at: '"1.0.1"',
    fixed: '"1.0"',
  },
  'a stated version that no interface speaks': {
    card: { ...modern, protocolVersion: '0.3.0' },
    code: 'no-interface',
    at: '"0.3.0"',
    fixed: '"protocolVersion": "0.3"',
  },
  'a version that an interface has, stated by the card as well': {
    card: { ...modern, protocolVersion: '1.0' },
    code: 'moved-member',
    at: '"protocolVersion"',
    severity: 'information',
  },
  'the extended card as 0.3 announced it': {
    card: { ...modern, supportsAuthenticatedExtendedCard: true },
    code: 'moved-member',
    at: '"supportsAuthenticatedExtendedCard"',
  },
  'version 1.0 on a card of the older form': {
    card: { ...older, protocolVersion: '1.0' },
    code: 'no-interface',
    at: '"1.0"',
    fixed: '"supportedInterfaces": [',
  },
  'an interface twice': {
    card: { ...modern, supportedInterfaces: [modern.supportedInterfaces[0], modern.supportedInterfaces[0]] },
    code: 'duplicate-interface',
    at: JSON.stringify(modern.supportedInterfaces[0], null, 2).replaceAll('\n', '\n    '),
  },
  'one address, two transports': {
    card: { ...older, additionalInterfaces: [{ url: older.url, transport: 'GRPC' }] },
    code: 'conflicting-transports',
    at: '"GRPC"',
  },
  'streaming that no interface can': {
    card: { ...modern, supportedInterfaces: [{ url: 'https://h.example', protocolBinding: 'urn:pigeon', protocolVersion: '1.0' }] },
    code: 'no-stream',
    at: 'true',
    fixed: 'false',
  },
  'an address to listen on': {
    card: iface('http://0.0.0.0:8080/'),
    code: 'url-unspecified',
    at: '"http://0.0.0.0:8080/"',
    fixed: '"http://localhost:8080/"',
  },
  'an address without a scheme': {
    card: iface('harbour.example/a2a'),
    code: 'url-relative',
    at: '"harbour.example/a2a"',
    fixed: '"https://harbour.example/a2a"',
  },
  'a host and a port of this machine without a scheme': {
    card: iface('localhost:8080/a2a'),
    code: 'url-relative',
    at: '"localhost:8080/a2a"',
    fixed: '"http://localhost:8080/a2a"',
  },
  'another host and its port without a scheme': {
    card: iface('harbour.example:8443'),
    code: 'url-relative',
    at: '"harbour.example:8443"',
    fixed: '"https://harbour.example:8443"',
  },
  'a path': { card: iface('/a2a'), code: 'url-relative', at: '"/a2a"' },
  'a scheme of files': { card: iface('file:///a2a'), code: 'url-scheme', at: '"file:///a2a"' },
  'a scheme written wrong': {
    card: iface('htp:/h.example/a2a'),
    code: 'url-scheme',
    at: '"htp:/h.example/a2a"',
    fixed: '"http://h.example/a2a"',
  },
  'a scheme with one slash': {
    card: iface('https:/h.example/a2a'),
    code: 'url-scheme',
    at: '"https:/h.example/a2a"',
    fixed: '"https://h.example/a2a"',
  },
  'an address with a password': {
    card: iface('https://me:secret@h.example/'),
    code: 'url-credential',
    at: '"https://me:secret@h.example/"',
  },
  "the card's own address": {
    card: iface('https://h.example/x/.well-known/agent-card.json'),
    code: 'url-of-card',
    at: '"https://h.example/x/.well-known/agent-card.json"',
    fixed: '"https://h.example/x/"',
  },
  'the address of an operation': {
    card: iface('https://h.example/v1/message:stream', 'HTTP+JSON'),
    code: 'url-of-operation',
    at: '"https://h.example/v1/message:stream"',
    fixed: '"https://h.example/v1"',
  },
  'an unencrypted address': {
    card: { ...older, url: 'http://harbour.example/a2a' },
    code: 'url-http',
    at: '"http://harbour.example/a2a"',
    fixed: '"https://harbour.example/a2a"',
  },
  'spaces around an address': {
    card: iface(' https://h.example '),
    code: 'url-space',
    at: '" https://h.example "',
    fixed: '"https://h.example"',
  },
};

const written = (card: Json): string => JSON.stringify(card, null, 2);

function applied(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((result, { offset, length, text: put }) => result.slice(0, offset) + put + result.slice(offset + length), text);
}

/** Paths of all members of a table of names. */
function namesIn(names: Record<string, unknown>, path = ''): string[] {
  return Object.entries(names).flatMap(([name, inner]) => [
    ...(name === '*' ? [] : [`${path}/${name}`]),
    ...namesIn((inner ?? {}) as Record<string, unknown>, `${path}/${name}`),
  ]);
}

/** Maps whose keys are the author's own and whose values have no members that are written by hand. */
const ownKeys = /\/(security|securityRequirements|scopes|params|header|schemes)\//;

/** Paths of all members of a schema of cards, whatever conditions they stand under. */
function namesOf(schema: JsonSchema, path = ''): Set<string> {
  const found = new Set<string>();
  const take = (inner: JsonSchema | undefined, at: string): void => {
    if (inner !== undefined) for (const name of namesOf(inner, at)) if (!ownKeys.test(name)) found.add(name);
  };
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    found.add(`${path}/${name}`);
    take(inner, `${path}/${name}`);
  }
  if (typeof schema.additionalProperties === 'object') take(schema.additionalProperties, `${path}/*`);
  for (const inner of [
    schema.items,
    schema.if,
    schema.then,
    schema.else,
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ])
    take(inner, path);
  return found;
}

suite('checks of agent cards', () => {
  for (const [name, card] of Object.entries({ modern, older, 'both forms in one': { ...older, ...modern, security: [{ key: [] }] } })) {
    test(`nothing is wrong with a good card: ${name}`, () => assert.deepEqual(cardProblems(written(card)), []));
  }

  for (const [name, { card, code, at, severity, fixed }] of Object.entries(rows)) {
    test(name, () => {
      const text = written(card);
      const problems = cardProblems(text);
      assert.deepEqual(
        problems.map(problem => problem.code),
        [code],
      );
      const [{ range, fixes, severity: told }] = problems as [(typeof problems)[0] & object];
      if (severity !== undefined) assert.equal(told, severity);
      assert.equal(text.slice(range.offset, range.offset + range.length), at);
      assert.equal(fixes.length > 0, fixed !== undefined);
      for (const [index, { edits }] of fixes.entries()) {
        const after = applied(text, edits);
        JSON.parse(after);
        if (index === 0) assert.ok(after.includes(fixed!), after);
        assert.deepEqual(
          cardProblems(after).filter(problem => problem.code === code),
          [],
          `after fix ${index}`,
        );
      }
    });
  }

  const { tags: _tags, ...untagged } = modern.skills[0]!;
  const { version: _version, defaultInputModes: _modes, ...bare } = modern;
  for (const [name, [card, at, fixed]] of Object.entries<readonly [Json, string, string]>({
    'a flag as a word': [{ ...modern, capabilities: { streaming: 'yes' } }, '"yes"', '"streaming": true'],
    'a flag as a number, in 0.3': [{ ...older, supportsAuthenticatedExtendedCard: 0 }, '0', '"supportsAuthenticatedExtendedCard": false'],
    'an extension that is required in a word': [
      { ...modern, capabilities: { extensions: [{ uri: 'urn:harbour:tides', required: 'TRUE' }] } },
      '"TRUE"',
      '"required": true',
    ],
    'a skill without tags': [{ ...modern, skills: [untagged] }, '{', '"tags": [\n        "berth"'],
    'a card without what it requires': [bare, '{', '"version": "1.0.0"'],
    'a text in the place of a list': [
      { ...modern, skills: [{ ...modern.skills[0], tags: 'ships, tides' }] },
      '"ships, tides"',
      '"tags": [\n        "ships",\n        "tides"',
    ],
  })) {
    test(`what does not fit the schema can be mended: ${name}`, () => {
      const text = written(card);
      let after = text;
      const [first] = shapeFixes(readCardText(text)!);
      assert.equal(text.slice(first!.range.offset, first!.range.offset + first!.range.length), at);
      for (let count = 0; ; count++) {
        const [problem] = shapeFixes(readCardText(after)!);
        if (problem === undefined) break;
        assert.ok(count < 5, after);
        after = applied(after, problem.fixes[0]!.edits);
      }
      assert.ok(after.includes(fixed), after);
      JSON.parse(after);
    });
  }

  test('a member is added on the line of its object, and the check finds nothing left of it', () => {
    const text = written({ ...modern, skills: ['skill'] }).replace('"skill"', JSON.stringify(untagged).replaceAll(/(?<=[:,])(?=")/g, ' '));
    const [problem] = shapeFixes(readCardText(text)!);
    const after = applied(text, problem!.fixes[0]!.edits);
    assert.equal(after.split('\n').length, text.split('\n').length);
    assert.match(after, /\], "tags": \["berth"\]\}\n/);
    assert.deepEqual(
      cardProblems(after).map(({ code }) => code),
      [],
    );
  });

  test('what only its author knows is not guessed, and nothing is mended in a card that fits', () => {
    for (const card of [
      modern,
      older,
      { ...modern, capabilities: { streaming: 'maybe' } },
      { ...modern, skills: [{ ...modern.skills[0], tags: 7 }] },
    ])
      assert.deepEqual(shapeFixes(readCardText(written(card))!), []);
  });

  test('the members that are known are those of the types of all protocol versions', () => {
    const known = namesIn(memberNames as Record<string, unknown>);
    const typed = new Set([AgentCard, AgentCard0_3, AgentCard0_2, AgentCard0_1].flatMap(type => [...namesOf(jsonSchemaOf(type))]));
    assert.deepEqual([...known].sort(), [...typed].sort());
  });

  test('a member of the author is left alone', () => {
    assert.deepEqual(cardProblems(written({ ...modern, 'x-ships': 1, metadata: { nmae: 1 } })), []);
  });

  test('every check is shown to find something', () => {
    const cards = Object.values(rows).map(({ card }) => ({ card, form: readCardText(written(card))!.form }));
    assert.deepEqual(
      cardChecks.filter(check => !cards.some(card => [...check(card)].length > 0)).map(({ name }) => name),
      [],
    );
  });

  for (const name of [
    'credentials',
    'password',
    'secret',
    'token',
    'apiKey',
    'api_key',
    'API-KEY',
    'clientSecret',
    'client_secret',
    'privateKey',
  ]) {
    test(`${name}: a credential from 8 characters on; what is shorter is a word for one`, () => {
      const codes = (value: unknown): string[] =>
        cardProblems(written({ ...modern, capabilities: { extensions: [{ uri: 'urn:x', params: { [name]: value } }] } })).map(
          ({ code }) => code,
        );
      assert.deepEqual([codes('1234567'), codes('12345678'), codes('123456789')], [[], ['credential'], ['credential']]);
      assert.deepEqual([codes(''), codes(12_345_678), codes(['12345678']), codes(null)], [[], [], [], []]);
    });
  }

  test('a name that only contains one of those is no credential', () => {
    const params = { tokenUrl: '12345678', secretary: '12345678', passwordPolicy: '12345678' };
    assert.deepEqual(cardProblems(written({ ...modern, capabilities: { extensions: [{ uri: 'urn:x', params }] } })), []);
  });

  test('any beginning of a card, and a card with any character missing, is read as far as it goes', () => {
    const text = written({ ...modern, security: [{ x: [] }], default_modes: ['text'] });
    const ends = sampleOf(Array.from({ length: text.length + 1 }, (_, end) => end));
    for (const end of ends) {
      cardProblems(text.slice(0, end));
      cardProblems(text.slice(0, end) + text.slice(end + 1));
    }
    figure('F31', { texts: 2 * ends.length }, `${2 * ends.length} pieces of a card`);
  });

  test('a card of nothing but faults is told of within bounds', () => {
    assert.equal(cardProblems(written({ ...modern, defaultInputModes: Array.from({ length: 5000 }, () => 'text') })).length, 200);
  });

  test('reads 1,000 of each list of a card of 1,200, says where it ends, and checks all else', () => {
    const many = <T>(make: (index: number) => T): T[] => Array.from({ length: 1_200 }, (_, index) => make(index));
    const card = {
      ...modern,
      skills: many(index => ({ id: `s${index}`, name: 'x', description: 'x', tags: ['x'] })),
      supportedInterfaces: many(index => ({ url: `https://harbour.example/${index}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' })),
      snake_case: 1,
    };
    const text = JSON.stringify(card, null, 1);
    const read = readCardText(text);
    assert.equal(read?.complete, true);
    assert.equal((cardValue(read) as typeof card).skills.length, 1_000);
    assert.equal((cardValue(read) as typeof card).supportedInterfaces.length, 1_000);
    const problems = cardProblems(text);
    assert.deepEqual(
      problems.map(({ code, range }) => [code, text.slice(range.offset).match(/"(s1000|https:[^"]*|snake_case)"/)?.[1]]),
      [
        ['not-checked', 'https://harbour.example/1000'],
        ['not-checked', 's1000'],
        ['own-snake-case', 'snake_case'],
      ].sort((one, other) => text.indexOf(one[1]!) - text.indexOf(other[1]!)),
    );
  });

  test('ends a card of 9 MB where reading it would take too long', () => {
    const text = JSON.stringify({ ...modern, padding: 'x'.repeat(9_000_000), name: 'Harbour' });
    const read = readCardText(text);
    assert.ok(read !== undefined && read.text.length <= 8 * 1024 * 1024);
    assert.deepEqual(
      cardProblems(text).map(({ code }) => code),
      ['not-checked'],
    );
    const values = JSON.stringify({ ...modern, metadata: Array.from({ length: 500 }, () => Array.from({ length: 500 }, () => 1)) });
    const nodes = (node: JsonNode): number => (node.children ?? []).reduce((sum, child) => sum + nodes(child), 1);
    assert.ok(nodes(readCardText(values)!.root) <= 200_000);
  });
});
