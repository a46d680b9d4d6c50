import { isObject } from '../../json.ts';
import { sentence } from '../../problem.ts';
import { camelCased } from '../../protoNames.ts';
import { listed, membersIn, objectsIn, type CardCheck, type CardFault, type CardPath } from './cardFault.ts';
import { statedVersion } from './interfaces.ts';
import { knownNames } from './memberNames.ts';

/** Members whose value is a map with keys that the author chooses, or whatever an extension likes. */
const ownNames = new Set([
  'securitySchemes',
  'schemes',
  'security',
  'scopes',
  'params',
  'metadata',
  'header',
  'schema',
  'signatures',
  'securityRequirements',
]);

/** Members are written in camelCase (A2A 1.0 §5.5). Those that no version has are the author's own (§5.7), with another check. */
export const camelCase: CardCheck = function* ({ card }) {
  yield* snakeCaseIn(card, []);
};

function* snakeCaseIn(value: unknown, path: CardPath): Generator<CardFault> {
  for (const [name, held] of membersIn(value)) {
    const at = [...path, name];
    const right = camelCased(name);
    const isKnown = knownNames.has(right);
    if (right !== name && (isKnown || /^[a-z]+(_[a-z0-9]+)+$/.test(name)))
      yield {
        code: isKnown ? 'snake-case' : 'own-snake-case',
        path: at,
        isName: true,
        severity: 'warning',
        sentence: isKnown
          ? sentence('"{0}" should be written in camelCase: "{1}".', name, right)
          : sentence('Members are written in camelCase: "{0}" is not read.', name),
        fixes: [{ title: sentence('Change to "{0}"', right), edits: [{ path: at, name: right }] }],
      };
    if (!ownNames.has(name)) yield* snakeCaseIn(held, at);
  }
  for (const [index, item] of listed(value)) yield* snakeCaseIn(item, [...path, index]);
}

/** Members of 0.3, and where 1.0 has them. */
const moved = {
  protocolVersion: 'supportedInterfaces[].protocolVersion',
  preferredTransport: 'supportedInterfaces[].protocolBinding',
  additionalInterfaces: 'supportedInterfaces',
  supportsAuthenticatedExtendedCard: 'capabilities.extendedAgentCard',
};

/** Members of 0.3 in a card of 1.0 that is not for older clients as well. */
export const movedMembers: CardCheck = function* (checked) {
  const { card, form } = checked;
  // Drafts of 1.0 had the version in the card, and none in its interfaces.
  const isDraft = objectsIn(card['supportedInterfaces']).some(([, { protocolVersion }]) => protocolVersion === undefined);
  if (form !== '1.0' || card['url'] !== undefined || isDraft) return;
  for (const [name, place] of Object.entries(moved)) {
    if (card[name] === undefined || [...statedVersion(checked)].some(({ path }) => path[0] === name)) continue;
    yield {
      code: 'moved-member',
      path: [name],
      isName: true,
      severity: 'information',
      sentence: sentence('"{0}" is not a member of cards of A2A 1.0. It is now {1}.', name, place),
      fixes: [],
    };
  }
};

/** The 0.3 member `security` is `securityRequirements` in 1.0, and each entry has `schemes` (A2A 1.0 §4.4.1). */
export const oldSecurity: CardCheck = function* ({ card, form }) {
  if (form !== '1.0') return;
  // A card with 0.3 members beside those of 1.0 has them for older clients.
  if (card['url'] !== undefined) return;
  const old = card['security'];
  if (!Array.isArray(old) || card['securityRequirements'] !== undefined) return;
  yield {
    code: 'old-security',
    path: ['security'],
    isName: true,
    severity: 'warning',
    sentence: sentence('In A2A 1.0 this member is called securityRequirements, and each of them has schemes.'),
    fixes: [
      {
        title: sentence('Write it as 1.0 does'),
        edits: [
          { path: ['security'], name: 'securityRequirements' },
          { path: ['security'], value: old.map(asRequirement) },
        ],
      },
    ],
  };
};

function asRequirement(value: unknown): unknown {
  if (!isObject(value) || 'schemes' in value) return value;
  return { schemes: Object.fromEntries(Object.entries(value).map(([name, scopes]) => [name, { list: scopes }])) };
}

/** An extension is identified by its URI (A2A 1.0 §4.4.4). */
export const extensionUris: CardCheck = function* ({ card }) {
  const seen = new Set<string>();
  const { capabilities } = card;
  for (const [index, { uri }] of objectsIn(isObject(capabilities) ? capabilities['extensions'] : undefined)) {
    if (typeof uri !== 'string') continue;
    const path = ['capabilities', 'extensions', index, 'uri'];
    if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(uri)) {
      yield {
        code: 'extension-uri',
        path,
        severity: 'warning',
        fixes: [],
        sentence: sentence('"{0}" is not a URI. Extensions are identified by URIs.', uri),
      };
    } else if (seen.has(uri)) {
      yield { code: 'duplicate-extension', path, severity: 'warning', fixes: [], sentence: sentence('This extension is listed twice.') };
    }
    seen.add(uri);
  }
};
