import { hint, Problem, sentence } from '../../protocol/problem.ts';

/** Throws a `Problem` for an agent that is not in the settings any more. */
export function unknownAgent(name: string): never {
  throw new Problem('unknown-agent', sentence('The agent "{0}" is not configured.', name), {
    nextStep: hint(
      sentence('Press F5 if a debug session ran it, or add it with "A2A: Add Agent…" and its address.'),
      'Name its address with --agent NAME=URL, then try again.',
    ),
  });
}
