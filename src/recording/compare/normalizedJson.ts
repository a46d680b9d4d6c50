import { isObject } from '../../protocol/json.ts';

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

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** Shorter names could be words. */
const shortestInText = 8;

/**
 * A value in core shape as text to compare: members in the order of the alphabet, and what differs with every run (names of tasks, contexts,
 * messages and artifacts, other UUIDs, times) replaced by words that count them in the order in which they appear. Two answers that say
 * the same give the same text.
 */
export function normalizedJson(value: unknown): string {
  const sorted = inOrder(value);
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const name = (kind: string, id: string): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(id, `<${kind} ${count}>`);
    return `<${kind} ${count}>`;
  };
  nameAll(sorted, name);
  const inText = [...names].filter(([id]) => id.length >= shortestInText).sort(([one], [other]) => other.length - one.length);
  const plain = (text: string): string => {
    let result = text;
    for (const [id, placeholder] of inText) result = result.replaceAll(id, placeholder);
    return result.replaceAll(time, '<time>').replaceAll(uuid, id => name('id', id.toLowerCase()));
  };
  return JSON.stringify(replaced(sorted, { named: id => names.get(id) ?? id, plain }, false), null, 2) ?? '';
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

function nameAll(value: unknown, name: (kind: string, id: string) => string): void {
  if (Array.isArray(value)) for (const item of value) nameAll(item, name);
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const kind = isNaming(key, value);
    if (kind !== undefined) for (const id of [member].flat()) if (typeof id === 'string' && id !== '') name(kind, id);
    if (kind === undefined && !opaque.has(key)) nameAll(member, name);
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
