import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Part } from '../../../src/protocol/message/part.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { startWorld, type Window, type World } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { eventually } from '../../support/eventually.ts';
import { at, is } from '../store/support/history.ts';

const { taskCommands } = await import('../../../src/workbench/history/taskCommands.ts');
const { historyCommands } = await import('../../../src/workbench/history/commands.ts');
const { agentCommands } = await import('../../../src/workbench/agents/agentCommands.ts');

suite('commands of rows', () => {
  let world: World;
  let window: Window;
  /** What the person is shown; in dialogs they take what is suggested, and press the first button. */
  let shown: string[];
  let suggested: string;
  let opened: string[];
  /** Of the context with the task. */
  let key: string;
  let restore: () => void;
  setup(async () => {
    const refusal = { error: { code: -32002, message: 'Booked already' } };
    world = await startWorld({ version: '1.0', script: { CancelTask: [refusal] } });
    window = world.open();
    [shown, suggested, opened] = [[], '', []];
    restore = inPlaceOf('window', {
      showInformationMessage: async (text: string) => void shown.push(text),
      showWarningMessage: async (text: string, options: unknown, ...buttons: string[]) => {
        const isModal = typeof options === 'object';
        shown.push(isModal ? (options as { readonly detail: string }).detail : text);
        return isModal ? undefined : [options, ...buttons][0];
      },
      showSaveDialog: async ({ defaultUri }: { readonly defaultUri: { readonly path: string } }) => {
        suggested = defaultUri.path;
        return Uri.file(join(dirname(world.path), 'saved.md'));
      },
    });
  });
  teardown(async () => {
    restore();
    await world.close();
  });

  /** A task that waits, with an artifact of these parts. */
  function write(...parts: readonly Part[]): void {
    key = randomUUID();
    window.store.putContext({ key, agent: 'Ann', at });
    window.store.record(
      key,
      [
        is('t', 'INPUT_REQUIRED'),
        { kind: 'artifact', taskId: 't', complete: true, artifact: { artifactId: 'a', name: 'report v1.2', parts: [...parts] } },
      ],
      { at, owner: 'me' },
    );
  }
  const parent = () => ({ kind: 'task', task: { context: key, taskId: 't', title: 'Book it' } });
  const commands = () =>
    taskCommands({
      contexts: window.contexts,
      panels: { open: async ({ key: of }: { readonly key: string }) => void opened.push(of) },
      selected: () => undefined,
      chosenByKey: () => false,
    } as never);
  const save = (): unknown => {
    const [summary] = window.store.artifacts.ofTask(key, 't');
    return commands()['a2a.saveArtifact']({ kind: 'artifact', parent: parent(), summary });
  };

  test('an artifact is saved under its name with the extension of its type', async () => {
    write({ text: 'All is well.' });
    await save();
    assert.match(suggested, /\/report v1\.2\.md$/);
    assert.equal(readFileSync(join(dirname(world.path), 'saved.md'), 'utf8'), 'All is well.');
  });

  test('one without parts says so, one elsewhere asks with its address', async () => {
    write();
    await assert.rejects(async () => save(), { code: 'no-parts' });
    write({ url: 'https://files.example/report.pdf' });
    await save();
    assert.deepEqual(shown, ['https://files.example/report.pdf']);
  });

  test('a task that the agent does not cancel is said to have been refused, with the way to its chat', async () => {
    write({ text: 'x' });
    await commands()['a2a.cancelTask'](parent());
    assert.match(shown.join(), /The agent did not cancel "Book it"/);
    await eventually(() => assert.deepEqual(opened, [key]));
  });

  test('the last deletion is undone, and then there is none', async () => {
    write({ text: 'x' });
    const history = historyCommands({ agents: {} as never, contexts: window.contexts, selection: () => [], rowsOfKey: async () => [] });
    window.contexts.remove([{ context: key }]);
    assert.deepEqual(window.contexts.page({ agent: 'Ann' }).items, []);
    await history['a2a.undoDelete']();
    assert.equal(window.contexts.page({ agent: 'Ann' }).items.length, 1);
    await assert.rejects(async () => history['a2a.undoDelete'](), { code: 'nothing-deleted' });
  });

  test('pins the rows of which one is not pinned, else takes the pins away', async () => {
    write({ text: 'x' });
    const [context, task] = [key, { context: key, taskId: 't' }];
    const row = (pinned: boolean) => ({ kind: 'context', context: { key: context, ...(pinned && { pinned }) } });
    const taskRow = (pinned: boolean) => ({ kind: 'task', task: { ...task, ...(pinned && { pinned }) } });
    const done: unknown[] = [];
    const contexts = { patiently: (act: () => unknown) => act(), pin: (...given: unknown[]) => done.push(given) };
    const { 'a2a.togglePin': toggle } = historyCommands({
      agents: {} as never,
      contexts: contexts as never,
      selection: () => [],
      rowsOfKey: async () => [],
    });
    await toggle(row(true), [row(true), { ...taskRow(false), task: { ...task, context: 'other' } }]);
    await toggle(row(true), [row(true)]);
    await toggle(taskRow(false));
    assert.deepEqual(done, [
      [[{ context }, { context: 'other', taskId: 't' }], true],
      [[{ context }], false],
      [[task], true],
    ]);
  });

  test('refreshing agents lists the tasks of those that answer, and looks which are forgotten', async () => {
    const [listed, looked]: [string[], string[]] = [[], []];
    const agent = (name: string, reachability: string) => ({ name, reachability, check: async () => {} });
    const refresh = agentCommands({
      agents: { all: [agent('Ann', 'reachable'), agent('Bob', 'unreachable')] },
      listings: { refresh: async (name: string) => listed.push(name) },
      forgotten: { look: async (name: string) => looked.push(name) },
      selected: () => undefined,
    } as never);
    await refresh['a2a.refresh'](undefined);
    assert.deepEqual([listed, looked], [['Ann'], ['Ann']]);
  });
});
