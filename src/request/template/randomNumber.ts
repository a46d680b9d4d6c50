import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

const range = /^(-?\d{1,15})\s+(-?\d{1,15})$/;

export function randomProblem(argument: string): LocalizedMessage | undefined {
  const [, from, to] = range.exec(argument) ?? [];
  return from !== undefined && Number(from) <= Number(to)
    ? undefined
    : sentence('{0} takes two whole numbers, the smaller one first, such as {1}.', '$random', '$random 1 6');
}

/** A whole number from the first to the last of the argument. `random`: from 0 to below 1. */
export function randomBetween(argument: string, random: number): number {
  const [, from = '0', to = '0'] = range.exec(argument) ?? [];
  return Number(from) + Math.floor(random * (Number(to) - Number(from) + 1));
}
