import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import { at, day, exchangeOf, History, is, owner } from './support/history.ts';

const mebibyte = 2 ** 20;
const body = JSON.stringify({ text: 'tall ship\n\0京🙂\uD83D"'.repeat(100_000) });
const { endedAt: _, ...begun } = exchangeOf('x', { operation: 'GetTask' });
const poll = (id: string, response: Partial<NonNullable<Exchange['response']>> = { body }): Exchange => ({
  ...begun,
  id,
  endedAt: at,
  response: { status: 200, headers: [['content-type', 'application/json']], ...response },
});

suite('long answers', () => {
  const history = History.ofEachTest();
  let key: string;
  setup(() => {
    key = history.context();
  });

  const put = (...exchanges: readonly Exchange[]): void => history.store.putWire(key, { exchanges, frames: new Map() });
  const opened = (id: string): Exchange | undefined => history.store.exchange(id)?.exchange;
  /** What the history takes, in bytes, and how many answers it keeps for themselves. */
  function kept(): { readonly bytes: number; readonly answers: number } {
    const database = new DatabaseSync(history.path, { readOnly: true });
    const row = database
      .prepare(`SELECT (SELECT count(*) FROM answers) AS answers,
      (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) - (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size) AS bytes`)
      .get();
    database.close();
    return row as { bytes: number; answers: number };
  }

  test('that are told again and again are kept once, and every exchange opens as it was on the wire', () => {
    put(poll('0'));
    const once = kept();
    for (let index = 1; index < 20; index++) {
      put({ ...begun, id: `${index}` });
      put(poll(`${index}`));
    }
    assert.ok(once.bytes > 2 * mebibyte, `${once.bytes}`);
    assert.ok(kept().bytes - once.bytes < 100_000, `${kept().bytes - once.bytes} bytes for 19 polls`);
    assert.equal(store().exchanges(key, { limit: 50 }).length, 20);
    history.reopen();
    for (let index = 0; index < 20; index++) assert.deepEqual(opened(`${index}`), poll(`${index}`));
  });
  const store = (): History['store'] => history.store;

  test('that differ in the id of their request alone are kept once', () => {
    const asked = (index: number): Exchange => {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const result = JSON.stringify({ status: body });
      return {
        ...poll(`${index}`, {
          body: index % 2 === 0 ? `{"jsonrpc":"2.0","id":"${id}","result":${result}}` : `{"result":${result},"id":"${id}"}`,
        }),
        request: { ...begun.request, body: `{"jsonrpc":"2.0","id":"${id}","method":"GetTask"}` },
      };
    };
    for (let index = 0; index < 10; index++) put(asked(index));
    assert.equal(kept().answers, 2);
    for (let index = 0; index < 10; index++) assert.deepEqual(opened(`${index}`), asked(index));
  });

  test('with bytes beside them, and others, are told apart', () => {
    const all = [
      poll('a'),
      poll('b', { body: `${body} ` }),
      poll('c', { body, bytes: 'AAE=' }),
      poll('d', { bytes: 'A'.repeat(mebibyte) }),
      poll('e', { body: 'short' }),
      poll('f', {}),
    ];
    put(...all);
    for (const one of all) assert.deepEqual(opened(one.id), one);
    assert.equal(kept().answers, 4);
  });

  test('go with the last exchange that has them', () => {
    const other = history.context();
    put(poll('a'), poll('b'));
    store().putWire(other, { exchanges: [poll('c')], frames: new Map() });
    store().deleteContext(key);
    assert.deepEqual([kept().answers, opened('c')], [1, poll('c')]);
    store().deleteContext(other);
    assert.equal(kept().answers, 0);
  });

  test('go when their exchange has another', () => {
    put(poll('a'));
    put(poll('a', { body: `${body} ` }));
    assert.deepEqual([kept().answers, opened('a')], [1, poll('a', { body: `${body} ` })]);
    put(poll('a', { body: '' }));
    assert.deepEqual([kept().answers, opened('a')], [0, poll('a', { body: '' })]);
  });

  test('of tasks that go are counted with the last that has them', async () => {
    for (const [index, taskId] of ['t1', 't2', 't3'].entries()) {
      store().record(key, [is(taskId, 'COMPLETED')], {
        at: at + index * day,
        owner,
        exchangeId: taskId,
        wire: { exchanges: [poll(taskId)], frames: new Map() },
      });
    }
    const options = { tasks: 1 };
    const would = await store().retention.whatWouldGo(options, at + 9 * day);
    assert.ok(would.tasks.bytes < mebibyte, `${would.tasks.bytes}`);
    assert.deepEqual(await store().retention.apply(options, at + 9 * day), would);
    assert.deepEqual([kept().answers, opened('t3')], [1, poll('t3')]);
    assert.ok((await store().retention.whatWouldGo({ tasks: 0 }, at + 9 * day)).tasks.bytes > 2 * mebibyte);
  });
});
