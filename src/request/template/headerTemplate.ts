import { namesCredential } from '../../protocol/secrets/credentialNames.ts';
import { readTemplate } from './template.ts';

/** A piece of a header's value in an agent's settings: text, or what stands for a stored secret or a variable of the environment. */
export type HeaderPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret' | 'env'; readonly name: string }
  /** Any other `{{…}}`: settings have no variables, requests or files. `text` is what is between the braces. */
  | { readonly kind: 'other'; readonly text: string };

/** Splits the value of a header at `{{$secret NAME}}` and `{{$env NAME}}`; `\{{` is a literal `{{`, as in request files. */
export function headerPieces(value: string): readonly HeaderPiece[] {
  if (!value.includes('{{')) return [{ kind: 'text', text: value }];
  return readTemplate(value).map(segment => {
    if (segment.kind === 'text') return { kind: 'text', text: segment.text };
    const { expression, range } = segment;
    return expression.kind === 'function' && (expression.name === 'secret' || expression.name === 'env') && expression.argument !== ''
      ? { kind: expression.name, name: expression.argument }
      : { kind: 'other', text: value.slice(range.offset + 2, range.offset + range.length - 2).trim() };
  });
}

/** Headers of an agent's settings without those that have credentials, by their names or by a stored secret in them. */
export const headersWithoutCredentials = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !namesCredential(name) && headerPieces(value).every(({ kind }) => kind !== 'secret')),
  );
