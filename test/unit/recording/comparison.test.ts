import * as assert from 'node:assert/strict';
import type { Finding } from '../../../src/protocol/finding.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Artifact, Task } from '../../../src/protocol/message/task.ts';
import { TaskState } from '../../../src/protocol/message/taskState.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import type { ComparedRun, ComparedTurn, TurnOutcome } from '../../../src/recording/compare/comparedRun.ts';
import { type Aspect, aspects, compareRuns, comparedTexts, isEqual } from '../../../src/recording/compare/comparison.ts';
import { type Normalization, usual } from '../../../src/recording/compare/normalization.ts';
import { seed } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';

const said = (text: string): ComparedTurn['said'] => ({ parts: [{ text }], refersTo: [] });
const answer = (text: string): TurnOutcome => ({
  message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] },
  startedAt: 1_000,
  firstEventAt: 1_200,
  endedAt: 1_500,
});
const run = (...turns: readonly (readonly [string, string | undefined])[]): ComparedRun => ({
  name: 'Ann',
  turns: turns.map(([text, outcome]) => ({ said: said(text), ...(outcome !== undefined && { outcome: answer(outcome) }) })),
});
const task = (members: Partial<Task>): TurnOutcome => ({
  task: { id: 't-1', status: { state: 'TASK_STATE_COMPLETED' }, ...members },
  startedAt: 0,
  endedAt: 1,
});
const one = (outcome: TurnOutcome): ComparedRun => ({ name: 'Ann', turns: [{ said: said('hi'), outcome }] });
const differs = (base: TurnOutcome, other: TurnOutcome, normalization?: Normalization): readonly Aspect[] | undefined =>
  compareRuns([one(base), one(other)], normalization)[0]?.cells[1]?.differs;
const data = (value: unknown): TurnOutcome => task({ artifacts: [{ artifactId: 'a', parts: [{ data: value }] }] });

/** Outcomes that differ, in these aspects alone, and the choice with which they are equal. */
const choices: Readonly<Record<string, readonly [TurnOutcome, TurnOutcome, readonly Aspect[], Normalization]>> = {
  ids: [task({ contextId: 'context-1' }), task({ contextId: 'context-2' }), ['rest'], { ...usual, ids: false }],
  times: [answer('at 2026-01-01T00:00:00Z'), answer('at 2027-01-01T00:00:00Z'), ['message'], { ...usual, times: false }],
  'the order of members': [data({ a: 1, b: 2 }), data({ b: 2, a: 1 }), ['artifacts'], { ...usual, keyOrder: false }],
};

