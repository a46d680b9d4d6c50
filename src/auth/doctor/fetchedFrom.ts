import { Problem, sentence } from '../../protocol/problem.ts';

/**
 * `OAuthContext.requireOrigin` of an explanation, whose documents may be at any address: allows the agent's own origin, those that are
 * approved, and every other one that the person allows.
 * @param approved as `URL.origin` writes them
 * @param ask called once for each other origin, one after the other; without it, they are not asked
 */
export function fetchedFrom(
  approved: readonly string[],
  agentUrl: string,
  ask: (origin: string) => Promise<boolean> = () => Promise.resolve(false),
): (url: URL) => Promise<void> {
  const answers = new Map<string, Promise<boolean>>([agentUrl, ...approved].map(url => [new URL(url).origin, Promise.resolve(true)]));
  return async ({ origin }) => {
    const answer = answers.get(origin) ?? ask(origin);
    answers.set(origin, answer);
    if (!(await answer))
      throw new Problem('sign-in-origin', sentence('Nothing was fetched from {0}: you have not approved it for this agent.', origin));
  };
}
