/** Words that VS Code writes in lower case inside a title: articles, conjunctions, and prepositions of up to four letters. */
const small = new Set([
  'a',
  'an',
  'the',
  'and',
  'but',
  'nor',
  'or',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'into',
  'of',
  'off',
  'on',
  'onto',
  'over',
  'per',
  'to',
  'up',
  'via',
  'with',
]);
/** Words whose casing is their own. */
const asIs = new Set(['cURL', 'gRPC']);
/** Words that are part of the verb before them, which a title has in upper case: clean up, fill in, turn on. */
const particles = /^(?:Clean Up|Fill In|Turn On)\b/;

/** The words of a command, a button or a menu entry that are not in title case. */
export function titleFaults(title: string): string[] {
  const words = title
    .replace(particles, '')
    .split(/[\s/]+/)
    .filter(word => /[\p{L}\p{N}{]/u.test(word));
  const first = particles.test(title) ? -1 : 0;
  return words.filter((word, at) => {
    const bare = word.replace(/^[("“@]+|[)"”…:,?!.]+$/gu, '');
    if (asIs.has(bare) || /^(?:\.|\d|v?\{)/.test(bare)) return false;
    if (small.has(bare.toLowerCase()) && at !== first && at !== words.length - 1) return bare !== bare.toLowerCase();
    return !/^\p{Lu}/u.test(bare);
  });
}
