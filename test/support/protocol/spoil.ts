import type { Random } from './random.ts';

export type Wire = Record<string, unknown>;

/** Deeper than anything walks; never changed, so that one is enough. */
const bottomless = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
const poison = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

/** Values that do not belong where they are put. The last ones are too deep or too long to be looked into. */
const strangers: readonly (() => unknown)[] = [
  () => null,
  () => 0,
  () => -1,
  () => 1e308,
  () => '',
  () => 'x',
  () => true,
  () => [],
  () => ({}),
  () => [null],
  () => ({ kind: 'task' }),
  () => '\u0000\ud800',
  () => JSON.parse(poison) as unknown,
  () => 'toString',
  () => '__proto__',
  () => bottomless,
  () => 'A'.repeat(5000),
];
const small = strangers.slice(0, 10);
const shallow = strangers.slice(0, 14);

const names = [
  'kind',
  'type',
  'id',
  'taskId',
  'contextId',
  'sessionId',
  'status',
  'state',
  'artifact',
  'artifacts',
  'parts',
  'content',
  'data',
  'file',
  'text',
  'raw',
  'url',
  'message',
  'msg',
  'task',
  'tasks',
  'statusUpdate',
  'artifactUpdate',
  'final',
  'index',
  'append',
  'metadata',
  'history',
  'timestamp',
  'toString',
  'hasOwnProperty',
  'length',
  '__proto__',
  'event',
  'result',
  'error',
  'progress',
  'fileWithBytes',
  'role',
  'name',
  'supportedInterfaces',
  'securitySchemes',
  'skills',
  'capabilities',
];

/** Every object and array inside, the whole first. */
export function nests(value: unknown, found: (Wire | unknown[])[] = []): (Wire | unknown[])[] {
  if (typeof value === 'object' && value !== null) {
    found.push(value as Wire);
    for (const inner of Object.values(value)) nests(inner, found);
  }
  return found;
}

/** As JSON.parse does it: a member of its own, whatever it is called. */
const put = (nest: Wire, name: string, value: unknown): unknown =>
  Object.defineProperty(nest, name, { value, enumerable: true, configurable: true, writable: true });

/** Changes a body in up to three places, or puts a stranger in its place. */
export function spoil(value: unknown, random: Random): unknown {
  if (random.next() < 0.02) return random.pick(strangers)();
  for (let times = 1 + random.below(3); times > 0; times--) {
    const all = nests(value);
    if (all.length === 0 || all.length > 5000) return value;
    const nest = random.pick(all);
    if (Array.isArray(nest)) {
      if (random.next() < 0.5) nest.push(random.pick(small)());
      else nest.splice(random.below(nest.length + 1), 1);
      continue;
    }
    const members = Object.keys(nest);
    const member = members.length === 0 || random.next() < 0.2 ? random.pick(names) : random.pick(members);
    const chance = random.next();
    if (chance < 0.3) delete nest[member];
    else if (chance < 0.8) put(nest, member, random.pick(times === 1 ? strangers : shallow)());
    else put(nest, random.pick(names), Object.hasOwn(nest, member) ? structuredClone(nest[member]) : null);
  }
  return value;
}
