import * as assert from 'node:assert/strict';
import { readCardView } from '../../../src/chat/cardPage/readCardView.ts';

const card = {
  name: 'a',
  description: 'b',
  version: '1',
  provider: { organization: 'c', url: 'd' },
  documentationUrl: 'e',
  capabilities: { extensions: [{ uri: 'f' }] },
  defaultInputModes: ['g'],
  defaultOutputModes: ['h'],
  supportedInterfaces: [{ url: 'i', protocolBinding: 'j', protocolVersion: '1.0' }],
  skills: [{ id: 'k', name: 'l', description: 'm', tags: ['n'], examples: ['o'] }],
  securitySchemes: { p: { mtlsSecurityScheme: {} } },
  securityRequirements: [{ schemes: { p: { list: [] } } }],
};
const signatures = [{ kind: 'good', text: 'Signed by a.', notes: ['b'], canTrust: false }];
const problems = [{ severity: 'error', text: 'a', offset: 1 }];
const view = {
  uri: 'file:///card.json',
  form: '1.0',
  current: true,
  strings: {},
  card,
  signatures,
  problems,
  missing: ['a'],
  schemes: ['p'],
};

/** Members of the view, by path: each is broken in turn. */
const paths = [
  'uri',
  'current',
  'strings',
  'problems',
  'problems.0',
  'problems.0.severity',
  'problems.0.text',
  'missing',
  'missing.0',
  'schemes',
  'schemes.0',
  'signatures',
  'signatures.0',
  ...['kind', 'text', 'notes', 'notes.0', 'canTrust'].map(name => `signatures.0.${name}`),
  'card',
  ...[
    'name',
    'version',
    'provider',
    'provider.url',
    'documentationUrl',
    'capabilities',
    'capabilities.extensions',
    'capabilities.extensions.0.uri',
    'defaultInputModes',
    'defaultInputModes.0',
    'supportedInterfaces',
    'supportedInterfaces.0',
    'supportedInterfaces.0.url',
    'skills',
    'skills.0',
    'skills.0.id',
    'skills.0.tags',
    'skills.0.examples',
    'securitySchemes',
    'securitySchemes.p',
    'securityRequirements',
    'securityRequirements.0.schemes',
  ].map(path => `card.${path}`),
];

suite('chat: what the page of a card is told', () => {
  test('a card in full, and a text that is none yet', () => {
    assert.equal(readCardView(view), view);
    const empty = { ...view, card: undefined };
    assert.equal(readCardView(empty), empty);
  });

  for (const path of paths) {
    test(`not with another ${path}`, () => {
      const broken = structuredClone(view) as unknown as Record<string, unknown>;
      const steps = path.split('.');
      const holder = steps.slice(0, -1).reduce((at, step) => at[step] as Record<string, unknown>, broken);
      assert.ok(steps.at(-1)! in holder);
      for (const wrong of [7, null]) {
        holder[steps.at(-1)!] = wrong;
        assert.equal(readCardView(broken), undefined);
      }
    });
  }

  for (const data of [undefined, null, 'x', [], {}]) test(`not ${JSON.stringify(data)}`, () => assert.equal(readCardView(data), undefined));
});
