import type { Problem } from './problem.ts';

const codes: readonly string[] = ['unreachable', 'not-json', 'empty-answer', 'not-grpc', 'grpc-unimplemented'];

/**
 * True for a problem that may come of a wrong or outdated agent card: nothing answered at the address of the interface, something that is
 * no agent did (HTTP 404 and 405, a page), or the agent does not have the method.
 */
export const mendedByCard = ({ code, sentence: { args } }: Pick<Problem, 'code' | 'sentence'>): boolean =>
  codes.includes(code) || (code === 'http-error' && [404, 405].includes(Number(args[0]))) || args[0] === 'MethodNotFoundError';
