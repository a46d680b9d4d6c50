import * as assert from 'node:assert/strict';
import { readFrames } from '../../../src/client/sse/sse.ts';
import { growsInProportion } from '../../support/cpuTime.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { yardstick } from '../../support/longestTurn.ts';

const pieceBytes = 16;
const eventBytes = 4 * 1024 * 1024;
const small = 16 * 1024;
const newline = 0x0a;
/** Most time of a processor that one step takes, in which nothing else could happen; milliseconds. */
const longest = 50;
/** Other work on the machine only ever adds to a measurement, so one good round is enough. */
const rounds = 8;

type Reader = (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<string>;

/** Of this thread alone. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const eventOf = (length: number): Buffer => Buffer.from(`data: {"text":"${'x'.repeat(length)}"}\n\n`);

/** Has a reader read an event of so many characters. Returns the longest step between two pieces. */
async function read(reader: Reader, length: number, piece = pieceBytes): Promise<number> {
  const bytes = eventOf(length);
  let step = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.byteLength; at += piece) {
      const before = cpu();
      yield bytes.subarray(at, at + piece);
      step = Math.max(step, cpu() - before);
    }
  }
  for await (const data of reader(pieces())) assert.equal(data.length, length + '{"text":""}'.length);
  return step;
}

async function* ours(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const frames of readFrames(pieces)) yield* frames.map(({ data }) => data);
}

/** Joins all it has with every piece and looks through it from the start. */
async function* quadratic(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun = Buffer.alloc(0);
  for await (const piece of pieces) {
    begun = Buffer.concat([begun, piece]);
    let end = 0;
    while (end < begun.length && !(begun[end] === newline && begun[end + 1] === newline)) end++;
    if (end === begun.length) continue;
    yield begun.toString('utf8', 'data: '.length, end);
    begun = begun.subarray(end + 2);
  }
}

suite('an event of 4 MiB in pieces of 16 bytes', function () {
  this.timeout(180_000);

  test('never takes much time at once', async () => {
    let step = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds && step > longest; round++) step = Math.min(step, await read(ours, eventBytes));
    const began = cpu();
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const bytes = eventOf(eventBytes);
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    for await (const data of ours(pieces())) assert.ok(data.length > eventBytes);
    const all = Math.ceil(cpu() - began);
    figure(
      'F2',
      { 'ms of a processor': all, 'ms of the longest step': Math.ceil(step) },
      `${all} ms of a processor, ${step.toFixed(1)} ms in the longest step`,
    );
    // A quarter of what a turn may take, which is 50 ms where that is 200.
    const most = full ? longest : Math.max(longest, yardstick() / 4);
    assert.ok(step <= most, `${step} of ${most} ms at once`);
  });

  test('takes time in proportion to its length', async () => {
    const { holds, figures } = await growsInProportion(size => read(ours, size).then(() => {}), small);
    assert.ok(holds, figures);
  });

  test('a reader that joins all it has with every piece is caught', async () => {
    // In larger pieces, so that looking is all that takes time; once before it counts, so that compiling does not.
    const look = (size: number): Promise<void> => read(quadratic, size, 16 * pieceBytes).then(() => {});
    await look(4 * small);
    let caughtIt = false;
    // Of a machine with other work the small size may be slow in every round of one attempt.
    for (let attempt = 0; attempt < 4 && !caughtIt; attempt++) caughtIt = !(await growsInProportion(look, 2 * small, 2, 2)).holds;
    assert.ok(caughtIt);
    caught('F2', 'a reader that joins all it has with every piece');
  });
});
