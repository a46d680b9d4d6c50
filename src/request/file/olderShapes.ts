import { sentence } from '../../protocol/problem.ts';
import { memberOf, rangeOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import { fromOlderPart } from './olderPart.ts';
import type { RequestEntry } from './requestEntry.ts';
import { errorAt, type RequestProblem } from '../text/requestProblem.ts';
import type { TextRange } from '../text/textRange.ts';

/** The parts that a request sends, wherever they are written. */
export function partsOf({ members }: RequestEntry): readonly JsonNode[] {
  const message = members.get('message')?.value;
  const inParams = memberOf(memberOf(members.get('params')?.value, 'message')?.value, 'parts')?.value;
  return [message, inParams].flatMap(list => (list?.type === 'array' ? (list.children ?? []) : [])).filter(({ type }) => type === 'object');
}

/** Where a request uses the shape of A2A 0.3 or earlier and the format requires 1.0, each with its range. */
export function* olderShapes(entry: RequestEntry): Iterable<{ readonly problem: RequestProblem; readonly about: TextRange }> {
  for (const part of partsOf(entry)) {
    const kind = memberOf(part, 'kind') ?? memberOf(part, 'type');
    if (kind === undefined || fromOlderPart(valueOf(part)) === undefined) continue;
    yield {
      about: rangeOf(part),
      problem: errorAt(
        'older-part',
        kind.nameRange,
        sentence('This part is written as in A2A 0.3 or earlier. In 1.0 its content says what it is.'),
      ),
    };
  }
  const role = memberOf(memberOf(entry.members.get('params')?.value, 'message')?.value, 'role')?.value;
  if (role?.value === 'user' || role?.value === 'agent') {
    yield {
      about: rangeOf(role),
      problem: errorAt('older-role', rangeOf(role), sentence('This role is written as in A2A 0.3 or earlier.')),
    };
  }
}
