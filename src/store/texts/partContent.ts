import { isDeepStrictEqual } from 'node:util';
import type { Part } from '../../protocol/message/part.ts';

/** The content of parts, without metadata: a snapshot may join the texts that a stream brought, or leave out their metadata. */
function contentOf(parts: readonly Part[]): readonly unknown[] {
  const content: unknown[] = [];
  let run: string[] = [];
  const flush = (): void => {
    const text = run.join('');
    if (text !== '') content.push(text);
    run = [];
  };
  for (const part of parts) {
    if ('text' in part) run.push(part.text);
    else {
      flush();
      content.push('raw' in part ? { raw: part.raw } : 'url' in part ? { url: part.url } : { data: part.data });
    }
  }
  flush();
  return content;
}

/** True if both have the same content. */
export const isSameContent = (one: readonly Part[], other: readonly Part[]): boolean => isDeepStrictEqual(contentOf(one), contentOf(other));

/** True if the content of `parts` begins with all the content of `beginning`; everything begins with nothing. */
export function beginsWithContent(parts: readonly Part[], beginning: readonly Part[]): boolean {
  const whole = contentOf(parts);
  const start = contentOf(beginning);
  return start.every((each, index) => {
    const other = whole[index];
    return (
      isDeepStrictEqual(each, other) ||
      (index === start.length - 1 && typeof each === 'string' && typeof other === 'string' && other.startsWith(each))
    );
  });
}
