import * as assert from 'node:assert/strict';
import { artifact, at, History } from './support/history.ts';

suite('artifacts of a context', () => {
  const history = History.ofEachTest();

  const shown = (key: string): string[] =>
    history.store.artifacts
      .ofContext(key)
      .map(({ taskId, artifact: { artifactId }, verdict }) => `${taskId} ${artifactId}${verdict === undefined ? '' : ` ${verdict}`}`);
  const seqOf = (key: string, index: number): number => history.store.artifacts.ofContext(key)[index]?.seq ?? -1;

  test('are listed over all tasks, as they came, without those that are gone', () => {
    const key = history.context();
    const other = history.context();
    history.record(key, [artifact('t1', 'a', 'x'), artifact('t2', 'a', 'y'), artifact('t3', 'c', 'z')]);
    history.record(other, [artifact('t1', 'elsewhere', 'x')]);
    history.store.edits.delete([{ context: key, taskId: 't3' }], at);
    assert.deepEqual(shown(key), ['t1 a', 't2 a']);
    assert.deepEqual(history.store.artifacts.ofContext('nowhere'), []);
  });

  test('a verdict stays over a restart and a new content, and can be taken back', () => {
    const key = history.context();
    history.record(key, [artifact('t1', 'a', 'x'), artifact('t2', 'b', 'y')]);
    history.store.artifacts.judge(key, seqOf(key, 0), 'rejected');
    history.store.artifacts.judge(key, seqOf(key, 1), 'accepted');
    history.reopen();
    history.record(key, [artifact('t1', 'a', 'another')]);
    assert.deepEqual(shown(key), ['t1 a rejected', 't2 b accepted']);
    history.store.artifacts.judge(key, seqOf(key, 1), undefined);
    assert.deepEqual(shown(key), ['t1 a rejected', 't2 b']);
  });

  test('an entry of another context is not judged', () => {
    const [key, other] = [history.context(), history.context()];
    history.record(key, [artifact('t1', 'a', 'x')]);
    history.store.artifacts.judge(other, seqOf(key, 0), 'rejected');
    assert.deepEqual(shown(key), ['t1 a']);
  });

  test('the newest five hundred', () => {
    const key = history.context();
    history.record(
      key,
      Array.from({ length: 520 }, (_, index) => artifact('t', `a${index}`, 'x')),
    );
    const all = shown(key);
    assert.deepEqual([all.length, all[0], all.at(-1)], [500, 't a20', 't a519']);
  });
});
