import { Problem, sentence } from '../../protocol/problem.ts';
import { visited } from '../text/cycles.ts';
import type { RequestEntry } from './requestEntry.ts';
import { mayBeSentSeveralTimes, severalAnswers } from './references.ts';
import { RequestFault } from '../text/requestFault.ts';
import type { RequestFile } from './requestFile.ts';

/**
 * Requests and those that must be sent for them, directly and indirectly, each once and after those that it needs; of one, itself is last.
 * @throws Problem `circle` where requests need each other, `several-answers` where a needed one is sent several times.
 */
export function sendOrder(entries: readonly RequestEntry[], file: RequestFile): readonly RequestEntry[] {
  const { order, cycles } = visited(entries, of => (file.needs.get(of) ?? []).map(({ entry: to }) => ({ to, why: undefined })));
  const [circle] = cycles;
  if (circle !== undefined) {
    const names = [...circle.nodes, circle.nodes[0]].map(node => node?.name ?? '');
    throw new Problem('circle', sentence('These requests depend on each other in a circle: {0}.', names.join(' → ')), {
      nextStep: sentence('Remove one of the references.'),
    });
  }
  const several = order.flatMap(of => file.needs.get(of) ?? []).find(need => need.ofRow !== true && mayBeSentSeveralTimes(need.entry));
  if (several !== undefined) throw new RequestFault(new Problem('several-answers', severalAnswers(several.entry)), several.range);
  return order;
}
