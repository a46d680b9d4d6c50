import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { collect, maxFindings, type Note } from '../../../src/protocol/finding.ts';
import { operations, type UnaryOperation } from '../../../src/protocol/message/operations.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard, readResult, readStreamResponse } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';
import { CoreValues } from './coreValues.ts';
import { has, isA2A } from './operationsOf.ts';
import { Random } from './random.ts';
import { nests, spoil } from './spoil.ts';

/** A sound body and how it is read. */
interface Sound {
  readonly text: string;
  readonly read: (body: unknown, note: Note) => unknown;
}

/** Longest that one body may take to read, in milliseconds. */
const longest = 250;
/** Bodies that are spoilt from one sound one: making it costs more than reading it. */
const spoiltEach = 5;

function sound(version: Version, random: Random): Sound {
  const values = new CoreValues(random);
  switch (random.below(4)) {
    case 0:
      return {
        text: JSON.stringify(version.writeStreamResponse(values.event())),
        read: (body, note) => readStreamResponse(body, version, note),
      };
    case 1: {
      const results = values.results();
      const operation = random.pick((Object.keys(results) as UnaryOperation[]).filter(name => has(version, name)));
      return {
        text: JSON.stringify(version.writeResult(operation, results[operation])),
        read: (body, note) => readResult(operation, body, version, note),
      };
    }
    case 2: {
      const operation = random.pick(operations.filter(name => has(version, name)));
      const core = values.params()[operation];
      // A task API takes data alone, whatever else messages hold.
      if (!isA2A(version) && 'message' in core) core.message.parts.unshift({ data: { a: [1] } });
      return {
        text: JSON.stringify(version.writeParams(operation, core)),
        read: (body, note) => version.readParams(operation, body, note),
      };
    }
    default: {
      const card = {
        ...minimalCard('https://a/', version.protocolVersion),
        securitySchemes: { x: { type: 'http', scheme: 'bearer' } },
        security: [{ x: [] }],
      };
      return { text: JSON.stringify(card), read: (body, note) => readAgentCard(body, note, version.cardPath) };
    }
  }
}

/** What a hostile body could have changed for everyone. */
const globals = (): string =>
  JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype, String.prototype, Problem.prototype]
      .map(Reflect.ownKeys)
      .map(keys => keys.map(String)),
  );

/** No object that was read has a prototype of someone's making. */
function assertPlain(value: unknown): void {
  for (const nest of nests(value)) {
    const prototype: unknown = Object.getPrototypeOf(nest);
    if (prototype !== Object.prototype && prototype !== Array.prototype) assert.fail('a foreign prototype');
  }
}

export interface Fuzzed {
  readonly read: number;
  readonly refused: number;
}

/**
 * Reads spoilt bodies of one generation, those of the seeds `from` up to `to`. Every one must be read, or refused with a Problem, in
 * time; what is read must be plain, what is given to read stays as it was, and nothing else changes.
 * @throws Error naming the seed: the same seed makes the same body again.
 */
export function fuzz(version: Version, from: number, to: number): Fuzzed {
  const before = globals();
  let base: { readonly seed: number; readonly sound: Sound } | undefined;
  let read = 0;
  let refused = 0;
  for (let seed = from; seed < to; seed++) {
    const baseSeed = seed - (seed % spoiltEach);
    if (base?.seed !== baseSeed) base = { seed: baseSeed, sound: sound(version, new Random(baseSeed)) };
    try {
      if (readOne(base.sound, seed)) read++;
      else refused++;
    } catch (error) {
      throw new Error(`seed ${seed} of ${version.protocolVersion}`, { cause: error });
    }
  }
  assert.equal(globals(), before);
  return { read, refused };
}

/** Whether it was read rather than refused. */
function readOne({ text, read }: Sound, seed: number): boolean {
  const body = spoil(JSON.parse(text), new Random(seed));
  const watched = seed % 64 === 0 ? asText(body) : undefined;
  const attempt = (): boolean => {
    const { note, findings } = collect();
    try {
      assertPlain(read(body, note));
      assert.ok(findings.length <= maxFindings);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
  const started = performance.now();
  const wasRead = attempt();
  if (performance.now() - started > longest) {
    // The machine may have been busy with something else; it is not twice in a row.
    const again = performance.now();
    attempt();
    assert.ok(performance.now() - again < longest, `it takes longer than ${longest} ms`);
  }
  if (watched !== undefined) assert.equal(asText(body), watched, 'what was received must stay as it was');
  return wasRead;
}

/** Undefined for a value nested too deeply to be serialized. */
function asText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
