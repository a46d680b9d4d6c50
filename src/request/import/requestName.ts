import { isReferable } from '../template/template.ts';

/** Longest generated name, in UTF-16 code units. */
const maxLength = 40;

/** A name from the first words that templates can refer to and that is not in `taken`; `otherwise` where the words do not give a name. */
export function nameFor(words: string, taken: ReadonlySet<string>, otherwise = 'message'): string {
  const slug = words
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, maxLength)
    .replaceAll(/^-+|-+$/g, '');
  const name = isReferable(slug) ? slug : otherwise;
  let number = 2;
  while (taken.has(number === 2 ? name : `${name}-${number - 1}`)) number += 1;
  return number === 2 ? name : `${name}-${number - 1}`;
}
