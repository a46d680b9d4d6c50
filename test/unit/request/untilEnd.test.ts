import * as assert from 'node:assert/strict';
import { kinds } from '../../../src/request/expect/kinds.ts';
import { needsEnd } from '../../../src/request/expect/untilEnd.ts';

/** What may hold while the agent works and no longer at the end. */
const turning: readonly object[] = [
  { artifacts: 1 },
  { artifacts: [] },
  { artifacts: [{ name: 'a', count: 2 }] },
  { text: { equals: 'x' } },
  { text: { in: ['x'] } },
  { text: { matches: '^x$' } },
  { artifacts: [{ text: { matches: '^x$' } }] },
  { paths: { 'task.artifacts[*].name': { matches: '^x$' } } },
  { paths: { 'task.artifacts': { some: { matches: '^x$' } } } },
  { text: { not: 'x' } },
  { text: { max: 1 } },
  { paths: { 'task.status.state': { not: 'x' } } },
  { paths: { 'task.artifacts': { length: 1 } } },
  { paths: { 'task.artifacts[1]': { exists: false } } },
  { paths: { 'task.artifacts[*].name': ['a'] } },
  { paths: { 'task.artifacts': { every: { type: 'object' } } } },
  { paths: { 'task.artifacts': { maxLength: 1 } } },
  { artifacts: [{ text: { equals: 'x' } }] },
  { artifacts: [{ data: { n: 1 } }] },
  { artifacts: [{ content: 'x' }] },
  { text: { notContains: 'x' } },
  { events: { max: 3 } },
  { snapshot: true },
  { snapshot: { ignore: ['/metadata'] } },
  { state: { not: 'failed' } },
  { state: { in: ['completed'], not: 'failed' } },
];
/** What holds at the end where it holds before, or says that the agent works. */
const lasting: readonly object[] = [
  {},
  { state: 'completed' },
  { states: ['working', 'completed'] },
  { state: 'working', artifacts: [] },
  { state: { in: ['working', 'completed'] }, artifacts: [] },
  { state: { equals: 'submitted', not: 'failed' } },
  { state: { in: ['completed', 'failed'] } },
  { states: ['working'], artifacts: 1 },
  { artifacts: [{ name: 'a' }] },
  { text: 'x' },
  { text: { contains: 'x' } },
  { paths: { 'task.id': { not: 'x' } } },
  { paths: { 'task.artifacts[0].name': 'a' } },
  { paths: { 'task.artifacts[0].name': { matches: '^a$' } } },
  { paths: { 'task.artifacts[*].name': { contains: 'a' } } },
  { paths: { 'task.artifacts': { minLength: 1 } } },
  { paths: { 'task.artifacts': { some: { type: 'object' } } } },
  { artifacts: [{ text: 'x' }] },
  { events: [{ state: 'working' }] },
  { data: {} },
  { error: -32001 },
  { status: 404 },
  { status: { lt: 500 } },
  { error: { not: 'InternalError' } },
  { totalMs: { gt: 1, lt: 9 } },
  { headers: { 'x-a': { not: 'x' } } },
  { findings: [] },
  { snapshot: false },
  { firstEventMs: 1 },
  { totalMs: 1 },
];

suite('expectations that need the end of a task', () => {
  for (const wanted of turning) test(JSON.stringify(wanted), () => assert.equal(needsEnd(wanted), true));
  for (const wanted of lasting) test(`not ${JSON.stringify(wanted)}`, () => assert.equal(needsEnd(wanted), false));

  test('every kind is tried', () => {
    const tried = new Set([...turning, ...lasting].flatMap(wanted => Object.keys(wanted)));
    assert.deepEqual(
      Object.keys(kinds).filter(kind => !tried.has(kind)),
      [],
    );
  });
});
