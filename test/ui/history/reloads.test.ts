import * as assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '../../../src/protocol/message/part.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { getTask, listTasks } from '../../support/askAgent.ts';
import { eventually } from '../../support/eventually.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { Stage } from '../../support/vscode/stage.ts';
import { Random } from '../../support/protocol/random.ts';

const reloads = full ? 20 : 2;
const seed = 1;
/** A reload begins so long after the stream at most, in milliseconds: half of what the agent takes. */
const latest = 4_000;
const order = 'Write 500 chunks.';

/** Letters and figures of a text in order: what Markdown leaves of it on the screen, whatever signs and numbers of lists it hides. */
const letters = (text: string): string => text.replaceAll(/^\s*\d+\. /gm, '').replaceAll(/[^\p{L}\p{N}]+/gu, '');
const written = (task: Task): string => textOf(task.artifacts?.[0]?.parts ?? []);

/** What the agent has against what is kept and what is shown; empty where all is as it should be. */
function differences(truth: Task, kept: Task | undefined, shown: string): string[] {
  return [
    ...(truth.status.state === 'TASK_STATE_COMPLETED' ? [] : [`the task is ${truth.status.state}`]),
    ...(kept?.status.state === truth.status.state ? [] : [`the history has the task as ${kept?.status.state}`]),
    ...(kept !== undefined && written(kept) === written(truth) ? [] : ['the history has another text']),
    ...(shown === letters(written(truth)) ? [] : ['the panel shows another text']),
  ];
}

suite('reloads at random moments of a stream', function () {
  this.timeout(reloads * 300_000);
  let stage: Stage;
  let userDataDir: string;
  suiteSetup(async () => {
    userDataDir = await mkdtemp(join(tmpdir(), 'a2a-reloads-'));
    stage = await Stage.open({ userDataDir });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  });

  const tasks = (): Promise<Task[]> => listTasks(stage.agents.urls.Writer);

  /** The task as another window would find it. */
  function keptTask(id: string): Task | undefined {
    const store = openStore(join(userDataDir, 'User', 'globalStorage', 'a2a-workbench.a2a-workbench', 'history.db'));
    try {
      return store
        .contexts()
        .map(({ key }) => store.taskDocument(key, id)?.task)
        .find(task => task !== undefined);
    } finally {
      store.close();
    }
  }

  async function reloadOnce(wait: number): Promise<{
    readonly moment: 'before the task' | 'in the stream' | 'too late';
    readonly wrong: readonly string[];
    readonly truth: Task;
    readonly kept: Task | undefined;
    readonly shown: string;
  }> {
    const before = new Set((await tasks()).map(({ id }) => id));
    const chat = await stage.newChat('Writer');
    await chat.send(order);
    await chat.busy();
    await new Promise(resolve => setTimeout(resolve, wait));
    const [running] = (await tasks()).filter(({ id }) => !before.has(id));
    const moment =
      running === undefined ? 'before the task' : running.status.state === 'TASK_STATE_COMPLETED' ? 'too late' : 'in the stream';
    await stage.workbench.reload();

    // The tab is there again, and goes on by itself.
    const restored = stage.chat('Writer');
    await restored.shows(/completed/i, 90_000);
    await restored.idle();
    const own = (await tasks()).filter(({ id }) => !before.has(id));
    assert.equal(own.length, 1, 'the message was sent once');
    const truth = await getTask(stage.agents.urls.Writer, own[0]!.id);
    const shown = letters((await (await restored.locator('.artifact .markdown')).first().textContent()) ?? '');
    const kept = keptTask(truth.id);
    await stage.workbench.command('View: Close All Editors');
    return { moment, wrong: differences(truth, kept, shown), truth, kept, shown };
  }

  test(`${reloads} times the chat is back with what the agent has, and the task goes on`, async () => {
    const random = new Random(seed);
    const wrong: string[] = [];
    const moments: string[] = [];
    let last: Awaited<ReturnType<typeof reloadOnce>> | undefined;
    for (let round = 1; round <= reloads; round++) {
      const wait = random.below(latest);
      last = await reloadOnce(wait);
      moments.push(last.moment);
      wrong.push(...last.wrong.map(what => `round ${round}, after ${wait} ms: ${what}`));
    }
    const inStream = moments.filter(moment => moment !== 'too late').length;
    figure(
      'F16',
      { reloads, 'while the task ran': inStream, 'not as the agent has it': wrong.length },
      `${reloads} reloads (seed ${seed}), ${inStream} of them while the agent wrote: ${wrong.length} things other than at the agent`,
    );
    assert.deepEqual(wrong, []);

    // A chunk that is missing anywhere is seen.
    const { truth, kept, shown } = last!;
    assert.deepEqual(differences(truth, kept, shown.slice(0, -20)), ['the panel shows another text']);
    const cut = {
      ...kept!,
      artifacts: kept!.artifacts?.map(artifact => ({
        ...artifact,
        parts: artifact.parts.map(part => ('text' in part ? { ...part, text: part.text?.slice(1) ?? '' } : part)),
      })),
    } as Task;
    assert.deepEqual(differences(truth, cut, shown), ['the history has another text']);
    caught('F16', 'a chunk that is missing in the panel or in the history');
  });

  test('none of the tasks was cancelled', async () => {
    await eventually(async () => assert.ok((await tasks()).every(({ status }) => status.state === 'TASK_STATE_COMPLETED')));
  });
});
