import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { operationOf } from '../text/methods.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { endOf, type TextRange } from '../text/textRange.ts';

interface OutlineSymbol {
  /** A name from the file, or a sentence where it has none. */
  readonly name: string | LocalizedMessage;
  readonly detail: string;
  readonly kind: 'variable' | 'request';
  readonly range: TextRange;
  /** Inside `range`. */
  readonly nameRange: TextRange;
}

/** Variables and requests of a file, in text order. */
export function outline(file: RequestFile): readonly OutlineSymbol[] {
  const variables = [...file.variables.values()].map(
    ({ name, nameRange, node }): OutlineSymbol => ({
      name,
      kind: 'variable',
      detail: node.type === 'string' ? String(node.value).slice(0, 60) : '',
      nameRange,
      range: { offset: nameRange.offset, length: Math.min(endOf(node), file.text.length) - nameRange.offset },
    }),
  );
  const requests = file.requests.map(
    ({ name, index, range, nameRange, method, agent }): OutlineSymbol => ({
      name: name ?? sentence('Request {0}', index + 1),
      kind: 'request',
      range,
      nameRange,
      detail: [method === undefined ? '' : (operationOf(method.value) ?? method.value), agent?.value].filter(Boolean).join(' · '),
    }),
  );
  return [...variables, ...requests].filter(({ name }) => name !== '').sort((one, other) => one.range.offset - other.range.offset);
}
