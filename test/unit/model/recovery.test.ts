import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { recover, type RecoveredTask } from '../../../src/model/run/recovery.ts';
import { runTiming } from '../../../src/model/run/runTiming.ts';
import { RunConnection } from '../../../src/model/run/taskConnection.ts';
import type { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';

const timing = { ...runTiming, firstPoll: 3, maxPollMs: 10, firstRetry: 100, maxRetryMs: 1_000, giveUp: 500 };
const broken = new ConnectionProblem('connection-lost', sentence('The request was canceled.'), 'unknown');
const otherTask = new Problem('other-task', sentence('The request was canceled.'));
const refusal = new A2AError(-32601, 'No such method');
const httpError = new Problem('http-error', sentence('The request was canceled.'));
const busy = (waitMs: number): Problem => Object.assign(new Problem('http-error', sentence('The request was canceled.')), { waitMs });

/** What the agent does with one request: how long it takes, what comes of it, and what happens meanwhile. */
interface Step {
  readonly ms?: number;
  readonly fault?: unknown;
  readonly over?: boolean;
  /** The agent's name of the state, where A2A has none of that name. */
  readonly foreign?: string;
  readonly leave?: boolean;
  readonly wake?: boolean;
}

/** Writes down what it is told; nobody waits. */
class NotedConnection extends RunConnection {
  readonly #notes: string[];

  constructor(notes: string[]) {
    super(60_000, () => undefined);
    this.#notes = notes;
  }

  override get hurry(): AbortSignal {
    return AbortSignal.abort();
  }

  override attempt(): void {
    this.#notes.push('attempt');
  }

  override open(): void {
    this.#notes.push('open');
  }

  override settle(): void {
    this.#notes.push('settle');
  }

  override lose(fault?: unknown): void {
    this.#notes.push(fault === undefined ? 'lose' : `lose ${fault instanceof Problem ? fault.code : String(fault)}`);
  }

  override loseStream(fault?: unknown): void {
    this.lose(fault);
  }

  override wait(ms: number): void {
    this.#notes.push(`wait ${ms}`);
  }
}

suite('recovery', () => {
  const { now } = Date;
  const { random } = Math;
  let clock = 0;

  setup(() => {
    clock = 1_000_000;
    Date.now = () => clock;
    Math.random = () => 1;
  });
  teardown(() => {
    Date.now = now;
    Math.random = random;
  });

  /** What is done until the recovery ends, and the problem it ends with. */
  async function recovered(
    asked: readonly Step[],
    subscribed: readonly Step[] = [],
    streams = true,
  ): Promise<{ readonly notes: readonly string[]; readonly problem: unknown }> {
    const notes: string[] = [];
    const [asks, subscriptions] = [[...asked], [...subscribed]];
    const leaving = new AbortController();
    let sleep = new AbortController();
    let over = false;
    let foreign: string | undefined;
    const take = (steps: Step[], name: string): unknown => {
      notes.push(name);
      const step = steps.shift();
      if (step === undefined) throw new Error(`no more ${name} expected: ${notes.join(', ')}`);
      clock += step.ms ?? 0;
      over = step.over ?? false;
      foreign = step.foreign;
      if (step.leave === true) leaving.abort();
      if (step.wake === true) {
        sleep.abort();
        sleep = new AbortController();
      }
      return step.fault;
    };
    const watched: RecoveredTask = {
      ask: async () => {
        const fault = take(asks, 'ask');
        if (fault !== undefined) throw fault as Error;
        return true;
      },
      subscribe: async () => take(subscriptions, 'subscribe') as Problem | undefined,
      lose() {},
      state: 'TASK_STATE_WORKING',
      get foreignState() {
        return foreign;
      },
      get unfinished() {
        return !over;
      },
      asks: false,
      stream: {
        signal: leaving.signal,
        get awake() {
          return sleep.signal;
        },
      },
      scope: { timing, agent: { card: { capabilities: { streaming: streams } } as AgentCard, answerTimeoutMs: undefined } },
      connection: new NotedConnection(notes),
      updates: { miss: () => {} },
    };
    const problem = await recover(watched, undefined).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { notes, problem };
  }

  const cases: readonly (readonly [what: string, asked: readonly Step[], subscribed: readonly Step[], notes: string, streams?: boolean])[] =
    [
      ['a task that is over is not listened to', [{ over: true }], [], 'attempt ask open'],
      ['a task that ends while it is listened to is asked for once more', [{}, {}], [{ over: true }], 'attempt ask open subscribe ask'],
      [
        'after a stream that broke at once, the pauses grow',
        [{}, {}, { over: true }],
        [{ fault: broken }, { ms: 100, fault: broken }],
        'attempt ask open subscribe lose connection-lost wait 100 attempt ask open subscribe lose connection-lost wait 200 attempt ask open',
      ],
      [
        'after a stream that held, they begin again',
        [{}, {}, { over: true }],
        [{ fault: broken }, { ms: 101 }],
        'attempt ask open subscribe lose connection-lost wait 100 attempt ask open subscribe settle lose wait 100 attempt ask open',
      ],
      [
        'a fault that is not an Error is a stream that broke',
        [{}, { over: true }],
        [{ fault: 'text' }],
        'attempt ask open subscribe lose text wait 100 attempt ask open',
      ],
      [
        'where another task came, nobody subscribes again',
        [{}, {}, {}, { over: true }],
        [{ fault: otherTask }],
        'attempt ask open subscribe wait 100 attempt ask open settle wait 3 attempt ask open settle wait 6 attempt ask open',
      ],
      [
        'a task that does not stream is asked for again and again',
        [{}, {}, {}, { over: true }],
        [],
        'attempt ask open settle wait 3 attempt ask open settle wait 6 attempt ask open settle wait 10 attempt ask open',
        false,
      ],
      ['whoever leaves during a question that fails hears nothing', [{ leave: true, fault: broken }], [], 'attempt ask'],
      ['whoever leaves during a question that goes well waits for nothing', [{ leave: true }], [], 'attempt ask open settle wait 3', false],
      [
        'whoever leaves during a subscription hears nothing',
        [{}],
        [{ leave: true, over: true, fault: broken }],
        'attempt ask open subscribe',
      ],
      [
        'as long as an agent may be away, it is asked again',
        [{ ms: 500, fault: broken }, { fault: httpError }, { over: true }],
        [],
        'attempt ask lose connection-lost wait 100 attempt ask lose http-error wait 200 attempt ask open',
      ],
      [
        'an agent that says when to ask again is asked no earlier, as far as the longest wait allows',
        [{ fault: busy(300) }, { fault: busy(9_000) }, { over: true }],
        [],
        'attempt ask lose http-error wait 300 attempt ask lose http-error wait 1000 attempt ask open',
      ],
      [
        'an answer begins that time again',
        [{ ms: 400 }, { ms: 400, fault: broken }, { over: true }],
        [],
        'attempt ask open settle wait 3 attempt ask lose connection-lost wait 100 attempt ask open',
        false,
      ],
      [
        'so does a subscription',
        [{}, { ms: 400, fault: broken }, { over: true }],
        [{ ms: 400 }],
        'attempt ask open subscribe settle lose wait 100 attempt ask lose connection-lost wait 200 attempt ask open',
      ],
      [
        'so does waking, and the pauses begin again',
        [{ fault: broken }, { ms: 501, wake: true, fault: broken }, { ms: 400, fault: broken }, { over: true }],
        [],
        'attempt ask lose connection-lost wait 100 attempt ask lose connection-lost wait 200 attempt ask lose connection-lost wait 100 attempt ask open',
      ],
      ['an agent that refuses to be asked is listened to', [{ fault: refusal }], [{ over: true }], 'attempt ask open subscribe'],
    ];
  for (const [what, asked, subscribed, notes, streams] of cases) {
    test(what, async () => {
      const done = await recovered(asked, subscribed, streams);
      assert.equal(done.problem, undefined);
      assert.equal(done.notes.join(' '), notes);
    });
  }

  test('an agent that is away for longer is given up, with what the last attempt said', async () => {
    const { notes, problem } = await recovered([
      { ms: 400, fault: httpError },
      { ms: 101, fault: broken },
    ]);
    assert.equal(notes.join(' '), 'attempt ask lose http-error wait 100 attempt ask lose connection-lost');
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.code, problem.details, problem.cause], ['lost-contact', broken.message, broken]);
  });

  test('a state that A2A does not have is asked for less and less often, and not without end', async () => {
    const done = { foreign: '"TASK_STATE_DONE"', ms: 250 };
    const { notes, problem } = await recovered([done, done, { ...done, ms: 251 }], [], false);
    const lost = 'attempt ask settle lose unknown-state';
    assert.equal(notes.join(' '), `${lost} wait 100 ${lost} wait 200 attempt ask settle`);
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.code, problem.sentence.args], ['unknown-state', ['"TASK_STATE_DONE"']]);
    const over = await recovered([done, { over: true }], [{ foreign: done.foreign }]);
    assert.deepEqual(
      [over.problem, over.notes.join(' ')],
      [undefined, 'attempt ask subscribe lose lose unknown-state wait 100 attempt ask open'],
    );
  });

  test('an agent that refuses both has given its answer; so has one that refuses to be asked and tells no end', async () => {
    for (const [streams, subscribed] of [
      [true, [{ fault: refusal }]],
      [true, [{}]],
      [false, []],
    ] as const)
      assert.equal((await recovered([{ fault: refusal }], subscribed, streams)).problem, refusal);
    assert.equal((await recovered([{ fault: refusal }], [{ fault: otherTask }])).problem, otherTask);
    const unknown = new A2AError(-32001, 'No such task');
    assert.deepEqual(await recovered([{ fault: unknown }], [{ over: true }]), { notes: ['attempt', 'ask'], problem: unknown });
  });

  test('what is about the task ends the recovery', async () => {
    const { notes, problem } = await recovered([{ fault: otherTask }]);
    assert.deepEqual([notes, problem], [['attempt', 'ask'], otherTask]);
  });
});
