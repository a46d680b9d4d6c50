import { isNumber } from '../../protocol/exactNumber.ts';
import { isObject } from '../../protocol/json.ts';
import { pointerSteps } from '../../protocol/json/pointer.ts';
import { type Normalization, usual } from './normalization.ts';

type Kind = 'task' | 'context' | 'message' | 'artifact';

/** Members of tasks, messages, artifacts and events that name something. */
const idMembers: Readonly<Record<string, Kind>> = {
  taskId: 'task',
  referenceTaskIds: 'task',
  contextId: 'context',
  messageId: 'message',
  artifactId: 'artifact',
};

/** Content of agents: an `id` in it is no task's. */
const opaque = new Set(['data', 'metadata', 'params']);

const uuid = /\b[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}\b/g;
const isUuid = new RegExp(`^${uuid.source}$`);
const time = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;

/**
 * Names that look made by a program: with a digit, or with small and capital letters mixed as no word has them. All others, such as
 * `itinerary`, are words of the agent, and a change of them is one of its answer.
 */
const generated = /\d|[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]/;
const isGenerated = (id: string): boolean => generated.test(id);

/** Generated names that are looked for inside texts, in UTF-16 code units: shorter ones could be words, and longer ones are no names. */
const [shortestInText, longestInText] = [8, 128];
/** Most names that are looked for inside texts: all of them make one regular expression. */
const mostInText = 1_000;

/**
 * A value in core shape as text to compare: members in the order of the alphabet, and what differs with every run (names of tasks, contexts
 * and messages, generated names of artifacts, other UUIDs, times) replaced by words that count them in the order in which they appear. Two answers that say
 * the same give the same text.
 */
export const normalizedJson = (value: unknown, normalization = usual): string => asText(normalizer(value, normalization)(value));

export const asText = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';

/**
 * A function that normalizes a value or a piece of it. Each piece counts by itself what it names, so that a name more in one changes no
 * other; what a name is of is known from the whole.
 */
export function normalizer(whole: unknown, { ids, times, keyOrder }: Normalization): (piece: unknown) => unknown {
  const kinds = new Map<string, Kind>();
  if (ids) nameAll(whole, kinds);
  const inText = [...kinds.keys()]
    .filter(id => id.length >= shortestInText && id.length <= longestInText && isGenerated(id) && !isUuid.test(id))
    .slice(0, mostInText)
    .sort((one, other) => other.length - one.length)
    .map(id => id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const known = inText.length === 0 ? undefined : new RegExp(inText.join('|'), 'g');
  return piece => {
    const names = new Map<string, string>();
    const counts = new Map<string, number>();
    const name = (id: string, kind: string): string => {
      const before = names.get(id);
      if (before !== undefined) return before;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      names.set(id, `<${kind} ${count}>`);
      return `<${kind} ${count}>`;
    };
    const named = (id: string): string => {
      const kind = kinds.get(id);
      return kind === undefined ? id : name(id, kind);
    };
    const plain = (text: string): string => {
      let result = known === undefined ? text : text.replace(known, named);
      if (times) result = result.replace(time, '<time>');
      if (ids) result = result.replace(uuid, id => name(kinds.has(id) ? id : id.toLowerCase(), kinds.get(id) ?? 'id'));
      return result;
    };
    const ordered = keyOrder ? inOrder(piece) : piece;
    return replaced(ordered, { named, plain }, false);
  };
}

/** Undefined members are none. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => inOrder(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, inOrder(member)]),
  );
}

const isNaming = (key: string, holder: Readonly<Record<string, unknown>>): Kind | undefined =>
  key === 'id' && isObject(holder['status']) ? 'task' : Object.hasOwn(idMembers, key) ? idMembers[key] : undefined;

/** Tasks, contexts and messages differ with every run, whatever they are called; an artifact that is called by a word is not. */
const isName = (id: string, kind: Kind): boolean => id !== '' && (kind !== 'artifact' || isGenerated(id));

function nameAll(value: unknown, kinds: Map<string, Kind>): void {
  if (Array.isArray(value)) for (const item of value) nameAll(item, kinds);
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const kind = isNaming(key, value);
    if (kind === undefined) {
      if (!opaque.has(key)) nameAll(member, kinds);
    } else for (const id of [member].flat()) if (typeof id === 'string' && isName(id, kind) && !kinds.has(id)) kinds.set(id, kind);
  }
}

interface Words {
  /** For a member that is a name. */
  readonly named: (id: string) => string;
  /** For any other text. */
  readonly plain: (text: string) => string;
}

function replaced(value: unknown, words: Words, isOpaque: boolean): unknown {
  if (typeof value === 'string') return words.plain(value);
  if (Array.isArray(value)) return value.map(item => replaced(item, words, isOpaque));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (isOpaque || isNaming(key, value) === undefined) return [key, replaced(member, words, isOpaque || opaque.has(key))];
      return [
        key,
        Array.isArray(member)
          ? member.map(id => (typeof id === 'string' ? words.named(id) : id))
          : typeof member === 'string'
            ? words.named(member)
            : member,
      ];
    }),
  );
}

/** The value without the members that do not count. */
export function withoutMembers(value: unknown, without: readonly string[] = []): unknown {
  const names = new Set(without.filter(each => !each.startsWith('/')));
  const places = new Set(without.flatMap(each => pointerSteps(each)?.join('\0') ?? []).filter(place => place !== ''));
  return names.size + places.size === 0 ? value : remaining(value, '', (name, place) => names.has(name) || places.has(place));
}

function remaining(value: unknown, place: string, isLeftOut: (name: string, place: string) => boolean): unknown {
  const at = (step: string | number): string => (place === '' ? String(step) : `${place}\0${step}`);
  if (Array.isArray(value))
    return value.flatMap((item, index) => (isLeftOut('', at(index)) ? [] : [remaining(item, at(index), isLeftOut)]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (isLeftOut(key, at(key)) ? [] : [[key, remaining(member, at(key), isLeftOut)]])),
  );
}

/** The value with the numbers of another one at the same place where they are near enough, so that they do not show as a difference. */
export function withNumbersOf(base: unknown, value: unknown, tolerance: number): unknown {
  if (isNumber(value)) return isNumber(base) && Math.abs(Number(value) - Number(base)) <= tolerance ? base : value;
  if (Array.isArray(value)) return Array.isArray(base) ? value.map((item, index) => withNumbersOf(base[index], item, tolerance)) : value;
  if (!isObject(value) || !isObject(base)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, Object.hasOwn(base, key) ? withNumbersOf(base[key], member, tolerance) : member]),
  );
}
