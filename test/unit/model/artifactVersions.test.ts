import * as assert from 'node:assert/strict';
import { artifactHistories, historyOf, latestAcceptable } from '../../../src/model/contexts/artifactVersions.ts';
import { artifactReferences, referringMetadata } from '../../../src/protocol/message/artifactReference.ts';
import type { ContextArtifact } from '../../../src/store/lists/contextArtifacts.ts';

/** t2 refines what t1 made, and t3 what t2 made; t4 and t5 refer to each other and to nothing else. */
const rests: Readonly<Record<string, readonly string[]>> = { t2: ['t1'], t3: ['t2'], t4: ['t5'], t5: ['t4'] };

type Made = readonly [task: string, artifactId: string, name?: string, metadata?: Readonly<Record<string, unknown>>];

const artifactsOf = (made: readonly Made[]): ContextArtifact[] =>
  made.map(([taskId, artifactId, name, metadata], seq) => ({
    seq,
    taskId,
    artifact: { artifactId, ...(name !== undefined && { name }), ...(metadata && { metadata }) },
    complete: true,
  }));

suite('artifact versions', () => {
  const rows: readonly (readonly [what: string, made: readonly Made[], histories: readonly string[]])[] = [
    ['nothing', [], []],
    ['one artifact', [['t1', 'a', 'boat.png']], ['a']],
    [
      'equal names in unrelated tasks',
      [
        ['t1', 'a', 'result'],
        ['t6', 'b', 'result'],
        ['t7', 'c', 'result'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'equal names in tasks that refer to one another alone',
      [
        ['t1', 'a', 'x'],
        ['t4', 'b', 'x'],
        ['t5', 'c', 'x'],
      ],
      ['a', 'b c'],
    ],
    [
      'a name in a task that skips one',
      [
        ['t1', 'a', 'x'],
        ['t6', 'b', 'x'],
        ['t3', 'c', 'x'],
      ],
      ['a c', 'b'],
    ],
    [
      'one id without any name',
      [
        ['t1', 'a'],
        ['t2', 'a'],
      ],
      ['a a'],
    ],
    [
      'one id in unrelated tasks, with and without a name',
      [
        ['t1', 'a', 'report'],
        ['t6', 'a', 'report'],
        ['t1', 'b'],
        ['t6', 'b'],
      ],
      ['a', 'a', 'b', 'b'],
    ],
    [
      'a refinement in another task keeps the name',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'b', 'boat.png'],
        ['t3', 'c', 'boat.png'],
      ],
      ['a b c'],
    ],
    [
      'two of a name in one task',
      [
        ['t1', 'a', 'boat.png'],
        ['t1', 'b', 'boat.png'],
      ],
      ['a', 'b'],
    ],
    [
      'two of a name in a task that refers to the one before',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'b', 'boat.png'],
        ['t2', 'c', 'boat.png'],
      ],
      ['a b', 'c'],
    ],
    [
      'other names',
      [
        ['t1', 'a', 'boat.png'],
        ['t1', 'b', 'log.txt'],
        ['t2', 'c', 'log.txt'],
      ],
      ['a', 'b c'],
    ],
    [
      'names differ by a letter',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'b', 'Boat.png'],
      ],
      ['a', 'b'],
    ],
    [
      'no name is no name in common',
      [
        ['t1', 'a'],
        ['t2', 'b'],
        ['t3', 'c', ''],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'one id in two tasks',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'a', 'boat.png'],
      ],
      ['a a'],
    ],
    [
      'one id in two tasks, other names',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'a', 'log.txt'],
      ],
      ['a', 'a'],
    ],
    [
      'another name that says what it goes back to',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'b', 'red.png', { referenceArtifacts: [{ artifactId: 'a', taskId: 't1' }] }],
      ],
      ['a b'],
    ],
    [
      '… in the metadata itself',
      [
        ['t1', 'a', 'boat.png'],
        ['t2', 'b', 'red.png', { artifactId: 'a', taskId: 't1' }],
      ],
      ['a b'],
    ],
    [
      'what it says goes before its name',
      [
        ['t1', 'a', 'x'],
        ['t1', 'b', 'y'],
        ['t2', 'c', 'y', { artifactId: 'a', taskId: 't1' }],
      ],
      ['a c', 'b'],
    ],
    [
      'the name goes with it',
      [
        ['t1', 'a', 'x'],
        ['t2', 'b', 'y', { artifactId: 'a', taskId: 't1' }],
        ['t3', 'c', 'y'],
      ],
      ['a b c'],
    ],
    [
      'the id of another task',
      [
        ['t1', 'a', 'x'],
        ['t2', 'b', 'y', { artifactId: 'a', taskId: 't9' }],
      ],
      ['a', 'b'],
    ],
    ['itself', [['t1', 'a', 'x', { artifactId: 'a', taskId: 't1' }]], ['a']],
    [
      'names of objects',
      [
        ['t1', 'a', 'constructor'],
        ['t1', 'b', '__proto__'],
      ],
      ['a', 'b'],
    ],
  ];
  for (const [what, made, expected] of rows) {
    test(what, () => {
      const histories = artifactHistories(artifactsOf(made), taskId => rests[taskId] ?? []);
      assert.deepEqual(
        histories.map(({ versions }) => versions.map(({ artifact }) => artifact.artifactId).join(' ')),
        expected,
      );
      for (const { versions } of histories)
        assert.deepEqual(
          versions.map(({ version }) => version),
          versions.map((_, index) => index + 1),
        );
    });
  }

  test('what versions have in common, where the agent does not say that they are versions', () => {
    const made = artifactsOf([
      ['t1', 'a', 'x'],
      ['t2', 'a', 'x'],
      ['t3', 'b', 'x'],
      ['t7', 'c', 'y', { artifactId: 'b', taskId: 't3' }],
    ]);
    const [history] = artifactHistories(made, taskId => rests[taskId] ?? []);
    assert.deepEqual(
      history?.versions.map(({ same }) => same),
      ['id', 'id', 'name', undefined],
    );
  });

  const verdicts: readonly (readonly [marks: string, version: number | undefined])[] = [
    ['-', 1],
    ['--', 2],
    ['-r', 1],
    ['rr', undefined],
    ['a-', 1],
    ['aa-r', 2],
    ['ar', 1],
    ['-ra', 3],
  ];
  for (const [marks, version] of verdicts) {
    test(`goes on from ${version ?? 'none'} of ${marks}`, () => {
      const artifacts = artifactsOf([...marks].map((_, index): Made => [`t${index}`, 'a', 'x'])).map((each, index) => ({
        ...each,
        ...(marks[index] !== '-' && { verdict: marks[index] === 'a' ? ('accepted' as const) : ('rejected' as const) }),
      }));
      const [history] = artifactHistories(artifacts, taskId => [`t${Number(taskId.slice(1)) - 1}`]);
      assert.ok(history !== undefined);
      assert.equal(latestAcceptable(history)?.version, version);
      assert.equal(historyOf([history], 0), history);
      assert.equal(historyOf([history], 99), undefined);
    });
  }

  test('references are read as they are written, and nothing else is', () => {
    const references = [
      { artifactId: 'a', taskId: 't' },
      { artifactId: 'b', taskId: 't' },
    ];
    assert.deepEqual(artifactReferences(referringMetadata(references)), references);
    for (const bad of [
      undefined,
      {},
      { referenceArtifacts: [null, 1, 'a', {}, { artifactId: 'a' }, { artifactId: 1, taskId: 't' }] },
      { artifactId: 'a' },
    ]) {
      assert.deepEqual(artifactReferences(bad), []);
    }
    assert.equal(artifactReferences({ referenceArtifacts: Array.from({ length: 1000 }, () => references[0]) }).length, 100);
  });
});
