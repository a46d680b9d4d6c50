import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { Problem, sentence } from '../../protocol/problem.ts';
import { ConnectionProblem } from './connectionProblem.ts';

/** How many times as long as it came a body may become; looked at from so many bytes on. */
const maxRatio = 200;
const alwaysRead = 1024 * 1024;

/**
 * The codings that are read (RFC 9110 §8.4.1), by the first byte of the body, which distinguishes deflate with the header of zlib from
 * deflate without.
 */
const decoders: Readonly<Record<string, (first: number) => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: first => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** How many bytes of a body came, and how many they became. */
interface CodedSizes {
  readonly came: number;
  readonly became: number;
}

export const isReadCoding = (coding: string): boolean => Object.hasOwn(decoders, coding);

/**
 * The content of a body in a coding that is read, each piece as soon as it is complete. Leaving the loop ends the bytes, too.
 * @param took called with the sizes so far
 * @throws Problem `too-large` for what becomes more than 200 times as long, `not-json` for what is not in that coding; ConnectionProblem
 * `connection-lost` where it ends too early; and whatever the bytes throw
 */
export async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  coding: string,
  took: (sizes: CodedSizes) => void,
): AsyncGenerator<Uint8Array> {
  let [came, became] = [0, 0];
  const counted = (async function* () {
    for await (const chunk of bytes) {
      came += chunk.byteLength;
      took({ came, became });
      if (chunk.byteLength > 0) yield chunk;
    }
  })();
  const first = await counted.next();
  if (first.done === true) return;
  const decoder = decoders[coding]!(first.value[0]!);
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* counted;
  };
  // What fails comes out of the decoder.
  pipeline(all, decoder, () => {});
  try {
    for await (const piece of decoder as AsyncIterable<Uint8Array>) {
      became += piece.byteLength;
      took({ came, became });
      if (became > alwaysRead && became > maxRatio * came) throw tooDense();
      yield piece;
    }
  } catch (error) {
    throw problemOf(error, coding);
  }
}

/** Says which coding is not read, and what to do about it. */
export const unknownCoding = (coding: string): Problem =>
  new Problem('unknown-coding', sentence('The answer is compressed with an unsupported method: {0}.', coding), { nextStep: turnOff });

const turnOff = sentence(
  "Turn off compression for answers in the agent's server or in a proxy in front of it, or let it use gzip, deflate or br.",
);

const tooDense = (): Problem =>
  new Problem('too-large', sentence('The answer, when decompressed, exceeds the limit of {0} times its size.', maxRatio), {
    nextStep: turnOff,
  });

/** Errors of zlib have codes of their own; any other came with the bytes. */
function problemOf(error: unknown, coding: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') {
    return new ConnectionProblem('connection-lost', sentence('The answer is compressed ({0}) and ends too early.', coding), 'yes', {
      nextStep: sentence("Look at the agent's own log at this time."),
      cause: error,
    });
  }
  if (!/^(?:Z_|ERR__)/.test(code)) return error;
  return new Problem('not-json', sentence('The answer is declared as compressed ({0}), but cannot be decompressed.', coding), {
    nextStep: turnOff,
    cause: error,
  });
}
