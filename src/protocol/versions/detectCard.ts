import { cardInCamelCase } from '../card/checks/memberNames.ts';
import { isObject } from '../json.ts';
import { sentence } from '../problem.ts';
import { evidence, type Evidence } from './shared/evidence.ts';
import { items } from './shared/fields.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface CardDetection {
  /** Key in the table of versions, or `task-rest` for the unofficial protocol of early articles (a task API that is not A2A). */
  readonly version: string;
  /** The version whose card shape it has, where that is another one. */
  readonly shape: string;
  /** `low`: only the agent's answers can decide. */
  readonly certainty: 'high' | 'medium' | 'low';
  readonly evidence: Evidence;
  /** The version to try next where the agent does not support this one. */
  readonly next?: string;
}

interface Row {
  readonly generation: string;
  readonly shape?: string;
  readonly certainty: CardDetection['certainty'];
  readonly next?: string;
  readonly shows: (card: Fields, place: string | undefined) => Evidence | undefined;
}

const interfaces = (card: Fields): readonly Fields[] => items(card['supportedInterfaces']).filter(isObject);
const claims = (card: Fields, version: RegExp): boolean =>
  typeof card['protocolVersion'] === 'string' && version.test(card['protocolVersion']);
const legacy = ['url', 'preferredTransport', 'additionalInterfaces', 'protocolVersion'];
/** Members of cards that 0.1 does not have. */
const since0_2 = [
  'protocolVersion',
  'securitySchemes',
  'security',
  'iconUrl',
  'supportsAuthenticatedExtendedCard',
  'preferredTransport',
  'additionalInterfaces',
  'signatures',
];
const isSet = (value: unknown): boolean => value !== undefined && value !== null;
const firstOf = (card: Fields, names: readonly string[]): string | undefined => names.find(name => isSet(card[name]));

