import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ImpossibleEvent,
  PhaseMachine,
  runPhases,
  transitions,
  type RunEvent,
  type RunPhase,
} from '../../../src/model/run/runPhase.ts';

/** What comes of each event, in the order of the phases; `-`: it cannot happen. */
const wanted: Readonly<Record<RunEvent, string>> = {
  'answer begun': 'streaming streaming streaming - -',
  'ended early': 'recovering recovering recovering closing over',
  asking: 'recovering recovering recovering closing over',
  settled: 'closing closing closing closing over',
  stopped: 'closing closing closing closing over',
  detached: 'closing closing closing closing over',
  superseded: 'closing closing closing closing over',
  disowned: 'closing closing closing closing over',
  failed: 'closing closing closing closing over',
  full: 'closing closing closing closing -',
  written: '- - - over -',
};
const events = Object.keys(wanted) as RunEvent[];
const notes = readFileSync(join(import.meta.dirname, '../../../docs/development.md'), 'utf8');

/** A life that has come to the phase, and what it was told that cannot happen. */
function lifeIn(phase: RunPhase): { readonly life: PhaseMachine; readonly impossible: ImpossibleEvent[] } {
  const impossible: ImpossibleEvent[] = [];
  const life = new PhaseMachine(phase === 'recovering' ? 'recovering' : 'sending', error => impossible.push(error));
  if (phase === 'streaming') life.move('answer begun');
  if (phase === 'closing' || phase === 'over') life.move('settled');
  if (phase === 'over') life.move('written');
  assert.equal(life.current, phase);
  return { life, impossible };
}

suite('the phase of a run', () => {
  for (const event of events) {
    for (const [index, phase] of runPhases.entries()) {
      const next = wanted[event].split(' ')[index];
      test(`${phase}, ${event}: ${next === '-' ? 'cannot happen' : next}`, () => {
        const { life, impossible } = lifeIn(phase);
        life.move(event);
        if (next === '-') {
          assert.equal(life.current, phase);
          assert.deepEqual(
            impossible.map(({ message }) => message),
            [`A run in the phase "${phase}" cannot become "${event}".`],
          );
        } else {
          assert.equal(life.current, next);
          assert.deepEqual(impossible, []);
        }
      });
    }
  }

  test('listens until it closes', () => {
    assert.deepEqual(
      runPhases.filter(phase => lifeIn(phase).life.listens),
      ['sending', 'streaming', 'recovering'],
    );
    assert.deepEqual(
      runPhases.filter(phase => lifeIn(phase).life.isOver),
      ['over'],
    );
  });

  test('is cut by what came first; an agent that has said all cuts nothing', () => {
    const { life } = lifeIn('streaming');
    assert.equal(life.cut, undefined);
    life.move('settled');
    assert.equal(life.cut, undefined);
    life.move('superseded');
    life.move('failed');
    assert.equal(life.cut, 'superseded');
    const cuts = events.filter(event => {
      const { life: other } = lifeIn('recovering');
      other.move(event);
      return other.cut !== undefined;
    });
    assert.deepEqual(cuts, ['stopped', 'detached', 'superseded', 'disowned', 'failed', 'full']);
    const { life: over } = lifeIn('over');
    over.move('full');
    assert.equal(over.cut, undefined);
  });

  test('is drawn in the development notes', () => {
    const moves = runPhases.flatMap(from =>
      runPhases
        .filter(to => to !== from)
        .map(to => [from, to, events.filter(event => transitions[event][from] === to).join(', ')] as const)
        .filter(([, , by]) => by !== ''),
    );
    const drawn = [
      'stateDiagram-v2',
      '    [*] --> sending: a message is sent',
      '    [*] --> recovering: a task is followed',
      ...moves.map(([from, to, by]) => `    ${from} --> ${to}: ${by}`),
      '    over --> [*]',
    ];
    assert.equal(/```mermaid\n(stateDiagram-v2\n[^`]*)\n```/.exec(notes)?.[1], drawn.join('\n'));
  });
});
