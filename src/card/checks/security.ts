import { sentence } from '../../protocol/problem.ts';
import { memberOf, membersOf, rangeOf, type JsonNode } from '../../request/text/jsonNode.ts';
import type { CardCheck, CardProblem } from '../cardProblem.ts';
import type { CardText } from '../cardText.ts';
import { renameMember, setAt } from '../edits.ts';
import { closestMatch } from '../../protocol/closestMatch.ts';

const schemeMembers = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
];
const flowMembers = ['authorizationCode', 'clientCredentials', 'deviceCode', 'implicit', 'password'];

/** Every security scheme that the card or a skill requires is defined (A2A 1.0 §7.3). */
export const requiredSchemes: CardCheck = function* (card) {
  const defined = new Set(membersOf(memberOf(card.root, 'securitySchemes')?.value).map(({ name }) => name));
  for (const list of requirementLists(card)) {
    for (const requirement of list.children ?? []) {
      for (const member of membersOf(memberOf(requirement, 'schemes')?.value ?? requirement)) {
        if (defined.has(member.name)) continue;
        yield {
          code: 'undefined-scheme',
          range: member.nameRange,
          severity: 'error',
          sentence: sentence('The card requires the security scheme "{0}" and does not define it in securitySchemes.', member.name),
          get fixes() {
            const like = closestMatch(member.name, defined);
            return [
              ...(like === undefined ? [] : [{ title: sentence('Change to "{0}"', like), edits: renameMember(member, like) }]),
              {
                title: sentence('Define "{0}" as a bearer token', member.name),
                edits: setAt(card, ['securitySchemes', member.name], bearer[card.form]),
              },
            ];
          },
        };
      }
    }
  }
};

const bearer = {
  '1.0': { httpAuthSecurityScheme: { scheme: 'Bearer' } },
  '0.3': { type: 'http', scheme: 'bearer' },
};

function* requirementLists({ root }: CardText): Iterable<JsonNode> {
  const skills = memberOf(root, 'skills')?.value?.children ?? [];
  for (const holder of [root, ...skills]) {
    for (const name of ['securityRequirements', 'security']) {
      const list = memberOf(holder, name)?.value;
      if (list?.type === 'array') yield list;
    }
  }
}

/** A 1.0 scheme has exactly one member for its kind, and an OAuth 2.0 scheme exactly one flow (A2A 1.0 §4.5). */
export const oneKind: CardCheck = function* (card) {
  if (card.form !== '1.0') return;
  for (const { name, nameRange, value } of membersOf(memberOf(card.root, 'securitySchemes')?.value)) {
    if (value?.type !== 'object') continue;
    yield* exactlyOne(value, schemeMembers, nameRange, name);
    const flows = memberOf(memberOf(value, 'oauth2SecurityScheme')?.value, 'flows')?.value;
    if (flows?.type === 'object') yield* exactlyOne(flows, flowMembers, rangeOf(flows), `${name} flows`);
  }
};

function* exactlyOne(holder: JsonNode, members: readonly string[], range: CardProblem['range'], what: string): Iterable<CardProblem> {
  const found = membersOf(holder).filter(({ name }) => members.includes(name));
  if (found.length === 1) return;
  yield found.length === 0
    ? { code: 'no-kind', range, severity: 'error', fixes: [], sentence: sentence('"{0}" needs one of {1}.', what, members.join(', ')) }
    : {
        code: 'several-kinds',
        range: found[1]!.nameRange,
        severity: 'error',
        fixes: [],
        sentence: sentence('"{0}" may have only one of {1}.', what, members.join(', ')),
      };
}

/** A card is public: it names kinds of credentials and must not contain any (A2A 1.0 §14.3). */
export const noCredentials: CardCheck = function* ({ root }) {
  for (const { name, value } of walk(root)) {
    if (value?.type !== 'string' || !/^(credentials|password|secret|token|api[-_]?key|client[-_]?secret|private[-_]?key)$/i.test(name))
      continue;
    if (String(value.value).length < 8) continue;
    yield {
      code: 'credential',
      range: rangeOf(value),
      severity: 'warning',
      fixes: [],
      sentence: sentence('This looks like a credential. Agent cards are public: whoever can read the card can use it.'),
    };
  }
};

function* walk(node: JsonNode): Iterable<ReturnType<typeof membersOf>[number]> {
  for (const member of membersOf(node)) {
    yield member;
    if (member.value !== undefined) yield* walk(member.value);
  }
  if (node.type === 'array') for (const child of node.children ?? []) yield* walk(child);
}
