import { Problem } from '../../protocol/problem.ts';
import type { TextRange } from './textRange.ts';

/** A problem whose cause stands in the text of the request file. */
export class RequestFault extends Problem {
  readonly range: TextRange;

  constructor({ code, sentence, nextStep, details, cause }: Problem, range: TextRange) {
    super(code, sentence, { nextStep, details, cause });
    this.range = range;
  }
}

/** Problems of the work get the place that they come from, unless they know a closer one. */
export async function located<T>(range: TextRange | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw range === undefined || !(error instanceof Problem) || error instanceof RequestFault ? error : new RequestFault(error, range);
  }
}