/** The first row that matches decides. Rows from `authentication` on are for cards with a `url`. */
const rows: readonly Row[] = [
  {
    generation: 'task-rest',
    certainty: 'high',
    shows: ({ capabilities, schema, skills }) => {
      if (isObject(capabilities) && isSet(capabilities['interactionModes']))
        return evidence('/capabilities/interactionModes', sentence('no version of A2A has interactionModes'));
      return isObject(schema) && isSet(schema['input']) && !isSet(skills)
        ? evidence('/schema', sentence('it has a schema and no skills'))
        : undefined;
    },
  },
  {
    generation: '1.0',
    certainty: 'high',
    shows: card => {
      const all = interfaces(card);
      if (all.length === 0 || !all.every(entry => isSet(entry['protocolBinding']) && isSet(entry['protocolVersion']))) return undefined;
      const older = firstOf(card, legacy);
      return evidence(
        '/supportedInterfaces',
        older === undefined
          ? sentence('every interface has a protocolBinding and a protocolVersion')
          : sentence('every interface has a protocolBinding and a protocolVersion; {0} is for older clients', older),
      );
    },
  },
  {
    generation: '1.0-draft',
    certainty: 'high',
    next: '1.0',
    shows: card => {
      if (!interfaces(card).some(entry => isSet(entry['protocolBinding']) && !isSet(entry['protocolVersion']))) return undefined;
      // Servers of 1.0 in development kept members of the drafts beside the version that they support.
      if (claims(card, /^1(\.|$)/)) return undefined;
      const draft = firstOf(card, ['protocolVersions', 'supportsExtendedAgentCard']);
      if (draft !== undefined) return evidence(`/${draft}`, sentence('{0} existed in drafts of 1.0 alone', draft));
      return isSet(card['protocolVersion'])
        ? evidence('/protocolVersion', sentence('the card has a version and its interfaces have none'))
        : undefined;
    },
  },
  {
    generation: '1.0',
    certainty: 'medium',
    next: '1.0-draft',
    shows: card =>
      interfaces(card).length > 0
        ? evidence('/supportedInterfaces', sentence('it has supportedInterfaces, not all of them complete'))
        : undefined,
  },
  {
    generation: '1.0',
    certainty: 'low',
    shows: card =>
      Array.isArray(card['supportedInterfaces']) && typeof card['url'] !== 'string'
        ? evidence('/supportedInterfaces', sentence('it has an empty list of interfaces'))
        : undefined,
  },
  {
    generation: '0.1',
    certainty: 'high',
    shows: card =>
      isSet(card['authentication']) && !isSet(card['securitySchemes']) && !isSet(card['protocolVersion'])
        ? evidence('/authentication', sentence('only 0.1 has authentication'))
        : undefined,
  },
  {
    generation: '0.1',
    certainty: 'medium',
    next: '0.2',
    // Some serializers write missing members as null, but only members that their version has.
    shows: card =>
      'authentication' in card && !since0_2.some(name => name in card)
        ? evidence('/authentication', sentence('only 0.1 has authentication, and members of later versions are not there'))
        : undefined,
  },
  ...['0.3', '0.2', '0.1'].map(
    (generation): Row => ({
      generation,
      certainty: 'high',
      shows: card =>
        claims(card, new RegExp(`^${generation.replace('.', '\\.')}(\\.|$)`))
          ? evidence('/protocolVersion', sentence('it says {0}', generation))
          : undefined,
    }),
  ),
  {
    generation: '1.0',
    shape: '0.3',
    certainty: 'low',
    next: '0.3',
    shows: card => (claims(card, /^1(\.|$)/) ? evidence('/protocolVersion', sentence('it says 1 and has the shape of 0.3')) : undefined),
  },
  {
    generation: '0.3',
    certainty: 'high',
    shows: card => {
      if (isSet(card['signatures'])) return evidence('/signatures', sentence('cards are signed from 0.3 on'));
      if (items(card['skills']).some(skill => isObject(skill) && isSet(skill['security'])))
        return evidence('/skills', sentence('skills have security from 0.3 on'));
      const schemes = isObject(card['securitySchemes']) ? Object.values(card['securitySchemes']).filter(isObject) : [];
      return schemes.some(scheme => scheme['type'] === 'mutualTLS' || isSet(scheme['oauth2MetadataUrl']))
        ? evidence('/securitySchemes', sentence('mutualTLS and oauth2MetadataUrl exist from 0.3 on'))
        : undefined;
    },
  },
  {
    generation: '0.3',
    certainty: 'medium',
    next: '0.2',
    shows: card => {
      const name = firstOf(card, ['preferredTransport', 'additionalInterfaces']);
      return name === undefined ? undefined : evidence(`/${name}`, sentence('{0} exists from 0.2.4 on', name));
    },
  },
  {
    generation: '0.2',
    certainty: 'medium',
    next: '0.3',
    shows: card => {
      const name = firstOf(card, ['securitySchemes', 'iconUrl', 'supportsAuthenticatedExtendedCard']);
      if (name !== undefined) return evidence(`/${name}`, sentence('{0} exists from 0.2 on', name));
      return isObject(card['capabilities']) && isSet(card['capabilities']['extensions'])
        ? evidence('/capabilities/extensions', sentence('extensions exist from 0.2 on'))
        : undefined;
    },
  },
  {
    generation: '0.2',
    certainty: 'low',
    next: '0.1',
    shows: (_card, place) =>
      place !== undefined && /\/agent\.json$/.test(place)
        ? evidence('/url', sentence('it was at agent.json, where cards were before 0.3'))
        : undefined,
  },
  { generation: '0.3', certainty: 'low', next: '0.2', shows: () => evidence('/url', sentence('it has a url')) },
];

const withoutUrl = new Set(['task-rest', '1.0', '1.0-draft']);

/**
 * Detects the protocol version of an agent card from its content. Undefined where it is not an agent card: it has neither
 * `supportedInterfaces` nor `url`.
 * @param place path or address of the card; its file name is used where the card does not decide.
 */
export function detectCard(written: Fields, place?: string): CardDetection | undefined {
  const card = cardInCamelCase(written);
  const hasUrl = typeof card['url'] === 'string';
  for (const { generation, shape = generation, certainty, next, shows } of rows) {
    const shown = hasUrl || withoutUrl.has(shape) ? shows(card, place) : undefined;
    if (shown !== undefined) return { version: generation, shape, certainty, evidence: shown, ...(next === undefined ? {} : { next }) };
  }
  return undefined;
}
