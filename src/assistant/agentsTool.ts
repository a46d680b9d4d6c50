import * as z from 'zod';
import type { Agent } from '../model/agents/agent.ts';
import { Problem } from '../protocol/problem.ts';
import { writeExactly } from '../protocol/json/exactJson.ts';
import { versionOf } from '../protocol/versions/index.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import { bounds, paged } from './bounds.ts';
import { problemSections, untrusted, type Section } from './result.ts';
import { findingFacts, ruleSection } from './ruleFacts.ts';
import { agentNamed, openLine } from './targets.ts';
import { defineTool } from './tool.ts';
import type { World } from './world.ts';

const Input = z.strictObject({
  agent: z.string().optional().describe('Name of an agent, for its card with the findings in it. Without it: the list of agents.'),
  from: z.int().min(0).optional().describe('Offset in the text of a long card.'),
});

/** Lists the agents of the workspace, or shows the card of one. */
export const agentsTool = defineTool({
  name: 'a2a_agents',
  description:
    'Lists the A2A agents of this workspace: name, address, whether each is reachable, protocol versions and sign-in. With "agent": its agent card and what is wrong in it, with rule and clause. Start here. For conversations with them use a2a_history; to find out whether a running agent keeps the rules, a2a_check.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: Input,
  work: async ({ agent: name, from = 0 }, world) => {
    await world.consent.mayRead();
    if (name === undefined) return list(world);
    const agent = agentNamed(name, world);
    if (agent.card === undefined) await agent.check();
    await agent.reviewed;
    await agent.diagnosed;
    return card(agent, from, world);
  },
});

function list({ agents: { all } }: World): readonly Section[] {
  if (all.length === 0)
    return ['There are no agents. The person adds one with "A2A: Add Agent…", or to "a2a.agents" in .vscode/settings.json.'];
  const left = all.length - bounds.agents;
  return [writeExactly(all.slice(0, bounds.agents).map(facts)), ...(left > 0 ? [`${left} more agents were left out.`] : [])];
}

/** Facts that have no word of the agent, but perhaps its name, which may have come with its card: as text on one line, and bounded. */
function facts(agent: Agent) {
  const { name, addressUrl, reachability, standing, needsSignIn, signIn, interfaces } = agent;
  const versions = interfaces.offered.flatMap(offered => (offered.isSupported ? (versionOf(offered.interface.protocolVersion) ?? []) : []));
  return withoutUndefined({
    name: name.slice(0, bounds.name).toWellFormed(),
    address: addressUrl,
    reachability: reachability === 'unknown' ? 'not asked yet: give "agent"' : reachability,
    lastReachable: standing.reachableAt === undefined ? undefined : new Date(standing.reachableAt).toISOString(),
    lastAnsweredIn: standing.spokenVersion,
    protocolVersions: versions.length === 0 ? undefined : [...new Set(versions.map(({ protocolVersion }) => protocolVersion))],
    signIn: signIn.kind,
    needsSignIn,
  });
}

async function card(agent: Agent, from: number, world: World): Promise<readonly Section[]> {
  const { cardSource, review, diagnosis, problem, noCard, name } = agent;
  const findings = [...(review.findings ?? []), ...diagnosis.map(({ finding }) => finding)];
  const failure = problem ?? noCard;
  return [
    [writeExactly(facts(agent)), ...openLine({ agent: name }, world)].join('\n'),
    ...(failure instanceof Problem ? problemSections(failure, [name]) : []),
    ...(cardSource === undefined
      ? []
      : [
          untrusted(
            name,
            paged(cardSource, from, bounds.page, next => `a2a_agents with "from": ${next}`),
          ),
        ]),
    ...(findings.length > 0
      ? [untrusted(name, findingFacts(findings))]
      : cardSource === undefined
        ? []
        : ['Nothing is wrong in the card.']),
    ...(await ruleSection(findings.map(({ rule }) => rule))),
  ];
}
