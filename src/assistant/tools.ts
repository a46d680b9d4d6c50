import * as z from 'zod';
import { problemOf } from '../model/requests/requestOutcome.ts';
import { sentence } from '../protocol/problem.ts';
import { agentsTool } from './agentsTool.ts';
import { checkTool } from './checkTool.ts';
import { compareTool } from './compareTool.ts';
import { historyTool } from './historyTool.ts';
import { refusal } from './refusal.ts';
import { agentsIn, problemSections, resultText } from './result.ts';
import { runTool } from './runTool.ts';
import { sendTool } from './sendTool.ts';
import { taskTool } from './taskTool.ts';
import type { Tool } from './tool.ts';
import { wireTool } from './wireTool.ts';
import type { World } from './world.ts';

/** The tools, in the order in which they are offered. */
export const tools: readonly Tool[] = [agentsTool, sendTool, taskTool, historyTool, compareTool, wireTool, checkTool, runTool];

/**
 * Calls a tool with an input as it came. Resolves with the text for the model; rejects with an `Error` whose message is for it.
 */
export async function callTool(name: string, given: unknown, world: World, signal: AbortSignal): Promise<string> {
  try {
    const tool = tools.find(each => each.name === name);
    if (tool === undefined) throw refusal(sentence('There is no tool {0}.', name));
    const sections = await tool.call(given, world, signal);
    world.consent.hasRead(agentsIn(sections));
    return resultText(sections, world.mask);
  } catch (error) {
    const sections = problemSections(problemOf(error, world.onError), agentOf(given, world));
    world.consent.hasRead(agentsIn(sections));
    throw new Error(resultText(sections, world.mask), { cause: error });
  }
}

/** The agent that an error may quote: all of the workspace where the input names none. */
function agentOf(given: unknown, { agents, contexts, archive }: World): readonly string[] {
  const { agent, context } = z.object({ agent: z.string().optional(), context: z.string().optional() }).catch({}).parse(given);
  const name = agent ?? (context === undefined ? undefined : (contexts.get(context) ?? archive?.get(context))?.agentName);
  const known = agents.all.map(each => each.name);
  return name !== undefined && known.includes(name) ? [name] : known;
}