suite('comparison of runs', () => {
  test('puts turns beside each other by what was said, however early a run ended', () => {
    const rows = compareRuns([run(['a', '1'], ['b', '2'], ['c', '3']), run(['a', '1'], ['b', 'other']), run(['a', '1'], ['b', undefined])]);
    assert.deepEqual(
      rows.map(({ said: { parts }, turns, cells, equal }) => [parts, turns, cells.map(cell => cell?.differs), equal]),
      [
        [[{ text: 'a' }], [0, 0, 0], [[], [], []], 2],
        [[{ text: 'b' }], [1, 1, 1], [[], ['message'], undefined], 0],
        [[{ text: 'c' }], [2, undefined, undefined], [[], undefined, undefined], 0],
      ],
    );
  });

  test('has a row for what only a later run said, behind what it follows, and for equal messages one each', () => {
    const rows = compareRuns([run(['a', '1'], ['yes', '2'], ['yes', '3']), run(['yes', '2'], ['a', '1'], ['new', '4'], ['yes', '3'])]);
    assert.deepEqual(
      rows.map(({ said: { parts }, turns }) => [parts[0], turns]),
      [
        [{ text: 'a' }, [0, 1]],
        [{ text: 'new' }, [undefined, 2]],
        [{ text: 'yes' }, [1, 0]],
        [{ text: 'yes' }, [2, 3]],
      ],
    );
    assert.deepEqual(rows[1]?.cells[1]?.differs, ['message'], 'the first run has nothing there');
    const silent: ComparedRun = { name: 'Ann', turns: [{ said: said('new'), outcome: { startedAt: 0, endedAt: 1 } }] };
    const [only] = compareRuns([run(), silent, run()]);
    assert.deepEqual([only!.equal, isEqual(only!, 1), isEqual(only!, 2)], [1, false, true]);
  });

  test('a cell has times, text, artifacts, findings and the problem', () => {
    const problem = new Problem('gone', sentence('It is gone.'));
    const finding: Finding = { rule: 'CORE-01', pointer: '', message: 'No id.', times: 3 };
    const artifacts = [{ artifactId: 'a', parts: [{ text: 'x' }] }];
    const outcome: TurnOutcome = { ...task({ artifacts }), problem, findings: [finding], startedAt: 10, firstEventAt: 30, endedAt: 60 };
    const [row] = compareRuns([one(answer('hi')), one(outcome)]);
    assert.deepEqual(row?.cells, [
      { text: 'hi', artifacts: [], findings: 0, firstEventMs: 200, totalMs: 500, differs: [] },
      {
        state: 'TASK_STATE_COMPLETED',
        text: '',
        artifacts,
        findings: 3,
        problem,
        firstEventMs: 20,
        totalMs: 50,
        differs: ['state', 'message', 'artifacts', 'problem', 'findings', 'rest'],
      },
    ]);
  });

  test('problems of one kind differ by their words', () => {
    const failed = (words: string): TurnOutcome => ({ ...task({}), problem: new Problem('http-error', sentence(words)) });
    assert.deepEqual(differs(failed('HTTP 500'), failed('HTTP 500')), []);
    assert.deepEqual(differs(failed('HTTP 500'), failed('HTTP 429')), ['problem']);
  });

  test('messages that differ in their metadata alone have a row each', () => {
    const asked = (mode: string): ComparedRun => ({
      name: 'Ann',
      turns: [{ said: { ...said('go'), metadata: { mode } }, outcome: answer('x') }],
    });
    const turns = compareRuns([asked('fast'), asked('slow')]).map(row => row.turns);
    assert.deepEqual(turns, [
      [undefined, 0],
      [0, undefined],
    ]);
  });

  for (const [name, [base, other, different, normalization]] of Object.entries(choices)) {
    test(`${name} count where they are chosen to`, () => {
      assert.deepEqual(differs(base, other), []);
      assert.deepEqual(differs(base, other, normalization), different);
      const [left, right] = comparedTexts(base, other, normalization);
      assert.notEqual(left, right);
    });
  }

  test('numbers within the tolerance are equal, and their texts too', () => {
    const [base, near, far] = [data({ rates: [1, 2.5] }), data({ rates: [1.05, 2.45] }), data({ rates: [1.05, 2.7] })];
    const normalization = { ...usual, tolerance: 0.1 };
    assert.deepEqual(differs(base, near), ['artifacts']);
    assert.deepEqual(differs(base, near, normalization), []);
    assert.deepEqual(differs(base, far, normalization), ['artifacts']);
    assert.deepEqual(differs(data(1), data(1.5), { ...usual, tolerance: 0.5 }), [], 'the tolerance itself is within');
    const [left, right] = comparedTexts(base, near, normalization);
    assert.equal(left, right);
    const [, shown] = comparedTexts(base, far, normalization);
    assert.match(shown, /1,\s+2\.7/, 'only the number that differs is shown as its own');
  });

  test('members are left out by their names and by JSON Pointers', () => {
    const [base, other] = [data({ seed: 1, kept: { seed: 2, 'a/b': 3 } }), data({ seed: 4, kept: { seed: 5, 'a/b': 6 } })];
    const without = (...members: readonly string[]): readonly Aspect[] | undefined => differs(base, other, { ...usual, without: members });
    assert.deepEqual(without('seed'), ['artifacts']);
    assert.deepEqual(without('seed', 'a/b'), []);
    assert.deepEqual(without('/artifacts/0/parts/0/data/kept'), ['artifacts']);
    assert.deepEqual(without('/artifacts/0/parts/0/data/kept', '/artifacts/0/parts/0/data/seed'), []);
    assert.deepEqual(without('seed', '/artifacts/0/parts/0/data/kept/a~1b'), []);
    assert.deepEqual(without('/artifacts'), []);
    assert.deepEqual(without('artifact'), ['artifacts']);
    assert.deepEqual(without('0'), ['artifacts'], 'an index is no name');
  });

  test('an id is known in a text even where the member that has it is left out', () => {
    const outcome = (id: string): TurnOutcome => task({ artifacts: [{ artifactId: id, parts: [{ text: `see ${id}` }] }] });
    assert.deepEqual(differs(outcome('artifact-1'), outcome('artifact-2'), { ...usual, without: ['artifactId'] }), []);
  });

  test('an artifact under another word differs, as do the texts that have the word', () => {
    const outcome = (word: string): TurnOutcome =>
      task({
        status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: `see your ${word}.` }] } },
        artifacts: [{ artifactId: word, name: `${word}.md`, parts: [{ text: 'x' }] }],
      });
    assert.deepEqual(differs(outcome('itinerary'), outcome('timetable')), ['message', 'artifacts']);
    assert.deepEqual(differs(outcome('itinerary-1'), outcome('itinerary-2')), []);
  });

  test('a media type that a part has anyway does not count, another one does', () => {
    const outcome = (part: Part): TurnOutcome => task({ artifacts: [{ artifactId: 'a', parts: [part] }] });
    for (const part of [{ text: 'x' }, { data: 1 }, { raw: 'AAAA' }] as const) {
      const own = 'text' in part ? 'text/plain' : 'data' in part ? 'application/json' : 'application/octet-stream';
      assert.deepEqual(differs(outcome({ ...part, mediaType: own }), outcome(part)), []);
      assert.deepEqual(differs(outcome({ ...part, mediaType: 'image/png' }), outcome(part)), ['artifacts']);
    }
  });

  test('the history of a task is not compared', () => {
    const earlier: Message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
    assert.deepEqual(differs(task({ history: [earlier] }), task({})), []);
  });

  test('a thousand random edits are marked where they are, and nowhere else', () => {
    const random = new Random(seed);
    for (let round = 0; round < 1_000; round++) {
      const pieces = new RandomRuns(random);
      const base = pieces.run();
      const [turn, aspect, edited] = pieces.edit(structuredClone(base.turns));
      const copy = renamed({ name: 'again', turns: edited }, random);
      const rows = compareRuns([base, copy]);
      const wanted = base.turns.map((_, index) => (index === turn ? [aspect] : []));
      const found = rows.map(({ cells }) => cells[1]?.differs);
      assert.deepEqual(found, wanted, `round ${round}, A2A_SEED=${seed}`);
      const equal = rows.map(({ equal }) => equal);
      assert.deepEqual(
        equal,
        base.turns.map((_, index) => (index === turn ? 0 : 1)),
      );
      // Texts are made from the same aspects: some rounds will do.
      if (round % 10 > 0) continue;
      for (const [index, row] of rows.entries()) {
        const [left, right] = comparedTexts(base.turns[index]?.outcome, copy.turns[row.turns[1]!]?.outcome);
        assert.equal(left !== right, index === turn, `texts of round ${round}, A2A_SEED=${seed}`);
      }
    }
  });

  test('each aspect is edited by some round, so that none goes unseen', () => {
    const random = new Random(seed);
    const seen = new Set(
      Array.from({ length: 300 }, () => {
        const pieces = new RandomRuns(random);
        return pieces.edit(pieces.run().turns as ComparedTurn[])[1];
      }),
    );
    assert.deepEqual([...seen].sort(), [...aspects].sort());
  });
});

