import { Problem, type LocalizedMessage } from '../protocol/problem.ts';

const code = 'tool-refused';

/** A problem that has nothing but our own words. */
export const refusal = (what: LocalizedMessage, nextStep?: LocalizedMessage): Problem =>
  new Problem(code, what, nextStep === undefined ? {} : { nextStep });

/** True for those that `refusal` made. All others may quote an agent. */
export const isRefusal = (problem: Problem): boolean => problem.code === code;
