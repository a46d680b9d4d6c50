import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import type { Rescued } from '../../../src/store/transfer/historyRescue.ts';
import { eventually } from '../../support/eventually.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { HistoryRecovery } = await import('../../../src/workbench/history/historyRecovery.ts');
const { retentionSettings } = await import('../../../src/workbench/history/settings.ts');
const { showLockNotice } = await import('../../../src/workbench/history/lockNotice.ts');

suite('notices of the history', () => {
  let told: string[];
  let run: string[];
  let restore: (() => void)[];
  setup(() => {
    [told, run] = [[], []];
    restore = [
      inPlaceOf('window', {
        showWarningMessage: async (text: string, ...buttons: readonly string[]) => {
          told.push(text);
          return buttons[0];
        },
      }),
      inPlaceOf('commands', { executeCommand: async (id: string) => void run.push(id) }),
    ];
  });
  test('a limit that is not a number is told of, once', () => {
    const restoreSettings = inPlaceOf('workspace', {
      getConfiguration: () => ({ get: (name: string) => (name === 'a2a.history.keepDays' ? 'seven' : 0) }),
    });
    restore.push(restoreSettings);
    assert.equal(retentionSettings(), undefined);
    assert.equal(retentionSettings(), undefined);
    assert.deepEqual(told, ['The setting a2a.history.keepDays is not a number, so it limits nothing. Correct it in the settings.']);
  });

  teardown(() => restore.forEach(back => back()));

  const outcomes: readonly (readonly [what: string, rescued: Rescued, says: RegExp, reloads: boolean])[] = [
    [
      'all of it',
      { whole: true, brought: { tasks: 0, unreadable: 0 } } as Rescued,
      /^The history was deleted or truncated .* written to a new file\.$/,
      false,
    ],
    [
      'all of it, and the old file is aside',
      { whole: true, brought: { tasks: 0, unreadable: 0 }, setAside: '/x.lost-1' } as Rescued,
      /written to a new file\. The old file is kept as \/x\.lost-1\.$/,
      false,
    ],
    [
      'a part of it',
      { whole: false, brought: { tasks: 3, unreadable: 1 }, setAside: '/x.lost-1' } as Rescued,
      /Tasks recovered: 3; lost or incomplete: 1\. Reload the window to see all\. The old file is kept as \/x\.lost-1\.$/,
      true,
    ],
  ];
  for (const [what, rescued, says, reloads] of outcomes) {
    test(`a history that is lost is rescued and told of once: ${what}`, async () => {
      const { promise, resolve } = Promise.withResolvers<Rescued>();
      let rescues = 0;
      const contexts = { rescue: () => (rescues++, promise) };
      const recovery = new HistoryRecovery(contexts as unknown as AgentContexts, (() => {}) as never);
      for (let times = 0; times < 3; times++) recovery.recover();
      resolve(rescued);
      await eventually(() => assert.equal(told.length, 1));
      assert.match(told[0] ?? '', says);
      assert.equal(rescues, 1);
      await eventually(() => assert.deepEqual(run, reloads ? ['workbench.action.reloadWindow'] : []));
    });
  }

  test('one that another program holds is told of while it is so, and not where that is short', async () => {
    let hear = (_: boolean): void => undefined;
    const contexts = { onDidWait: (listener: typeof hear) => ((hear = listener), () => undefined) };
    const shown: string[] = [];
    const back = inPlaceOf('window', {
      withProgress: async ({ title }: { readonly title: string }, work: () => Promise<void>) => {
        shown.push(title);
        await work();
        shown.push('over');
      },
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const notice = showLockNotice(contexts as unknown as AgentContexts);
      hear(true);
      hear(false);
      mock.timers.tick(5_000);
      assert.deepEqual(shown, []);
      hear(true);
      mock.timers.tick(5_000);
      const title = 'The history is busy; what arrives is written when it is free.';
      assert.deepEqual(shown, [title]);
      hear(false);
      await Promise.resolve();
      await Promise.resolve();
      assert.deepEqual(shown, [title, 'over']);
      notice.dispose();
    } finally {
      mock.timers.reset();
      back();
    }
  });
});
