import * as assert from 'node:assert/strict';
import { ArtifactReducer } from '../../../src/model/fold/artifactReducer.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Artifact } from '../../../src/protocol/message/task.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';

const parts = (texts: readonly string[]): Part[] => texts.map(text => ({ text }));
const art = (...texts: readonly string[]): Artifact => ({ artifactId: 'a', parts: parts(texts) });
type Flags = { readonly append?: boolean; readonly lastChunk?: boolean; readonly name?: string; readonly description?: string };

/** The artifacts of a task `t` that are told one update after the other; `joined`: somebody came to listen in the middle. */
class Told {
  readonly reducer: ArtifactReducer;
  readonly #joined: boolean;

  constructor({ known = [], complete = [], joined = false }: { known?: Artifact[]; complete?: string[]; joined?: boolean } = {}) {
    this.reducer = new ArtifactReducer('t', known, new Set(complete));
    this.#joined = joined;
  }

  chunk(text: string | readonly string[], { append, lastChunk, ...head }: Flags = {}): TaskChange[] {
    return this.reducer.update(
      {
        taskId: 't',
        artifact: { ...art(...[text].flat()), ...head },
        ...(append !== undefined && { append }),
        ...(lastChunk !== undefined && { lastChunk }),
      },
      this.#joined,
    );
  }

  more(text: string, flags: Flags = {}): TaskChange[] {
    return this.chunk(text, { append: true, ...flags });
  }

  snapshot(texts: readonly string[], active = true): TaskChange[] {
    return this.reducer.replace([art(...texts)], active, 'apart');
  }

  get text(): string {
    return this.reducer.list.map(({ parts: all }) => all.map(part => ('text' in part ? part.text : '?')).join('|')).join();
  }
}

const artifact = (texts: readonly string[], more: { complete?: boolean; revises?: true; head?: object } = {}): TaskChange => ({
  kind: 'artifact',
  taskId: 't',
  artifact: { ...more.head, ...art(...texts) },
  complete: more.complete === true,
  ...(more.revises && { revises: true }),
});
const appended = (texts: readonly string[], complete = false): TaskChange => ({
  kind: 'append',
  taskId: 't',
  artifactId: 'a',
  parts: parts(texts),
  complete,
});
const rules = (changes: readonly TaskChange[]): readonly string[] =>
  changes.flatMap(change => (change.kind === 'finding' ? [change.finding.rule] : []));
/** Whether earlier content is kept as a version of its own. */
const keepsVersion = (changes: readonly TaskChange[]): boolean =>
  changes.some(change => change.kind === 'artifact' && change.revises === true);

suite('what is told of an artifact', () => {
  test('each change says of which task it is, and no more than that', () => {
    const told = new Told();
    assert.deepEqual(told.chunk('x'), [artifact(['x'])]);
    assert.deepEqual(told.more('y'), [appended(['y'])]);
    assert.deepEqual(told.reducer.close(), [appended([], true)]);
    assert.deepEqual(told.reducer.close(), []);
  });

  test('what was streamed stays where the task lacks it at its end, which is reported once', () => {
    const told = new Told();
    told.chunk('x');
    assert.deepEqual(told.reducer.replace([], true, 'apart'), [], 'an agent at work may be late with it');
    assert.deepEqual(rules(told.reducer.replace([], false, 'apart')), ['STRM-08']);
    assert.deepEqual(told.reducer.replace([], false, 'apart'), []);
    assert.equal(told.text, 'x');
  });

  test('an empty beginning takes nothing away', () => assert.deepEqual(new Told().chunk([]), [artifact([])]));

  test('a beginning that says append is told as a beginning, and is taken as one by who joined later', () => {
    const told = new Told();
    const changes = told.more('x');
    assert.deepEqual(changes.slice(1), [artifact(['x'])]);
    assert.deepEqual([rules(changes), told.reducer.doubtful], [['STRM-04'], true]);
    const joined = new Told({ joined: true });
    assert.deepEqual(joined.more('x'), [artifact(['x'])]);
    assert.equal(joined.reducer.doubtful, false);
  });

  test('name and description that come later are taken, once, and those that were told first stay', () => {
    const told = new Told();
    told.chunk('x');
    assert.deepEqual(told.more('y', { name: 'n' }), [artifact(['x', 'y'], { head: { name: 'n' } })]);
    assert.deepEqual(told.more('z', { description: 'd' }), [artifact(['x', 'y', 'z'], { head: { name: 'n', description: 'd' } })]);
    assert.deepEqual(told.more('!', { name: 'other', description: 'other' }), [appended(['!'])]);
    assert.deepEqual(
      told.reducer.list.map(({ name, description }) => [name, description]),
      [['n', 'd']],
    );
    const described = new Told();
    described.chunk('x', { description: 'd' });
    assert.deepEqual(described.more('y', { description: 'e' }), [appended(['y'])]);
  });

  test('the same content under another name is told anew', () => {
    const told = new Told();
    told.chunk('x', { name: 'n' });
    assert.deepEqual(told.chunk('x', { name: 'm' }), [artifact(['x'], { head: { name: 'm' } })]);
    assert.deepEqual(told.chunk(['x', 'y'], { name: 'm' }), [appended(['y'])]);
  });

  test('what was looked at stays as it was', () => {
    const told = new Told();
    told.chunk('x');
    const before = told.reducer.list;
    told.more('y');
    assert.deepEqual([before, told.text], [[art('x')], 'x|y']);
  });

  test('what an update gives is not what grows', () => {
    const told = new Told();
    const update = { taskId: 't', artifact: art('x') };
    const [begun] = told.reducer.update(update, false);
    told.more('y');
    assert.deepEqual([begun, update.artifact], [artifact(['x']), art('x')]);
  });
});

