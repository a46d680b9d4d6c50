import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { Task } from '../../src/protocol/message/task.ts';
import type { Entry } from '../../src/protocol/message/transcript.ts';
import { figure, full } from '../support/figure.ts';
import { Random } from '../support/protocol/random.ts';
import { looked, panelOf, until, word } from '../support/model/world.ts';
import { Muted } from './matrix/muted.ts';
import { storyPieces } from './matrix/play.ts';
import { faults, harmless, lostAnswers, spoiltComebacks, type Fault } from './recovery/faults.ts';
import { comebacks } from './recovery/comebacks.ts';
import type { Later } from './recovery/faultProxy.ts';
import { patient, RecoveryWorld, rows, type RecoveryWindow, type Row } from './recovery/recoveryWorld.ts';

const pieces = storyPieces(full ? 22 : 4);
/** The task, `working`, the pieces, `completed`. */
const events = pieces.length + 3;
const story = pieces.join('');
/** Streams with several faults, of which seeds make which. */
const mixtures = full ? 2_000 : 48;
/** So many stories are told at a time. */
const atOnce = 16;

/** What the story has come to in the transcript; a gap may stand anywhere in it. */
const told = (text: string): string[] => [`I: ${text} (sent)`, 'submitted', 'working: erzähle', `answer=${story}.`, 'completed: erzählt'];

/** One stream that is spoilt at one place. */
interface Case {
  readonly row: Row;
  readonly title: string;
  readonly fault: Fault;
  readonly at: number;
  /** The agent goes on only once the client is back; else it has told all before anything happens to its stream. */
  readonly waits: boolean;
  /** What happens to the subscriptions after it. */
  readonly later?: readonly Later[];
}

const casesOf = (row: Row, title: string, fault: Fault): Case[] =>
  fault.places(events).flatMap(at => {
    // So much the agent has to say for the fault to happen: at least the task with its first status, and not all there is.
    const needed = at + (fault.inside ? 1 : 0);
    const waiting = fault.cut !== undefined && needed >= 2 && needed < events ? [true] : [];
    // Nobody comes back to a task that is over.
    return [...(fault.comeback === undefined ? [false] : []), ...waiting].map(waits => ({ row, title, fault, at, waits }));
  });

/** All places, or in a sample every fifth: other ones in each row. */
const sampledCases = (row: Row, title: string, fault: Fault): Case[] =>
  casesOf(row, title, fault).filter((_, index, { length }) => full || index % 5 === rows.indexOf(row) % Math.min(length, 5));

const everyFault: Readonly<Record<string, Fault>> = { ...faults, ...harmless, ...spoiltComebacks };
/** Each of them breaks a stream wherever it is. */
const cuts = Object.entries(everyFault).filter(
  ([, fault]) => fault.cut === 'broken' && fault.comeback === undefined && fault.twice === undefined,
);

/** A stream that is cut, and up to three subscriptions after it that are cut, answered by somebody else or written otherwise. */
function mixtureOf(seed: number): Case {
  const random = new Random(seed);
  const row = random.pick(rows);
  const [title, fault] = random.pick(cuts);
  const at = random.pick(fault.places(events).filter(place => place >= 2 && place < events - 1));
  const later = random.list(
    3,
    (): Later =>
      random.below(3) === 0
        ? { comeback: random.pick(Object.values(comebacks)) }
        : { fault: random.pick([...cuts.map(([, cut]) => cut), ...Object.values(harmless)]), at: 1 + random.below(4) },
    1,
  );
  return { row, title: `seed ${seed}, ${title}`, fault, at, waits: random.below(3) > 0, later };
}

/** Does the work for each, so many at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}

/** Parts as they came, and each message once, in the order of their ids: what a history holds beside is the agent's to choose (A2A 1.0 §3.7). */
function comparable(task: Task): unknown {
  const said = [...(task.history ?? []), ...(task.status.message === undefined ? [] : [task.status.message])];
  const messages = [...new Set(said.map(message => JSON.stringify([message.messageId, message.role, message.parts])))].sort();
  return { id: task.id, contextId: task.contextId, status: task.status, artifacts: task.artifacts, messages };
}

