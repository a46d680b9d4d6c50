import * as assert from 'node:assert/strict';
import { Printer } from '../../../src/cli/terminal/printer.ts';
import type { Artifact } from '../../../src/protocol/message/task.ts';

suite('what is kept of printed artifacts', () => {
  /** How often the words stand in what is printed. */
  function printed(words: string, artifacts: Iterable<Artifact>): number {
    let count = 0;
    const real = { stdout: process.stdout.write, stderr: process.stderr.write };
    const write = (text: unknown): boolean => {
      if (String(text).includes(words)) count++;
      return true;
    };
    process.stdout.write = write;
    process.stderr.write = write;
    try {
      const printer = new Printer({ values: {} });
      for (const artifact of artifacts) printer.show({ artifactUpdate: { taskId: 't', contextId: 'c', artifact } });
    } finally {
      Object.assign(process.stdout, { write: real.stdout });
      Object.assign(process.stderr, { write: real.stderr });
    }
    return count;
  }

  const words = 'the first one';
  const known: Artifact = { artifactId: 'first', parts: [{ text: words }] };
  function* between(first: Artifact, count: number, other: (index: number) => Omit<Artifact, 'artifactId'>): Iterable<Artifact> {
    yield first;
    for (let index = 0; index < count; index++) yield { artifactId: `a${index}`, ...other(index) };
    yield first;
  }

  test('an artifact that comes again is not printed again', () => {
    assert.equal(
      printed(
        words,
        between(known, 100, index => ({ parts: [{ text: `${index}` }] })),
      ),
      1,
    );
  });

  const long = 'x'.repeat(2 ** 20);
  const floods: Readonly<Record<string, readonly [count: number, other: (index: number) => Omit<Artifact, 'artifactId'>]>> = {
    'long ones': [20, index => ({ parts: [{ text: `${index} ${long}` }] })],
    'ones with long names': [20, index => ({ name: `${index} ${long}`, parts: [{ text: `${index}` }] })],
    'very many': [10_001, index => ({ parts: [{ text: `${index}` }] })],
  };
  for (const [what, [count, other]] of Object.entries(floods)) {
    test(`${what} take its place: it is forgotten, and printed again`, () => assert.equal(printed(words, between(known, count, other)), 2));
  }

  test('of described parts, too', () => {
    const file = (filename: string): Omit<Artifact, 'artifactId'> => ({ parts: [{ url: 'https://example.com/', filename }] });
    const first = { artifactId: 'first', ...file(words) };
    assert.equal(
      printed(
        words,
        between(first, 100, index => file(`f${index}`)),
      ),
      1,
    );
    assert.equal(
      printed(
        words,
        between(first, 10_001, index => file(`f${index}`)),
      ),
      2,
    );
  });
});
