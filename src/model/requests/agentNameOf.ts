import { hint, Problem, sentence } from '../../protocol/problem.ts';
import type { Scope } from '../../request/resolve/fill.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { resolveAgent } from '../../request/resolve/resolve.ts';

/** The agent of a request: its own, its file's, else the one given. Throws a `Problem` `no-agent` where there is none. */
export async function agentNameOf(entry: RequestEntry, scope: Scope, given: string | undefined): Promise<string> {
  const name = (await resolveAgent(entry, scope)) ?? given;
  if (name !== undefined) return name;
  throw new Problem('no-agent', sentence('This request names no agent.'), {
    nextStep: hint(
      sentence('Set an agent: a name from the setting a2a.agents, or a URL.'),
      'Give it an agent: a name of --agent NAME=URL or of a2a.agents in .vscode/settings.json, or a URL; or name one for all with --agent URL.',
    ),
  });
}
