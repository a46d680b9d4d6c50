import { closestMatch } from '../../closestMatch.ts';
import { isObject } from '../../json.ts';
import { listOf, sentence, type LocalizedMessage } from '../../problem.ts';
import { listed, membersIn, objectsIn, withSkills, type CardCheck, type CardFault, type CardPath, type Fields } from './cardFault.ts';

export const schemeMembers = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
];
const flowMembers = ['authorizationCode', 'clientCredentials', 'deviceCode', 'implicit', 'password'];

/** Every security scheme that the card or a skill requires is defined (A2A 1.0 §7.3). */
export const requiredSchemes: CardCheck = function* (card) {
  const defined = new Set(membersIn(card.card['securitySchemes']).map(([name]) => name));
  for (const [path, requirement] of requirementsOf(card)) {
    const { schemes } = requirement;
    const inner = isObject(schemes) ? ['schemes'] : [];
    for (const [name] of membersIn(isObject(schemes) ? schemes : requirement)) {
      if (defined.has(name)) continue;
      const at = [...path, ...inner, name];
      yield {
        code: 'undefined-scheme',
        path: at,
        isName: true,
        severity: 'error',
        sentence: sentence('The card requires the security scheme "{0}" and does not define it in securitySchemes.', name),
        get fixes() {
          const like = closestMatch(name, defined);
          return [
            ...(like === undefined ? [] : [{ title: sentence('Change to "{0}"', like), edits: [{ path: at, name: like }] }]),
            {
              title: sentence('Define "{0}" as a bearer token', name),
              edits: [{ path: ['securitySchemes', name], value: bearer[card.form] }],
            },
          ];
        },
      };
    }
  }
};

const bearer = {
  '1.0': { httpAuthSecurityScheme: { scheme: 'Bearer' } },
  '0.3': { type: 'http', scheme: 'bearer' },
};

/** 1.0 writes securityRequirements in its protocol buffers and security in its text. */
function* requirementsOf(card: Parameters<CardCheck>[0]): Iterable<readonly [CardPath, Fields]> {
  for (const [path, holder] of withSkills(card))
    for (const name of ['securityRequirements', 'security'])
      for (const [index, requirement] of objectsIn(holder[name])) yield [[...path, name, index], requirement];
}

/** A 1.0 scheme has exactly one member for its kind, and an OAuth 2.0 scheme exactly one flow (A2A 1.0 §4.5). */
export const oneKind: CardCheck = function* ({ card, form }) {
  if (form !== '1.0') return;
  for (const [name, scheme] of membersIn(card['securitySchemes'])) {
    if (!isObject(scheme)) continue;
    const path = ['securitySchemes', name];
    yield* exactlyOne(scheme, schemeMembers, path, name);
    const oauth = scheme['oauth2SecurityScheme'];
    if (isObject(oauth) && isObject(oauth['flows']))
      yield* exactlyOne(oauth['flows'], flowMembers, [...path, 'oauth2SecurityScheme', 'flows'], `${name}.flows`);
  }
};

function* exactlyOne(holder: Fields, members: readonly string[], path: CardPath, what: string): Iterable<CardFault> {
  const found = Object.keys(holder).filter(name => members.includes(name) && holder[name] !== null);
  if (found.length === 1) return;
  yield found.length === 0
    ? {
        code: 'no-kind',
        path,
        ...(members === schemeMembers && { isName: true }),
        severity: 'error',
        fixes: [],
        sentence: sentence('"{0}" needs one of {1}.', what, listOf(members)),
      }
    : {
        code: 'several-kinds',
        path: [...path, found[1]!],
        isName: true,
        severity: 'error',
        fixes: [],
        sentence: sentence('"{0}" may have only one of {1}.', what, listOf(members)),
      };
}

/** Texts in the form of credentials. Public keys and examples of formats are none. */
const shapes: readonly (readonly [what: LocalizedMessage, shape: RegExp])[] = [
  [sentence('a private key'), /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  [sentence('a key of AWS'), /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/],
  [sentence('a token of GitHub'), /\bgh[pousr]_[A-Za-z\d]{36}/],
  [sentence('a token of Slack'), /\bxox[abprs]-\d{6,}-[\w-]{10,}/],
  [sentence('a key of Google'), /\bAIza[\w-]{35}\b/],
  [sentence('a key of a model provider'), /\bsk-(?:ant-|proj-)?[A-Za-z\d_-]{32,}/],
];
const passwordInAddress = /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]+:[^/\s@{}<]+@/i;
const secretName = /^(credentials|password|secret|token|api[-_]?key|client[-_]?secret|private[-_]?key)$/i;
/** Most of one text that is searched, in UTF-16 code units, and most values. */
const maxText = 10_000;
const maxValues = 100_000;

/** A card is public: it names kinds of credentials and must not contain any (A2A 1.0 §14.3). */
export const noCredentials: CardCheck = function* ({ card }) {
  yield* credentialsIn(card, [], { values: 0 });
};

function* credentialsIn(value: unknown, path: CardPath, count: { values: number }): Generator<CardFault> {
  if (++count.values > maxValues) return;
  if (typeof value === 'string') {
    const text = value.slice(0, maxText);
    const name = path.at(-1);
    const found =
      shapes.find(([, shape]) => shape.test(text))?.[0] ??
      // Another check covers the address of an interface.
      (passwordInAddress.test(text) && !isInterfaceUrl(path) ? sentence('a password in an address') : undefined);
    const isNamed = typeof name === 'string' && secretName.test(name) && value.length >= 8;
    if (found === undefined && !isNamed) return;
    yield {
      code: 'credential',
      path,
      severity: 'warning',
      fixes: [],
      sentence:
        found === undefined
          ? sentence('This looks like a credential. Agent cards are public: anyone who reads the card can use it.')
          : sentence('This looks like {0}.', found),
    };
  }
  for (const [index, item] of listed(value)) yield* credentialsIn(item, [...path, index], count);
  // A signature is over the card, and is no secret; a scope has any name.
  for (const [name, inner] of membersIn(value))
    if (name !== 'signatures' && name !== 'scopes') yield* credentialsIn(inner, [...path, name], count);
}

const isInterfaceUrl = (path: CardPath): boolean =>
  path.at(-1) === 'url' && (path.length === 1 || path[0] === 'supportedInterfaces' || path[0] === 'additionalInterfaces');
