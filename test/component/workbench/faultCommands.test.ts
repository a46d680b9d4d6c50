import * as assert from 'node:assert/strict';
import type { ChosenFault } from '../../../src/mock/chosenFault.ts';
import { faultNames } from '../../../src/mock/faults.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { faultCommands } = await import('../../../src/workbench/agents/faultCommands.ts');

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}
interface Box {
  readonly value: string;
  readonly validateInput: (typed: string) => string | undefined;
}

suite('the command that chooses a fault', () => {
  let own: Map<string, readonly ChosenFault[]>;
  let checked: string[];
  let changes: number;
  /** The label that the person picks, and the number that they type; undefined where they leave. */
  let answers: { pick?: string; type?: string };
  let items: readonly Item[];
  let box: Box | undefined;
  let restore: () => void;
  setup(() => {
    own = new Map([['Currency', []]]);
    [checked, changes, answers, items, box] = [[], 0, {}, [], undefined];
    restore = inPlaceOf('window', {
      showQuickPick: async (offered: readonly Item[]) => {
        items = offered;
        return offered.find(({ label }) => label === answers.pick);
      },
      showInputBox: async (options: Box) => {
        box = options;
        return answers.type;
      },
    });
  });
  teardown(() => restore());

  const agent = (name: string) => ({ name, url: 'http://127.0.0.1:1/', check: async () => void checked.push(name) });
  function choose(argument: unknown = 'Currency'): Promise<unknown> {
    const agents = ['Currency', 'Mine'].map(agent);
    const commands = faultCommands({
      agents: { all: agents, get: (name: string) => agents.find(each => each.name === name) } as never,
      misbehaving: {
        faultsOf: name => own.get(name),
        chooseFaults: async (name, chosen) => void own.set(name, chosen),
      },
      onChanged: () => changes++,
    });
    return Promise.resolve(commands['a2a.chooseFault'](argument));
  }

  test('every fault is offered with what it does; one with a number asks for it', async () => {
    answers = { pick: 'cut', type: '3' };
    await choose();
    assert.deepEqual(
      items.map(({ label }) => label),
      faultNames,
    );
    assert.ok(items.every(({ detail = '' }) => detail.endsWith('.')));
    assert.equal(box?.value, '2');
    assert.deepEqual(
      ['1', '-1', 'x', ''].map(typed => box?.validateInput(typed) === undefined),
      [true, false, false, false],
    );
    assert.deepEqual(own.get('Currency'), [{ name: 'cut', value: 3 }]);
    // The row is drawn anew, and a card that changed is read.
    assert.deepEqual([changes, checked], [1, ['Currency']]);
  });

  test('one without a number is chosen at once, shown as chosen, and taken back', async () => {
    answers = { pick: 'no-end' };
    await choose();
    assert.deepEqual([own.get('Currency'), box], [[{ name: 'no-end', value: 0 }], undefined]);
    answers = { pick: 'No Fault' };
    await choose();
    assert.equal(items.find(({ label }) => label === 'no-end')?.description, 'no-end');
    assert.deepEqual(own.get('Currency'), []);
  });

  test('leaving the picker or the box changes nothing', async () => {
    for (const left of [{}, { pick: 'cut' }]) {
      answers = left;
      await choose();
      assert.deepEqual([own.get('Currency'), changes], [[], 0]);
    }
  });

  test('from the palette, the agents of this window alone are offered', async () => {
    answers = { pick: 'no-end' };
    await choose(undefined);
    assert.deepEqual(own.get('Currency'), [{ name: 'no-end', value: 0 }]);
    own.clear();
    await assert.rejects(choose(undefined), (error: Problem) => error instanceof Problem && error.code === 'no-own-agents');
  });

  test('an agent that is not of this window stays as it is', async () => {
    answers = { pick: 'no-end' };
    await choose('Mine');
    assert.deepEqual([items, own.get('Mine'), changes], [[], undefined, 0]);
  });
});
