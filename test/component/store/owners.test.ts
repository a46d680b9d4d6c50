import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { at, History, is } from './support/history.ts';

suite('processes that follow tasks', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  const follows = (owner: string): void => {
    history.store.leases.enter(owner, { at });
    history.store.record(key, [is('t', 'WORKING')], { at, owner, follow: true });
  };
  const mayClaim = (later: number): boolean => history.store.leases.claim(key, 't', 'me', { at: at + later });

  test('one of another machine is gone when it has been silent for six seconds', () => {
    follows('far');
    const raw = new DatabaseSync(history.path);
    raw.exec(`UPDATE owners SET host = 'another machine'`);
    raw.close();
    assert.deepEqual([mayClaim(1_000), mayClaim(5_999), mayClaim(6_000)], [false, false, true]);
  });

  test('one of this machine that belongs to somebody else is there', () => {
    follows('other');
    const { kill } = process;
    process.kill = () => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    };
    try {
      assert.equal(mayClaim(60_000), false);
      assert.equal(mayClaim(16 * 60_000), true, "its number is another process's by then");
    } finally {
      process.kill = kill;
    }
  });

  test('lets go of its own tasks alone', () => {
    follows('other');
    for (const again of [false, true]) history.store.leases.release(key, 't', 'me', again);
    assert.equal(history.store.leases.isElsewhere(key, 't', 'me', at), true);
    assert.deepEqual(history.store.leases.unfinished('me', { at, all: true }), []);
    history.store.leases.release(key, 't', 'other', true);
    assert.deepEqual(
      history.store.leases.unfinished('me', { at, all: false }).map(({ taskId }) => taskId),
      ['t'],
    );
  });
});
