import { parseInterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { sentence } from '../../protocol/problem.ts';
import { rangeOf, type JsonNode } from '../text/jsonNode.ts';
import { errorAt, type RequestProblem } from '../text/requestProblem.ts';

/** The problem of an interface that is written as a text. An object is checked by the schema. */
export function interfaceProblem(node: JsonNode | undefined): RequestProblem | undefined {
  if (node?.type !== 'string' || parseInterfaceSelector(String(node.value)) !== undefined) return undefined;
  return errorAt(
    'bad-interface',
    rangeOf(node),
    sentence('"{0}" is not an interface. Write a binding, a version or both, such as {1}.', String(node.value), '"HTTP+JSON 1.0"'),
  );
}
