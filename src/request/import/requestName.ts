import { isReferable } from '../template/template.ts';

/** Longest name that is made of words, in UTF-16 code units. */
const longest = 40;

/** The first words as a name that templates can refer to, and that nothing else has; `otherwise` where they are no name. */
export function nameFor(words: string, taken: ReadonlySet<string>, otherwise = 'message'): string {
  const slug = words
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '');
  const name = isReferable(slug) ? slug : otherwise;
  let number = 2;
  while (taken.has(number === 2 ? name : `${name}-${number - 1}`)) number += 1;
  return number === 2 ? name : `${name}-${number - 1}`;
}
