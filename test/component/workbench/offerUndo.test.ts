import * as assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { offerUndo } = await import('../../../src/workbench/platform/report.ts');

suite('the offer to undo', () => {
  let choice: string | undefined;
  let restore: () => void;
  const shown: string[] = [];
  const failures: string[] = [];
  setup(() => {
    for (const list of [shown, failures]) list.length = 0;
    restore = inPlaceOf('window', {
      showInformationMessage: async (message: string, button: string) => {
        shown.push(message);
        return choice === 'pressed' ? button : undefined;
      },
      showErrorMessage: async (message: string) => void failures.push(message),
    });
  });
  teardown(() => restore());

  test('undoes when its button is pressed, and only then', async () => {
    let undone = 0;
    for (choice of [undefined, 'pressed'])
      offerUndo('Removed.', async () => {
        undone += 1;
      });
    await eventually(() => assert.equal(undone, 1));
    assert.deepEqual(shown, ['Removed.', 'Removed.']);
  });

  test('offers something else beside it', async () => {
    const done: string[] = [];
    const buttons: string[][] = [];
    const put = (choose: (all: readonly string[]) => string | undefined): void => {
      restore();
      restore = inPlaceOf('window', {
        showInformationMessage: async (_: string, ...all: string[]) => {
          buttons.push(all);
          return choose(all);
        },
      });
      offerUndo('Removed.', async () => done.push('undone'), { title: 'Delete History', action: async () => done.push('deleted') });
    };
    put(() => undefined);
    put(([undo]) => undo);
    put(all => all[1]);
    await eventually(() => assert.deepEqual(done, ['undone', 'deleted']));
    assert.deepEqual(new Set(buttons.map(String)), new Set(['Undo,Delete History']));
  });

  test('says why it could not undo', async () => {
    choice = 'pressed';
    offerUndo('Removed.', async () => {
      throw new Problem('x', sentence('The settings are read-only.'));
    });
    await eventually(() => assert.deepEqual(failures, ['The settings are read-only.']));
  });

  test('shows names of agents as text', () => {
    choice = undefined;
    offerUndo('Removed "$(shield) [Sign in](command:x)\u202e".', async () => {});
    assert.doesNotMatch(shown[0] ?? '', /\$\(|\]\(|\u202e/);
  });
});
