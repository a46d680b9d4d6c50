import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Task } from '../../src/protocol/task.ts';
import { panelOf, word } from '../unit/model/support/world.ts';
import { Muted } from './matrix/muted.ts';
import { storyPieces } from './matrix/play.ts';
import { faults, type Fault } from './recovery/faults.ts';
import { patient, RecoveryWorld, rows, type RecoveryWindow, type Row } from './recovery/recoveryWorld.ts';

/** The task, `working`, the pieces, `completed`. */
const events = storyPieces.length + 3;
const story = storyPieces.join('');
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
}

const casesOf = (row: Row, title: string, fault: Fault): Case[] => fault.places(events).flatMap(at => {
  // So much the agent has to say for the fault to happen: at least the task with its first status, and not all there is.
  const needed = at + (fault.inside ? 1 : 0);
  const waiting = fault.cut !== undefined && needed >= 2 && needed < events ? [true] : [];
  return [false, ...waiting].map(waits => ({ row, title, fault, at, waits }));
});

/** Does the work for each, so many at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  }));
}

/** Parts as they came, and each message once, in the order of their ids: what a history holds beside is the agent's to choose (A2A 1.0 §3.7). */
function comparable(task: Task): unknown {
  const said = [...task.history ?? [], ...task.status.message === undefined ? [] : [task.status.message]];
  const messages = [...new Set(said.map(message => JSON.stringify([message.messageId, message.role, message.parts])))].sort();
  return { id: task.id, contextId: task.contextId, status: task.status, artifacts: task.artifacts, messages };
}

suite('recovery: streams that are spoilt on their way', function () {
  this.timeout(60_000);
  const muted = new Muted();
  let world: RecoveryWorld;
  let window: RecoveryWindow;
  /** Takes a stream for dead soon. */
  let wary: RecoveryWindow;
  let count = 0;

  suiteSetup(async () => {
    muted.start();
    world = await RecoveryWorld.start();
    window = world.open();
    wary = world.open({ timing: { ...patient, silence: 60, linger: 100 } });
  });
  suiteTeardown(async () => {
    muted.stop();
    await world.close();
    console.log(`      ${count} spoilt streams`);
  });

  async function tell({ row, fault, at, waits }: Case): Promise<void> {
    const name = randomUUID();
    const text = `story ${name}@${waits ? at + (fault.inside ? 1 : 0) : ''}`;
    const { contexts, agents } = fault.cut === 'silent' ? wary : window;
    world.proxy(row).plan(name, { fault, at, count: events, onBack: by => {
      if (by === 'subscription' || fault.cut === 'silent') world.openGate(row, name);
    } });
    const context = contexts.create(row.name);
    const panel = panelOf(context);
    const run = context.send({ parts: [{ text }], target: 'new-task' });
    await run.ended;
    const { problem, delivery } = await run.done;
    assert.deepEqual([problem, delivery], [undefined, 'sent']);

    const stored = context.task(run.taskId!)!;
    const client = await agents.get(row.name)!.connect();
    const { result: truth } = await client.call('GetTask', { id: stored.id, historyLength: 100 });
    assert.deepEqual(comparable(stored), comparable(truth));
    assert.equal(world.proxy(row).posts(name), 1);

    const entries = context.entries({ limit: 200 }).items;
    assert.deepEqual(panel.entries(), entries);
    const words = entries.map(word);
    // All was heard, or all but the last status of a stream that says itself that it is over.
    const whole = at >= events || (fault.orderly === true && !waits && at === events - 1);
    const gaps = fault.cut === undefined || whole ? 0 : 1;
    // What was said with a status that nobody heard is a message of the task's history.
    const heard = words.filter(one => one !== 'gap').map(one => one.replace(/^agent: /, 'working: '));
    assert.deepEqual(heard.sort(), told(text).sort());
    assert.equal(words.length - told(text).length, gaps, words.join(' | '));
    count++;
  }

  for (const row of rows) {
    suite(row.name, () => {
      for (const [title, fault] of Object.entries(faults)) {
        const cases = casesOf(row, title, fault);
        test(`${title}: ${cases.length} places`, async () => {
          const failed: string[] = [];
          await each(cases, async one => {
            try {
              await tell(one);
            } catch (error) {
              failed.push(`after ${one.at} events${one.waits ? ', the agent waiting' : ''}: ${error instanceof Error ? error.stack : String(error)}`);
            }
          });
          assert.equal(failed.length, 0, `${failed.length} of ${cases.length}\n${failed.join('\n')}`);
          assert.deepEqual([...window.errors, ...wary.errors], []);
        });
      }
    });
  }
});