/** A run of random turns, and random edits of it. Every word is another, so that an edit always changes something. */
class RandomRuns {
  readonly #random: Random;
  #words = 0;
  /** Ids of the last outcome: a turn names no other's. */
  #ids: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  run(): ComparedRun {
    return { name: 'base', turns: this.#random.list(6, index => ({ said: said(`say ${index % 3}`), outcome: this.#outcome() }), 1) };
  }

  /** Changes one thing of one turn in place: the turn, what was changed, and the turns. */
  edit(turns: readonly ComparedTurn[]): readonly [turn: number, aspect: Aspect, turns: readonly ComparedTurn[]] {
    const random = this.#random;
    const turn = random.below(turns.length);
    const outcome = turns[turn]!.outcome as { -readonly [Key in keyof TurnOutcome]: TurnOutcome[Key] };
    const { task: of } = outcome;
    const message = outcome.message ?? of?.status.message;
    const artifacts = of?.artifacts ?? [];
    const edits: (() => Aspect)[] = [
      () => {
        outcome.problem = new Problem(this.#word(), sentence('It failed.'));
        return 'problem';
      },
      () => {
        outcome.findings = [...(outcome.findings ?? []), { rule: 'STRM-01', pointer: '', message: this.#word() }];
        return 'findings';
      },
    ];
    if (message !== undefined) edits.push(() => (this.#editParts(message.parts), 'message'));
    if (of !== undefined) {
      edits.push(
        () => {
          of.status.state = random.pick(TaskState.options.filter(state => state !== of.status.state));
          return 'state';
        },
        () => {
          of.metadata = { ...of.metadata, [this.#word()]: random.below(9) };
          return 'rest';
        },
        () => {
          of.artifacts = [...artifacts, this.#artifact()];
          return 'artifacts';
        },
      );
    }
    if (artifacts.length > 0) {
      edits.push(
        () => (this.#editParts(random.pick(artifacts).parts), 'artifacts'),
        () => {
          of!.artifacts = artifacts.filter((_, index) => index !== 0);
          return 'artifacts';
        },
        () => {
          random.pick(artifacts).name = this.#word();
          return 'artifacts';
        },
        () => {
          random.pick(artifacts).artifactId = this.#plainWord();
          return 'artifacts';
        },
      );
    }
    if (artifacts.length > 1) {
      edits.push(() => {
        artifacts.reverse();
        return 'artifacts';
      });
    }
    return [turn, random.pick(edits)(), turns];
  }

  #editParts(parts: Part[]): void {
    const random = this.#random;
    const index = random.below(parts.length);
    const edits: (() => void)[] = [
      () => parts.splice(index, 1, this.#part()),
      () => parts.splice(index, 0, this.#part()),
      () => parts.splice(index, 1),
      () => (parts[index] = { ...parts[index]!, mediaType: this.#word() }),
    ];
    if (parts.length > 1) edits.push(() => parts.reverse());
    random.pick(edits)();
  }

  #outcome(): TurnOutcome {
    const random = this.#random;
    this.#ids = [];
    const startedAt = random.below(1_000);
    const times = { startedAt, firstEventAt: startedAt + random.below(100), endedAt: startedAt + 100 + random.below(900) };
    if (random.next() < 0.3) return { ...times, message: this.#message() };
    const [id, contextId] = [this.#id(), this.#id()];
    const message = random.maybe(() => this.#message());
    return {
      ...times,
      task: {
        id,
        contextId,
        status: { state: random.pick(TaskState.options), timestamp: '2026-01-01T00:00:00Z', ...(message !== undefined && { message }) },
        artifacts: random.list(3, () => this.#artifact()),
        metadata: { [this.#word()]: this.#part() },
      },
    };
  }

  #message(): Message {
    return { messageId: this.#id(), role: 'ROLE_AGENT', parts: this.#random.list(3, () => this.#part(), 1) };
  }

  #artifact(): Artifact {
    return {
      artifactId: this.#random.next() < 0.5 ? this.#plainWord() : this.#id(),
      name: this.#word(),
      parts: this.#random.list(3, () => this.#part(), 1),
    };
  }

  #part(): Part {
    const mention = this.#random.maybe(() => this.#random.pick(['at 2026-05-05 10:00:00', uuidOf(this.#random), this.#knownId()]));
    const text = `${this.#word()} ${mention ?? ''}`;
    return this.#random.pick<Part>([{ text }, { data: { text, number: this.#random.below(100) } }, { raw: 'AAAA', filename: text }]);
  }

  #word(): string {
    return `word${this.#words++}`;
  }

  /** A word of letters alone, as an agent calls an artifact. */
  #plainWord(): string {
    return `plan-${this.#word()
      .slice(4)
      .replaceAll(/\d/g, digit => 'abcdefghij'[Number(digit)]!)}`;
  }

  /** The id of the turn's task or context: one that an edit takes away would be another thing where it is mentioned. */
  #knownId(): string {
    return this.#ids.length === 0 ? this.#id() : this.#random.pick(this.#ids.slice(0, 2));
  }

  /** A UUID, or a name of the agent's own kind. */
  #id(): string {
    const id = this.#random.next() < 0.5 ? uuidOf(this.#random) : `name-${uuidOf(this.#random).slice(0, 8)}-of-7`;
    this.#ids.push(id);
    return id;
  }
}

const uuidOf = (random: Random): string => {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** The run with other ids, times and orders of members. */
function renamed(of: ComparedRun, random: Random): ComparedRun {
  const ids = new Map<string, string>();
  const anew = (id: string, fresh: () => string): string => {
    if (!ids.has(id)) ids.set(id, fresh());
    return ids.get(id)!;
  };
  const text = (value: string): string =>
    value
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, id => anew(id, () => uuidOf(random)))
      .replace(/name-[0-9a-f]{8}-of-7/g, id => anew(id, () => `name-${uuidOf(random).slice(0, 8)}-of-7`))
      .replace(/\b2026-\d\d-/g, `2027-0${1 + random.below(9)}-`);
  const other = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(other);
    if (typeof value !== 'object' || value === null || value instanceof Problem) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, member]) => [key, other(member)] as const)
        .reverse(),
    );
  };
  return other(of) as ComparedRun;
}
