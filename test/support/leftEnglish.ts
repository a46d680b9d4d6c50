import type { LocalizedMessage } from '../../src/protocol/problem.ts';

/** The sentence in a language that has no word in common with English. */
const foreign = ({ template, args }: LocalizedMessage): string =>
  template
    .replaceAll(/[A-Za-z]+/g, word => 'é'.repeat(word.length))
    .replaceAll(/\{(\d+)\}/g, (whole, index: string) => {
      const arg = args[Number(index)] ?? whole;
      return typeof arg === 'object' ? foreign(arg) : String(arg);
    });

/** English phrases that stay in a sentence whatever it is translated into, but for what it quotes. Words of the protocol stand alone. */
export const leftEnglish = (message: LocalizedMessage): readonly string[] =>
  foreign(message)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '…')
    .match(/\b[a-z]{2,} [a-z]{2,}\b/g) ?? [];
