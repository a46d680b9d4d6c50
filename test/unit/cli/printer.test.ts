import * as assert from 'node:assert/strict';
import { Output } from '../../../src/cli/terminal/output.ts';
import { Printer } from '../../../src/cli/terminal/printer.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { says, task } from '../../support/client/says.ts';
import { hostOf } from '../../support/cli/runTerminal.ts';

/** What is written to standard output and to standard error. */
function printed(isLive: boolean, act: (printer: Printer) => void): { readonly out: string; readonly err: string } {
  const written = { out: '', err: '' };
  const host = hostOf((stream, text) => (written[stream] += text));
  act(new Printer({ host, output: new Output(host), values: {} }, isLive));
  return written;
}

const put = (artifactId: string, text: string): TaskChange => ({
  kind: 'artifact',
  taskId: 't-1',
  artifact: { artifactId, parts: [{ text }] },
  complete: false,
});
const more = (artifactId: string, ...parts: Part[]): TaskChange => ({ kind: 'append', taskId: 't-1', artifactId, parts, complete: false });
const message = (text: string, messageId: string): Message => says(text, { messageId });
const status = (state: Task['status']['state'], text?: string): TaskChange => ({
  kind: 'status',
  taskId: 't-1',
  status: text === undefined ? { state } : { state, message: says(text) },
});
const completed = (artifacts: Record<string, string>, words?: string): Task =>
  task('TASK_STATE_COMPLETED', {
    status: { state: 'TASK_STATE_COMPLETED', ...(words !== undefined && { message: says(words) }) },
    artifacts: Object.entries(artifacts).map(([artifactId, text]) => ({ artifactId, parts: [{ text }] })),
  });

suite('an answer that a program reads', () => {
  const answer = (...answers: readonly Parameters<Printer['answer']>[0][]) =>
    printed(false, printer => {
      printer.changes([put('a', 'draft'), more('a', { text: ' more' }), status('TASK_STATE_WORKING', 'thinking')]);
      for (const one of answers) {
        printer.nextTurn();
        printer.answer(one);
      }
    });

  test('is there once, as it is in the end', () => {
    assert.deepEqual(answer({ task: completed({ a: 'final', b: 'two' }, 'done') }), {
      out: 'final\n\ntwo\n\ndone\n',
      err: 'task t-1, working: thinking\n',
    });
  });

  test('has no question, and no words of a task at work', () => {
    for (const state of ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING'] as const)
      assert.equal(answer({ task: { ...completed({ a: 'so far' }), status: { state, message: says('Which one?') } } }).out, 'so far\n');
  });

  test('has data as JSON and files by name and size, on lines of their own', () => {
    const parts: Part[] = [
      { text: 'See' },
      { data: { knots: 10 } },
      { raw: 'AAAA', filename: 'a.png', mediaType: 'image/png' },
      { text: 'ok' },
    ];
    assert.equal(answer({ message: { ...says(''), parts } }).out, 'See\n{"knots":10}\n[a.png, image/png, 3 bytes]\nok\n');
  });

  test('may be a message of data alone, or the last words beside a message', () => {
    assert.equal(answer({ message: { ...says(''), parts: [{ data: { a: 1 } }] } }).out, '{"a":1}\n');
    assert.equal(answer({ message: message('first', 'm'), task: completed({ a: 'one' }, 'last') }).out, 'one\n\nfirst\n\nlast\n');
  });

  test('has each of several messages, as it was told last', () => {
    const { out } = printed(false, printer => {
      for (const [text, id] of [
        ['Hel', 'a'],
        ['Hello', 'a'],
        ['friend', 'b'],
      ] as const)
        printer.changes([{ kind: 'message', message: message(text, id) }]);
      printer.answer({ message: message('friend', 'b') });
    });
    assert.equal(out, 'Hello\n\nfriend\n');
  });

  test('leaves a question that is in the history alone to standard error, each state and question once', () => {
    const { out, err } = printed(false, printer => {
      printer.changes([status('TASK_STATE_INPUT_REQUIRED')]);
      printer.changes([status('TASK_STATE_INPUT_REQUIRED')]);
      const history = [message('old', 'o'), { ...message('hi', 'u'), role: 'ROLE_USER' as const }, message('Which one?', 'q')];
      for (let turn = 0; turn < 2; turn++) printer.answer({ task: task('TASK_STATE_INPUT_REQUIRED', { history }) });
    });
    assert.deepEqual([out, err], ['', 'task t-1, input-required\ntask t-1: Which one?\n']);
  });

  test('of another task is there whole, though it is the same', () => {
    const tasks = [completed({ a: 'Yes.' }), { ...completed({ a: 'Yes.' }), id: 't-2' }];
    assert.equal(answer(...tasks.map(one => ({ task: one }))).out, 'Yes.\nYes.\n');
  });

  test('of a later turn is what has changed, and its words', () => {
    const turns = [completed({ a: 'one' }, 'yes'), completed({ a: 'one', b: 'two' }, 'yes'), completed({ a: 'other', b: 'two' })];
    assert.equal(answer(...turns.map(one => ({ task: one }))).out, 'one\n\nyes\ntwo\n\nyes\nother\n');
  });
});

suite('an answer that a person sees come', () => {
  test('is told apart where its artifacts come in turn', () => {
    const { out, err } = printed(true, printer => {
      printer.changes([put('a', 'one')]);
      printer.changes([put('b', 'uno'), more('a', { text: ' two' })]);
      printer.answer({ task: completed({ a: 'one two', b: 'uno' }) });
    });
    assert.equal(out, 'one\n\nuno\n\n two\n');
    assert.equal(err, 'Artifact "b":\nMore of artifact "a":\n');
  });

  test('is not told again, unless it is another: then that is said', () => {
    const { out, err } = printed(true, printer => {
      printer.changes([put('a', 'one')]);
      printer.changes([put('a', 'one two')]);
      printer.changes([put('a', 'three')]);
      printer.answer({ task: completed({ b: 'four' }) });
    });
    assert.equal(out, 'one two\nthree\n\nfour\n');
    assert.equal(err, 'The agent replaced the text of artifact "a":\nArtifact "b":\n');
  });

  test('has a message that grows under one id once', () => {
    const { out } = printed(true, printer => {
      for (const text of ['Hel', 'Hello', 'Hello.']) printer.changes([{ kind: 'message', message: message(text, 'm') }]);
      printer.answer({ message: message('Hello.', 'm') });
    });
    assert.equal(out, 'Hello.\n');
  });

  test('has data that comes in pieces on lines of its own', () => {
    const { out } = printed(true, printer => {
      printer.changes([put('a', 'Ten knots.'), more('a', { data: 1 }), more('a', { data: 2 }), more('a', { text: 'Fair.' })]);
      printer.end();
    });
    assert.equal(out, 'Ten knots.\n1\n2\nFair.\n');
  });
});
