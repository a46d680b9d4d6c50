import * as assert from 'node:assert/strict';
import { TaskPaging } from '../../../src/protocol/message/taskPaging.ts';

/** So many pages are asked for before the list ends; `tokenOf` names the page behind each. */
function pages(
  tokenOf: (page: number) => string,
  tasksOf: (page: number) => number = () => 1,
  idOf: (page: number) => string = String,
): number {
  const paging = new TaskPaging();
  for (let page = 1; page < 5_000; page++) {
    if (
      paging.next({ tasks: Array.from({ length: tasksOf(page) }, () => ({ id: idOf(page) })), nextPageToken: tokenOf(page) }) === undefined
    )
      return page;
  }
  return Infinity;
}

suite('TaskPaging', () => {
  test('a list ends where the agent names no further page', () => {
    assert.equal(
      pages(page => (page < 7 ? String(page) : '')),
      7,
    );
  });

  test('or where it would go on for ever', () => {
    assert.equal(
      pages(() => 'same'),
      2,
    );
    assert.equal(
      pages(page => String(page % 3)),
      4,
    );
    assert.equal(
      pages(String, page => (page < 5 ? 1 : 0)),
      5,
    );
    assert.equal(
      pages(
        String,
        () => 2,
        page => String(Math.min(page, 3)),
      ),
      4,
      'a page without a new task',
    );
    assert.equal(pages(String), 1_000);
  });

  test('and says why', () => {
    const paging = new TaskPaging();
    const page = { tasks: [{ id: '1' }], nextPageToken: 'a' };
    assert.equal(paging.cause(page), undefined);
    paging.next(page);
    const next = { ...page, tasks: [{ id: '2' }] };
    assert.equal(paging.cause(page), 'known');
    assert.equal(paging.cause(next), 'repeated');
    assert.equal(paging.count, 1);
    assert.equal(paging.cause({ ...page, nextPageToken: '' }), undefined);
    assert.equal(paging.cause({ tasks: [], nextPageToken: 'b' }), 'empty');
    for (let each = 2; each < 1_000; each++) paging.next({ tasks: [{ id: String(each) }], nextPageToken: String(each) });
    assert.equal(paging.cause({ tasks: [{ id: 'new' }], nextPageToken: 'b' }), 'full');
  });
});
