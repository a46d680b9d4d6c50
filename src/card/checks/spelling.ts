import { sentence } from '../../protocol/problem.ts';
import { memberOf, membersOf, valueOf, type JsonNode } from '../../request/text/jsonNode.ts';
import type { CardCheck } from '../cardProblem.ts';
import { renameMember, setAt } from '../edits.ts';

/** Members whose value is a map with keys that the author chooses. */
const ownNames = new Set([
  'securitySchemes',
  'schemes',
  'security',
  'scopes',
  'params',
  'metadata',
  'header',
  'signatures',
  'securityRequirements',
]);

/** Members are written in camelCase (A2A 1.0 §5.5). */
export const camelCase: CardCheck = function* ({ root }) {
  for (const member of walk(root)) {
    const right = member.name.replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (right === member.name || !/^[a-z]+(_[a-z0-9]+)+$/.test(member.name)) continue;
    yield {
      code: 'snake-case',
      range: member.nameRange,
      severity: 'warning',
      sentence: sentence('Members are written in camelCase: "{0}" is not read.', member.name),
      fixes: [{ title: sentence('Change to "{0}"', right), edits: renameMember(member, right) }],
    };
  }
};

function* walk(node: JsonNode): Iterable<ReturnType<typeof membersOf>[number]> {
  for (const member of membersOf(node)) {
    yield member;
    if (member.value !== undefined && !ownNames.has(member.name)) yield* walk(member.value);
  }
  if (node.type === 'array') for (const child of node.children ?? []) yield* walk(child);
}

/** The 0.3 member `security` is `securityRequirements` in 1.0, and each entry has `schemes` (A2A 1.0 §4.4.1). */
export const oldSecurity: CardCheck = function* (card) {
  if (card.form !== '1.0') return;
  // A card with 0.3 members beside those of 1.0 has them for older clients.
  if (memberOf(card.root, 'url') !== undefined) return;
  const old = memberOf(card.root, 'security');
  if (old?.value?.type !== 'array' || memberOf(card.root, 'securityRequirements') !== undefined) return;
  const requirements = (old.value.children ?? []).map(valueOf).map(asRequirement);
  yield {
    code: 'old-security',
    range: old.nameRange,
    severity: 'warning',
    sentence: sentence('In A2A 1.0 this member is called securityRequirements, and each of them has schemes.'),
    get fixes() {
      return [
        {
          title: sentence('Write it as 1.0 does'),
          edits: [...renameMember(old, 'securityRequirements'), ...setAt(card, ['security'], requirements)],
        },
      ];
    },
  };
};

function asRequirement(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || 'schemes' in value) return value;
  return { schemes: Object.fromEntries(Object.entries(value).map(([name, scopes]) => [name, { list: scopes as unknown }])) };
}

/** An extension is identified by its URI (A2A 1.0 §4.4.4). */
export const extensionUris: CardCheck = function* ({ root }) {
  const seen = new Set<string>();
  for (const extension of memberOf(memberOf(root, 'capabilities')?.value, 'extensions')?.value?.children ?? []) {
    const uri = memberOf(extension, 'uri')?.value;
    if (uri?.type !== 'string') continue;
    const written = String(uri.value);
    const range = { offset: uri.offset, length: uri.length };
    if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(written)) {
      yield {
        code: 'extension-uri',
        range,
        severity: 'warning',
        fixes: [],
        sentence: sentence('An extension is named by a URI, which "{0}" is not.', written),
      };
    } else if (seen.has(written)) {
      yield { code: 'duplicate-extension', range, severity: 'warning', fixes: [], sentence: sentence('This extension is listed twice.') };
    }
    seen.add(written);
  }
};