suite('recovery: streams that are spoilt on their way', function () {
  this.timeout(full ? 1_800_000 : 120_000);
  const muted = new Muted();
  let world: RecoveryWorld;
  let window: RecoveryWindow;
  /** Takes a stream for dead soon. */
  let wary: RecoveryWindow;
  let count = 0;
  let failures = 0;
  let doubled = 0;
  let mixed = 0;

  suiteSetup(async () => {
    muted.start();
    world = await RecoveryWorld.start();
    window = world.open();
    wary = world.open({ timing: { ...patient, silence: 60, linger: 100 } });
  });
  suiteTeardown(async () => {
    muted.stop();
    const kinds = Object.keys({ ...lostAnswers, ...everyFault }).length;
    const errors = [...window.errors, ...wary.errors].length;
    figure(
      'F3',
      {
        'spoilt streams': count - mixed,
        mixtures: mixed,
        kinds,
        'lost, doubled or wrong': failures,
        'sent twice': doubled,
        'unhandled errors': errors,
      },
      `${count - mixed} streams spoilt in ${kinds} ways over ${rows.length} bindings at each of ${events} events, ${mixed} with several faults (seeds 1 to ${mixtures}): ${failures} not as the agent has it, ${doubled} messages sent twice`,
    );
    await world.close();
  });

  async function isAsTheAgentHasIt(row: Row, stored: Task): Promise<void> {
    const client = await window.agents.get(row.name)!.connect();
    const { result: truth } = await client.call('GetTask', { id: stored.id, historyLength: 100 });
    assert.deepEqual(comparable(stored), comparable(truth));
  }

  async function tell({ row, fault, at, waits, later }: Case): Promise<void> {
    const name = randomUUID();
    const text = `story ${name}@${waits ? at + (fault.inside ? 1 : 0) : ''}*${pieces.length}`;
    const { contexts } = fault.cut === 'silent' || later?.some(one => 'fault' in one && one.fault.cut === 'silent') ? wary : window;
    world.proxy(row).plan(name, {
      fault,
      at,
      count: events,
      later,
      onBack: by => {
        if (by === 'subscription' || fault.cut === 'silent' || fault.comeback !== undefined || later !== undefined)
          world.openGate(row, name);
      },
    });
    const context = contexts.create(row.name);
    const panel = panelOf(context);
    const run = context.send({ parts: [{ text }], target: 'new-task' });
    await run.ended;
    const { problem, delivery } = await run.done;
    assert.deepEqual([problem, delivery], [undefined, 'sent']);

    await isAsTheAgentHasIt(row, context.task(run.taskId!)!);
    if (world.proxy(row).posts(name) !== 1) doubled++;
    assert.equal(world.proxy(row).posts(name), 1);

    const entries = context.entries({ limit: 200 }).items;
    assert.deepEqual(panel.entries(), entries);
    const words = entries.map(word);
    // All was heard, or all but the last status of a stream that says itself that it is over.
    const whole = at >= events || (fault.orderly === true && !waits && at === events - 1);
    const most = fault.cut === undefined || whole ? 0 : 1;
    // The agent went on, and said more than its last status. While it waits nothing is missed, which only a growing artifact leaves in doubt.
    const least = most === 1 && !waits && at < events - 1 ? 1 : 0;
    // What was said with a status that nobody heard is a message of the task's history.
    const heard = words.filter(one => one !== 'gap').map(one => one.replace(/^agent: /, 'working: '));
    assert.deepEqual(heard.sort(), told(text).sort());
    // How many gaps several faults leave depends on which of them are met.
    const gaps = words.length - told(text).length;
    if (later === undefined) assert.ok(gaps >= least && gaps <= most, words.join(' | '));
  }

  /** Tries them all, so that one that fails does not hide the others. */
  async function tellAll(cases: readonly Case[]): Promise<void> {
    const failed: string[] = [];
    await each(cases, async one => {
      try {
        await tell(one);
      } catch (error) {
        failed.push(
          `${one.title}, after ${one.at} events${one.waits ? ', the agent waiting' : ''}: ${error instanceof Error ? error.stack : String(error)}`,
        );
      }
      count++;
    });
    failures += failed.length;
    assert.equal(failed.length, 0, `${failed.length} of ${cases.length}\n${failed.slice(0, 10).join('\n')}`);
    assert.deepEqual([...window.errors, ...wary.errors], []);
  }

  /** The message may have arrived or not, and there is no task to ask for: that is said, and the rest is the person's. */
  async function loseAnswer(row: Row, fault: Fault): Promise<void> {
    const name = randomUUID();
    const text = `story ${name}@*${pieces.length}`;
    world.proxy(row).plan(name, { fault, at: 0, count: events, onBack: () => {} });
    const context = window.contexts.create(row.name);
    const run = context.send({ parts: [{ text }], target: 'new-task' });
    await run.ended;
    const delivery = fault.headless ? 'unknown' : 'sent';
    assert.deepEqual(context.entries().items.map(word), [`I: ${text} (${delivery})`, 'problem connection-lost']);
    // Neither later nor by another window.
    const later = world.open();
    later.contexts.resume();
    await looked(later, 3);
    later.close();
    assert.equal(world.proxy(row).posts(name), 1);
    count++;
    if (delivery === 'sent') return;

    const [{ seq }] = context.entries().items as [Entry];
    const { outcome } = await context.checkDelivery(seq);
    // 0.3 has no list of tasks: what the SDK of 1.0 answers over HTTP+JSON is that of the tenant "v1", which is empty.
    assert.equal(outcome, row.generation === '1.0' ? 'found' : 'unknowable');
    assert.equal(world.proxy(row).posts(name), 1);
    if (outcome === 'found') {
      await until(() => !context.running);
      await isAsTheAgentHasIt(row, context.task(context.tasks()[0]!.taskId)!);
      const heard = context
        .entries()
        .items.map(word)
        .filter(one => one !== 'gap' && !one.startsWith('problem'));
      assert.deepEqual(
        heard.map(one => one.replace(/^agent: /, 'working: ')).sort(),
        told(text)
          .filter(one => one !== 'submitted')
          .sort(),
      );
      return;
    }

    world.proxy(row).plan(name, { fault: faults['byte by byte'], at: 0, count: events, onBack: () => {} });
    const again = context.sendAgain(seq);
    await again.ended;
    assert.equal(world.proxy(row).posts(name), 2);
    assert.deepEqual(context.entries().items.map(word).slice(2), told(text));
  }

  /** A process that is killed after so many events, and a window that comes after it. */
  async function kill(row: Row, program: string, path: string, at: number): Promise<void> {
    const name = randomUUID();
    const text = `story ${name}@${at}*${pieces.length}`;
    world.proxy(row).plan(name, {
      fault: faults['byte by byte'],
      at: 0,
      count: events,
      onBack: by => {
        if (by === 'subscription') world.openGate(row, name);
      },
    });
    const child = spawn(process.execPath, ['--no-warnings', program, path, JSON.stringify(world.settings), row.name, text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface(child.stdout).on('line', line => lines.push(line));
    const closed = once(child, 'close');
    const last = JSON.stringify(at === 2 ? 'erzähle' : pieces[at - 3]).slice(1, -1);
    await until(() => child.exitCode !== null || lines.some(line => line.includes(last)));
    assert.equal(child.exitCode, null, `the window ended by itself: ${lines.join('\n')}`);
    child.kill('SIGKILL');
    await closed;

    const { key } = JSON.parse(lines[0]!) as { key: string };
    const next = world.open({}, path);
    next.contexts.resume();
    const context = next.contexts.get(key)!;
    await until(() => !context.running && context.tasks()[0]?.state === 'TASK_STATE_COMPLETED');
    await isAsTheAgentHasIt(row, context.task(context.tasks()[0]!.taskId)!);
    const words = context.entries().items.map(word);
    assert.deepEqual(words.filter(one => one !== 'gap').sort(), told(text).sort());
    // None where the agent had said nothing meanwhile.
    assert.ok(words.filter(one => one === 'gap').length <= 1, words.join(' | '));
    assert.equal(world.proxy(row).posts(name), 1);
    assert.deepEqual(next.errors, []);
    next.close();
    count++;
  }

  test('a window that is killed: the next one takes up what it followed', async () => {
    const program = join(world.folder, 'window.mjs');
    // One file without types starts several times as fast.
    await build({
      entryPoints: [join(import.meta.dirname, 'recovery/windowProcess.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    // A history for each row, as the next window takes up all that nobody follows.
    await Promise.all(
      rows.map(async (row, index) => {
        for (let at = 2; at < events; at++)
          if (full || at % 3 === index % 3) await kill(row, program, join(world.folder, `killed-${index}.db`), at);
      }),
    );
  });

  for (const row of rows) {
    suite(row.name, () => {
      test('the first answer is lost: looked for where the agent has a list, and sent again by the person alone', async () => {
        for (const fault of Object.values(lostAnswers)) await loseAnswer(row, fault);
        assert.deepEqual(window.errors, []);
      });

      for (const [title, fault] of Object.entries(everyFault)) {
        const cases = sampledCases(row, title, fault);
        test(`${title}: ${cases.length} places`, () => tellAll(cases));
      }
    });
  }

  test(`several faults one after the other: ${mixtures} mixtures`, async () => {
    const cases = Array.from({ length: mixtures }, (_, index) => mixtureOf(index + 1));
    await tellAll(cases);
    mixed += cases.length;
  });
});
