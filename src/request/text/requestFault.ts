import { Problem } from '../../protocol/problem.ts';
import type { TextRange } from './textRange.ts';

/** A problem that is caused by a range of the request file. */
export class RequestFault extends Problem {
  readonly range: TextRange;

  constructor({ code, sentence, nextStep, details, cause }: Problem, range: TextRange) {
    super(code, sentence, { nextStep, details, cause });
    this.range = range;
  }
}

/** Adds the range to problems of `work`, unless they already have a more precise one. */
export async function located<T>(range: TextRange | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw range === undefined || !(error instanceof Problem) || error instanceof RequestFault ? error : new RequestFault(error, range);
  }
}