suite('versions of an artifact', () => {
  const rows: readonly (readonly [what: string, keeps: boolean, tell: (told: Told) => TaskChange[], of?: Told])[] = [
    ['what was whole, and other content comes', true, told => (told.chunk('x', { lastChunk: true }), told.chunk('q'))],
    ['what was whole, and it comes with more behind it', true, told => (told.chunk('x', { lastChunk: true }), told.chunk(['x', 'y']))],
    ['what was whole and comes again', false, told => (told.chunk('x', { lastChunk: true }), told.chunk('x', { lastChunk: true }))],
    ['what was whole and empty', false, told => (told.chunk([], { lastChunk: true }), told.chunk('x'))],
    ['what was not whole, and other content comes', true, told => (told.chunk('x'), told.more('y'), told.chunk('q'))],
    ['what was not whole, and goes on in one piece', false, told => (told.chunk('x'), told.more('y'), told.chunk('xyz'))],
    ['what began with append', false, told => (told.more('x'), told.chunk('q'))],
    ['what had one chunk twice in a row', false, told => (told.chunk('x'), told.more('y'), told.more('y'), told.chunk('q'))],
    [
      'what had a chunk after its last one, and then is told once more as it is',
      false,
      told => (told.chunk('x', { lastChunk: true }), told.more('y'), told.chunk(['x', 'y']), told.chunk('q')),
    ],
    ['what came in disorder and is whole', true, told => (told.more('x'), told.more('y', { lastChunk: true }), told.chunk('q'))],
    ['a snapshot: what one update made', true, told => (told.chunk('x'), told.snapshot(['q']))],
    ['a snapshot: what chunks made', true, told => (told.chunk('x'), told.more('y'), told.snapshot(['q']))],
    [
      'a snapshot: what chunks made and is whole',
      true,
      told => (told.chunk('x'), told.more('y', { lastChunk: true }), told.snapshot(['q'])),
    ],
    ['a snapshot: what is doubtful', true, told => (told.chunk('x', { lastChunk: true }), told.more('y'), told.snapshot(['q']))],
    ['a snapshot: what it has all of', false, told => (told.chunk('x'), told.snapshot(['xy']))],
    ['a snapshot: what chunks made since another', true, told => (told.snapshot(['x']), told.more('y'), told.snapshot(['q']))],
    ['a snapshot: what a later one heard', true, told => (told.more('x'), told.snapshot(['q'])), new Told({ joined: true })],
    ['a snapshot: what the history has, unfinished', true, told => told.snapshot(['q']), new Told({ known: [art('x')] })],
    ['a snapshot: what the history has, whole', true, told => told.snapshot(['q']), new Told({ known: [art('x')], complete: ['a'] })],
    ['a snapshot: what nobody knew', false, told => told.snapshot(['q'])],
  ];
  for (const [what, keeps, tell, of] of rows)
    test(`${what}: ${keeps ? 'kept' : 'not kept'}`, () => {
      const told = of ?? new Told();
      const changes = tell(told);
      assert.equal(keepsVersion(changes), keeps, JSON.stringify(changes));
      assert.ok(!JSON.stringify(changes).includes('"revises":false'));
    });

  test('a snapshot settles what was in doubt', () => {
    const told = new Told();
    told.chunk('x', { lastChunk: true });
    told.more('y');
    assert.equal(told.reducer.doubtful, true);
    told.reducer.confirm();
    assert.equal(told.reducer.doubtful, false);
  });
});
