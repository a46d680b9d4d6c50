import * as assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { figure, full } from '../support/figure.ts';
import { LiveTask } from '../support/model/liveTask.ts';
import { says, startWorld, textOf, word, type World } from '../support/model/world.ts';
import type { HeldWindowWord } from './support/heldWindow.ts';

/** How long a window stands still, as while a laptop sleeps or a debugger holds it; in milliseconds. */
const still = full ? 60_000 : 3_000;
const rounds = full ? 5 : 1;

(process.platform === 'win32' ? suite.skip : suite)('a window that stands still in the middle of a stream', function () {
  this.timeout(120_000 + rounds * (still + 60_000));
  let world: World;
  let child: ChildProcess | undefined;
  teardown(async () => {
    child?.kill('SIGCONT');
    child?.kill('SIGKILL');
    await world.close();
  });

  test(`for ${still / 1000} s goes on with nothing lost and nothing twice, and others write meanwhile`, async () => {
    let wrong = 0;
    for (let round = 0; round < rounds; round++) {
      const live = new LiveTask();
      const { SendStreamingMessage: follow, ...rest } = live.script;
      world = await startWorld({
        version: '1.0',
        script: {
          ...rest,
          SendStreamingMessage: request =>
            textOf(request.params!.message) === 'Write' && typeof follow === 'function'
              ? follow(request)
              : [{ event: { message: says('m') } }],
        },
      });
      const other = world.open();
      const words: HeldWindowWord[] = [];
      const of = <K extends HeldWindowWord['kind']>(kind: K): Extract<HeldWindowWord, { kind: K }>[] =>
        words.filter((said): said is Extract<HeldWindowWord, { kind: K }> => said.kind === kind);
      child = fork(join(import.meta.dirname, 'support/heldWindow.ts'), [world.path, world.agent.url], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child.on('message', (said: HeldWindowWord) => {
        words.push(said);
      });
      await eventually(() => assert.equal(of('key').length, 1));
      child.send('Write');
      const talk = setInterval(() => live.say('word '), 5);
      await eventually(() => assert.ok(of('told').length > 5));
      child.kill('SIGSTOP');
      const stopped = words.length;
      const end = setTimeout(still);
      // It may stand in the middle of a write: whoever waits for that gives up after a minute.
      await setTimeout(Math.min(still / 2, 5_000));
      const written = other.contexts
        .patiently(() => other.contexts.create('Ann'))
        .then(context =>
          context
            .patiently(() => context.send({ parts: [{ text: 'And I' }], target: 'new-task' }))
            .then(run => run.done)
            .then(() => context),
        );
      await end;
      assert.equal(words.length, stopped, 'it stands still');
      child.kill('SIGCONT');
      const mine = await written;
      await eventually(() => assert.ok(words.length > stopped + 5));
      clearInterval(talk);
      live.end();
      await eventually(() => assert.equal(of('done').length, 1), 60_000);
      const context = other.contexts.get(of('key')[0]!.key)!;
      const said = context.entries({ limit: 200 }).items.map(word);
      const holds =
        of('done')[0]?.problem === undefined &&
        of('error').length === 0 &&
        context.task('t')?.artifacts?.map(textOf).join('') === live.text &&
        said.filter(entry => entry === 'completed').length === 1 &&
        said.filter(entry => entry === 'I: Write (sent)').length === 1 &&
        mine.entries({ limit: 10 }).items.map(word).join() === 'I: And I (sent),agent: m' &&
        other.errors.length === 0;
      if (!holds) {
        wrong++;
        console.log(
          `      ${JSON.stringify({ done: of('done'), errors: of('error'), said, mine: mine.entries({ limit: 10 }).items.map(word), other: other.errors.map(String), same: context.task('t')?.artifacts?.map(textOf).join('') === live.text }).slice(0, 2_000)}`,
        );
      }
      child.kill('SIGKILL');
      if (round < rounds - 1) await world.close();
    }
    figure(
      'F14',
      { 'windows that stood still': rounds, 'of them wrong': wrong },
      `${rounds} windows stood still for ${still / 1000} s in the middle of a stream, ${wrong} of them wrong afterwards`,
    );
    assert.equal(wrong, 0);
  });
});
