import { randomUUID } from 'node:crypto';
import { harbourHandbook, pieces } from './handbook.ts';
import { textPart } from './parts.ts';
import type { SampleAgent } from './serve.ts';
import type { Turn } from './turn.ts';

const usualChunks = 350;
// The SDK's in-memory store copies the whole task twice for every chunk: the work grows with the square.
const maxChunks = 2000;
const wordsPerChunk = 3.5;

/**
 * Streams a long Markdown text in small chunks of one artifact (A2A 1.0 §4.2.2, `append` and `lastChunk`).
 * Canceled half-way, the task keeps what was written.
 */
export class Writer implements SampleAgent {
  readonly introduction = {
    name: 'Writer',
    description: 'Writes a long handbook in Markdown, a few words at a time. Say how many chunks, and whether slowly or quickly.',
    outputModes: ['text/markdown', 'text/plain'],
    skills: [{
      id: 'write',
      name: 'Write a handbook',
      description: 'Streams a handbook for sailors, headings, table and code included.',
      tags: ['streaming', 'markdown', 'cancel'],
      examples: ['Write the harbour handbook', 'Write 1000 chunks', 'Write slowly', 'Write 100 chunks and fail half-way'],
    }],
  };

  readonly play = async (turn: Turn): Promise<void> => {
    const { chunks, ms, fails } = readOrder(turn.text);
    if (chunks < 2 || chunks > maxChunks) return turn.reject(`I write from 2 to ${maxChunks} chunks, not ${chunks}.`);
    await turn.work(`Writing ${chunks} chunks, one every ${ms} ms…`, ms);
    const artifactId = randomUUID();
    for (const [at, piece] of pieces(harbourHandbook(chunks * wordsPerChunk), chunks).entries()) {
      if (fails && at === Math.floor(chunks / 2)) return turn.fail(`The ink ran out after ${at} of ${chunks} chunks.`);
      turn.artifact(
        { artifactId, name: 'harbour_handbook.md', description: 'A handbook for small boats', parts: [textPart(piece, 'text/markdown')] },
        { append: at > 0, lastChunk: at === chunks - 1 },
      );
      await turn.pause(ms);
    }
    turn.complete(`The handbook is written: ${chunks} chunks.`);
  };
}

/** How many chunks, how many milliseconds apart, and whether to give up half-way. */
function readOrder(text: string): { chunks: number; ms: number; fails: boolean } {
  const said = (pattern: RegExp): number | undefined => (pattern.test(text) ? Number(text.match(pattern)?.[1]) : undefined);
  const usualMs = /\bslow/i.test(text) ? 100 : /\b(quick|fast)/i.test(text) ? 2 : 15;
  return {
    chunks: said(/(\d+)\s*(?:chunks?|pieces?|parts?)\b/i) ?? usualChunks,
    ms: said(/(\d+)\s*ms\b/i) ?? usualMs,
    fails: /\bfail/i.test(text),
  };
}
