import type { Agent } from '../../model/agents/agent.ts';
import { problemsOf } from '../agentsView/agentDecorations.ts';
import { oneLine } from '../platform/untrustedText.ts';
import { translate } from '../platform/report.ts';

/** Timeout for the checks of an agent that was just added, in milliseconds; later results show in the tree. */
const checkTimeoutMs = 2_000;
/** Longest label of a button, in characters. */
const maxButtonLength = 80;

/** The first mismatch between an agent and its card as a sentence, with a button for its remedy. A mismatch with a remedy comes first. */
export async function firstProblemOf(
  agent: Agent | undefined,
): Promise<{ readonly words: string; readonly remedy: readonly string[] } | undefined> {
  if (agent === undefined) return undefined;
  await Promise.race([checked(agent), new Promise(resolve => setTimeout(resolve, checkTimeoutMs))]);
  const problems = problemsOf(agent.diagnosis);
  const problem = problems.find(({ suggestedFix }) => suggestedFix !== undefined) ?? problems[0];
  if (problem === undefined) return undefined;
  return {
    words: translate(problem.sentence),
    remedy: problem.suggestedFix === undefined ? [] : [oneLine(translate(problem.suggestedFix.title)).slice(0, maxButtonLength)],
  };
}

async function checked(agent: Agent): Promise<void> {
  await agent.check({ anew: true });
  await agent.diagnosed;
}
