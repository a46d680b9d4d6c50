import { exactJson } from '../../protocol/json/exactJson.ts';
import { isDeepStrictEqual } from 'node:util';
import type { SignatureVerdict } from '../../client/card/signatures/signatureReport.ts';
import { unwrappedCard } from '../../protocol/card/unwrappedCard.ts';
import { isObject } from '../../protocol/json.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** The compared facts of a card. */
export interface ComparedCard {
  /** Its JSON. */
  readonly source: string;
  readonly verdict: SignatureVerdict | 'unsigned';
  /** Thumbprint of the key of the valid signature. */
  readonly thumbprint?: string;
}

type Card = Readonly<Record<string, unknown>>;

/** Most changes in the result. */
const maxPhrases = 30;
/** Members that decide who may send requests, in any version of the protocol. */
const security = ['securitySchemes', 'securityRequirements', 'security', 'authentication'];
/** Members that decide where requests go, in any version of the protocol. */
const addresses = ['url', 'supportedInterfaces', 'additionalInterfaces', 'endpoints'];

/**
 * Changes between two cards, as phrases: signatures, origins of interfaces and security first, then the rest. Formatting, the order of
 * members, and that of texts in a list do not count.
 */
export function cardChanges(before: ComparedCard, after: ComparedCard): readonly LocalizedMessage[] {
  const [old, now] = [cardIn(before.source), cardIn(after.source)];
  if (old === undefined || now === undefined) return before.source === after.source ? [] : [sentence('content changed')];
  const others = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    name => !['signatures', 'skills', ...security, ...addresses].includes(name),
  );
  const movedOrigins = originChanges(old, now);
  return [
    ...signatureChanges(before, after, old, now),
    ...movedOrigins,
    ...memberChanges(old, now, security),
    ...skillSecurityChanges(old, now),
    // A change of origin already covers it.
    ...(movedOrigins.length === 0 ? memberChanges(old, now, addresses) : []),
    ...skillChanges(old, now),
    ...memberChanges(old, now, others),
  ].slice(0, maxPhrases);
}

function cardIn(source: string): Card | undefined {
  try {
    const card = unwrappedCard(exactJson(source));
    return isObject(card) ? card : undefined;
  } catch {
    return undefined;
  }
}

const isGood = (verdict: ComparedCard['verdict']): boolean => verdict === 'valid' || verdict === 'partial';

function signatureChanges(before: ComparedCard, after: ComparedCard, old: Card, now: Card): readonly LocalizedMessage[] {
  if (after.verdict === 'keys-unavailable' || before.verdict === 'keys-unavailable') return [];
  if (after.verdict === 'unsigned') return before.verdict === 'unsigned' ? [] : [sentence('signature removed')];
  if (after.verdict === 'invalid') return before.verdict === 'invalid' ? [] : [sentence('signature does not match')];
  if (before.verdict === 'unsigned') return [sentence('signature added')];
  if (!isGood(before.verdict)) return [];
  if (after.verdict === 'expired-key') return [sentence('signed with a key that is expired or revoked')];
  if (!isGood(after.verdict)) return [sentence('signed with a key that is not trusted')];
  if (before.thumbprint !== after.thumbprint) return [sentence('signed with another key')];
  // New members that the signature does not cover.
  return before.verdict === 'valid' && after.verdict === 'partial' && !same(old, now) ? [sentence('signature covers only a part')] : [];
}

function originsIn(card: Card): ReadonlySet<string> {
  const lists = ['supportedInterfaces', 'additionalInterfaces'].flatMap(name =>
    Array.isArray(card[name]) ? (card[name] as readonly unknown[]) : [],
  );
  const urls = [card, ...lists].flatMap(entry => (isObject(entry) && typeof entry['url'] === 'string' ? [entry['url']] : []));
  return new Set(urls.flatMap(url => (URL.canParse(url) ? [originOf(new URL(url))] : [])));
}

/** `URL.origin` is `null` for schemes such as that of gRPC. */
const originOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

function originChanges(old: Card, now: Card): readonly LocalizedMessage[] {
  const [had, has] = [originsIn(old), originsIn(now)];
  const [gone, come] = [[...had].filter(origin => !has.has(origin)), [...has].filter(origin => !had.has(origin))];
  const [only] = come;
  const [former] = gone;
  if (come.length === 1 && gone.length === 1) return [sentence('address {0} instead of {1}', only ?? '', former ?? '')];
  return [...come.map(origin => sentence('address {0} added', origin)), ...gone.map(origin => sentence('address {0} removed', origin))];
}

const memberChanges = (old: Card, now: Card, names: readonly string[]): readonly LocalizedMessage[] =>
  names.flatMap(name => {
    const [had, has] = [old[name] ?? undefined, now[name] ?? undefined];
    if (same(had, has)) return [];
    if (had === undefined) return [sentence('{0} added', name)];
    return [has === undefined ? sentence('{0} removed', name) : sentence('{0} changed', name)];
  });

/** Skills by their id; those without one by their place. */
function skillsIn(card: Card): ReadonlyMap<string, Card> {
  const list = Array.isArray(card['skills']) ? (card['skills'] as readonly unknown[]) : [];
  return new Map(list.filter(isObject).map((skill, index) => [typeof skill['id'] === 'string' ? skill['id'] : `#${index}`, skill]));
}

const withoutSecurity = (skill: Card): Card => Object.fromEntries(Object.entries(skill).filter(([name]) => !security.includes(name)));

function skillSecurityChanges(old: Card, now: Card): readonly LocalizedMessage[] {
  const had = skillsIn(old);
  return [...skillsIn(now)].flatMap(([id, skill]) => {
    const former = had.get(id);
    return former === undefined || security.every(name => same(former[name], skill[name]))
      ? []
      : [sentence('security of the skill {0} changed', id)];
  });
}

function skillChanges(old: Card, now: Card): readonly LocalizedMessage[] {
  const [had, has] = [skillsIn(old), skillsIn(now)];
  const added = [...has.keys()].filter(id => !had.has(id)).length;
  const removed = [...had.keys()].filter(id => !has.has(id)).length;
  const changed = [...has].filter(([id, skill]) => {
    const former = had.get(id);
    return former !== undefined && !same(withoutSecurity(former), withoutSecurity(skill));
  }).length;
  return [
    ...(added === 0 ? [] : [added === 1 ? sentence('1 skill added') : sentence('{0} skills added', added)]),
    ...(removed === 0 ? [] : [removed === 1 ? sentence('1 skill removed') : sentence('{0} skills removed', removed)]),
    ...(changed === 0 ? [] : [changed === 1 ? sentence('1 skill changed') : sentence('{0} skills changed', changed)]),
  ];
}

/** Null counts as absent, and a list of texts as a set. */
const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(plain);
    return items.every(item => typeof item === 'string') ? items.toSorted() : items;
  }
  if (!isObject(value)) return value ?? undefined;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, plain(member)]),
  );
}
