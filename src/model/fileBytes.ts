import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Problem, sentence } from '../protocol/problem.ts';

/**
 * A file's bytes, piece by piece; `tell` is called with the percentage of each piece. Throws a `Problem`: `canceled` as soon as
 * `isCanceled`, `not-read` where the file cannot be read.
 */
export async function* fileBytes(
  path: string,
  {
    isCanceled,
    tell,
  }: {
    readonly isCanceled: () => boolean;
    readonly tell: (percent: number) => void;
  },
): AsyncGenerator<Uint8Array> {
  try {
    const { size } = await stat(path);
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 18 }) as AsyncIterable<Buffer>) {
      if (isCanceled()) throw new Problem('canceled', sentence('The import was stopped. What was read before stays in the history.'));
      yield chunk;
      tell(size === 0 ? 0 : (100 * chunk.length) / size);
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('not-read', sentence('The file could not be read: {0}', cause instanceof Error ? cause.message : String(cause)), {
      cause,
    });
  }
}
