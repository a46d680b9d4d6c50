import * as assert from 'node:assert/strict';
import { plainCard } from '../../../src/mock/plainCard.ts';
import { collect, maxFindings } from '../../../src/protocol/finding.ts';
import { operations, type UnaryOperation } from '../../../src/protocol/operations.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard, readResult, readStreamResponse } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/version.ts';
import { CoreValues } from './support/coreValues.ts';
import { forms } from './support/forms.ts';
import { Random } from './support/random.ts';

/** Bodies a generation; set A2A_FUZZ for the long run (100000). */
const rounds = Number(process.env['A2A_FUZZ'] ?? 2000);

type Wire = Record<string, unknown>;

const strangers: readonly (() => unknown)[] = [
  () => null, () => 0, () => -1, () => 1e308, () => '', () => 'x', () => true, () => [], () => ({}), () => [null], () => ({ kind: 'task' }), () => '\u0000\ud800',
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown, () => 'toString', () => '__proto__',
  () => JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown, () => 'A'.repeat(5000),
];

const names = ['kind', 'type', 'id', 'taskId', 'contextId', 'sessionId', 'status', 'state', 'artifact', 'artifacts', 'parts', 'content', 'data', 'file', 'text', 'raw', 'url',
  'message', 'msg', 'task', 'tasks', 'statusUpdate', 'artifactUpdate', 'final', 'index', 'append', 'metadata', 'history', 'timestamp', 'toString', 'hasOwnProperty', 'length', '__proto__'];

/** Every object and array inside, the whole first. */
function nests(value: unknown, found: (Wire | unknown[])[] = []): (Wire | unknown[])[] {
  if (typeof value === 'object' && value !== null) {
    found.push(value as Wire);
    for (const inner of Object.values(value)) nests(inner, found);
  }
  return found;
}

/** As JSON.parse does it: a member of its own, whatever it is called. */
const put = (nest: Wire, name: string, value: unknown): unknown =>
  Object.defineProperty(nest, name, { value, enumerable: true, configurable: true, writable: true });

function mutate(value: unknown, random: Random): unknown {
  if (random.next() < 0.02) return random.pick(strangers)();
  for (let times = 1 + random.below(3); times > 0; times--) {
    // Strangers are not looked into: some have no bottom.
    const all = nests(value);
    if (all.length === 0 || all.length > 5000) return value;
    const nest = random.pick(all);
    if (Array.isArray(nest)) {
      if (random.next() < 0.5) nest.push(random.pick(strangers.slice(0, 10))());
      else nest.splice(random.below(nest.length + 1), 1);
      continue;
    }
    const members = Object.keys(nest);
    const member = members.length === 0 || random.next() < 0.2 ? random.pick(names) : random.pick(members);
    const chance = random.next();
    if (chance < 0.3) delete nest[member];
    else if (chance < 0.8) put(nest, member, random.pick(times === 1 ? strangers : strangers.slice(0, 14))());
    else put(nest, random.pick(names), Object.hasOwn(nest, member) ? structuredClone(nest[member]) : null);
  }
  return value;
}

/** Reads a body in every way there is; gives what was read. */
function* readings(version: Version, random: Random): Generator<() => unknown> {
  const values = new CoreValues(random);
  const wire = (value: unknown): unknown => mutate(JSON.parse(JSON.stringify(value)), random);
  switch (random.below(4)) {
    case 0: {
      const event = wire(version.writeStreamResponse(values.event()));
      return yield () => readStreamResponse(event, version, collect().note);
    }
    case 1: {
      const results = values.results();
      const operation = random.pick((Object.keys(results) as UnaryOperation[]).filter(name => version.methods[name] !== undefined));
      const result = wire(version.writeResult(operation, results[operation]));
      return yield () => readResult(operation, result, version, collect().note);
    }
    case 2: {
      const operation = random.pick(operations.filter(name => version.methods[name] !== undefined));
      const params = wire(version.writeParams(operation, values.params()[operation]));
      return yield () => version.readParams(operation, params, collect().note);
    }
    default: {
      const card = wire({ ...plainCard('https://a/', version.protocolVersion), securitySchemes: { x: { type: 'http', scheme: 'bearer' } }, security: [{ x: [] }] });
      return yield () => readAgentCard(card, collect().note, version.cardPath);
    }
  }
}

/** No object that was read has a prototype of someone's making. */
function assertPlain(value: unknown, seed: number): void {
  for (const nest of nests(value)) {
    const prototype: unknown = Object.getPrototypeOf(nest);
    assert.ok(prototype === Object.prototype || prototype === Array.prototype, `seed ${seed}: a foreign prototype`);
  }
}

suite('fuzz', () => {
  for (const { name, version } of forms) {
    test(`${name}: ${rounds} spoilt bodies are read or refused with a Problem`, function () {
      this.timeout(0);
      const pristine = Object.getOwnPropertyNames(Object.prototype).length;
      let read = 0;
      let refused = 0;
      let slowest = 0;
      for (let seed = 1; seed <= rounds; seed++) {
        for (const reading of readings(version, new Random(seed))) {
          const started = performance.now();
          try {
            const value = reading();
            read++;
            assertPlain(value, seed);
          } catch (error) {
            if (!(error instanceof Problem)) throw new Error(`seed ${seed}`, { cause: error });
            refused++;
          }
          slowest = Math.max(slowest, performance.now() - started);
        }
      }
      assert.equal(Object.getOwnPropertyNames(Object.prototype).length, pristine);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      assert.ok(read > rounds / 2 && refused > 0, `${read} read, ${refused} refused`);
      assert.ok(slowest < 1000, `the slowest took ${slowest} ms`);
    });

    test(`${name}: unknown members come through, wherever they are`, () => {
      for (let seed = 1; seed <= Math.min(rounds, 500); seed++) {
        const random = new Random(seed);
        const values = new CoreValues(random);
        const wire = JSON.parse(JSON.stringify(version.writeStreamResponse(values.event()))) as Wire;
        // What holds the answer or the bytes of a file is no object of core.
        const holders = new Set<unknown>(nests(wire).flatMap(nest => (Array.isArray(nest) ? [nest] : [])));
        if (wire['kind'] === undefined && wire['id'] === undefined) holders.add(wire);
        const objects = nests(wire).filter(nest => !holders.has(nest)) as Wire[];
        for (const [index, object] of objects.entries()) object[`unknown-${index}`] = `kept-${index}`;
        const { note, findings } = collect();
        const text = JSON.stringify(readStreamResponse(wire, version, note));
        const lost = objects.filter((object, index) => !text.includes(`"kept-${index}"`) && !isNestedData(object, wire));
        assert.deepEqual(lost, [], `seed ${seed}`);
        assert.ok(findings.length <= maxFindings);
      }
    });
  }
});

/** The wrapper around a value that data could not hold: it is taken off, and what is strange in it with it. */
function isNestedData(object: Wire, wire: unknown): boolean {
  return nests(wire).some(nest => !Array.isArray(nest) && nest['data'] === object);
}
