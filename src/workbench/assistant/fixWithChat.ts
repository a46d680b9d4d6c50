import * as vscode from 'vscode';
import * as z from 'zod';
import { findingFault, fixPrompt, ruleFault, testFault, verdictFault, type Fault } from '../../assistant/fixPrompt.ts';
import { bounds } from '../../assistant/bounds.ts';
import { wrongIn } from '../../assistant/runTool.ts';
import type { World } from '../../assistant/world.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { RequestRun } from '../../model/requests/requestRun.ts';
import { writeExactly } from '../../protocol/json/exactJson.ts';
import { beginningOf } from '../../protocol/ownText.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { keptReport } from '../conformance/keptRuns.ts';
import { offersChat } from '../platform/settings.ts';
import { failedTest, type FailedTest } from '../requests/testing/failedTest.ts';

/** The command of VS Code that opens its chat. */
const openChat = 'workbench.action.chat.open';

export interface FixNeeds extends Pick<World, 'link' | 'mask'> {
  readonly contexts: Pick<AgentContexts, 'get' | 'history'>;
  /** The last run of the request of a test. */
  readonly runOf: (test: vscode.TestItem) => RequestRun | undefined;
}

/** The argument from a page: a finding of an exchange, or a verdict of a kept run. */
const FromPage = z.union([
  z.object({ context: z.string(), exchange: z.string(), finding: z.int().min(0) }),
  z.object({ agent: z.string(), run: z.int(), index: z.int().min(0) }),
]);

/** Fills a prompt with the evidence of a fault into the chat of VS Code. It is not sent. Rejects with a `Problem`. */
export async function fixWithChat(argument: unknown, needs: FixNeeds): Promise<void> {
  const fault = faultOf(argument, needs);
  if (!offersChat() || !(await vscode.commands.getCommands(true)).includes(openChat)) {
    throw new Problem('no-chat', sentence('VS Code has no chat here.'), {
      nextStep: sentence('The setting "chat.disableAIFeatures" may have turned it off.'),
    });
  }
  await vscode.commands.executeCommand(openChat, { query: await fixPrompt(fault, needs), isPartialQuery: true });
}

function faultOf(argument: unknown, { contexts, runOf }: FixNeeds): Fault {
  const failed = failedTest(argument);
  if (failed !== undefined) return faultOfTest(failed, runOf);
  const given = FromPage.parse(argument);
  if ('run' in given) {
    const report = keptReport(contexts, given.agent, given.run);
    if (report === undefined) throw new Problem('gone', sentence('This result is no longer in the history.'));
    return verdictFault(given.agent, report, given.index);
  }
  const context = contexts.get(given.context);
  const kept = context?.exchange(given.exchange);
  if (context === undefined || kept === undefined) throw new Problem('gone', sentence('This exchange is no longer in the history.'));
  return findingFault(context, kept, given.finding);
}

function faultOfTest({ test, message }: FailedTest, runOf: FixNeeds['runOf']): Fault {
  const evidence = message === undefined ? [] : linesOf(message);
  // Only the rules of an agent have no file.
  if (test.uri === undefined) return { ...ruleFault(test.parent?.parent?.id ?? '', test.id), evidence };
  const run = runOf(test);
  if (run?.agent === undefined) {
    throw new Problem('gone', sentence('This result is of an earlier window.'), { nextStep: sentence('Run the test again.') });
  }
  const { entry, outcome } = run;
  const line = (message?.location?.range ?? test.range)?.start.line;
  return testFault({
    agent: run.agent.name,
    context: run.contextKey,
    file: `${vscode.workspace.asRelativePath(test.uri)}${line === undefined ? '' : `:${line + 1}`}`,
    request: entry.name ?? `#${entry.index + 1}`,
    outcome,
    evidence: message === undefined && outcome !== undefined ? [writeExactly(wrongIn(run, outcome))] : evidence,
  });
}

function linesOf({ message, expectedOutput, actualOutput }: vscode.TestMessage): Fault['evidence'] {
  const cut = (text: string): string => beginningOf(text, bounds.answer, '…');
  return [
    `Message: ${cut(typeof message === 'string' ? message : message.value)}`,
    expectedOutput && `Expected: ${cut(expectedOutput)}`,
    actualOutput && `Actual: ${cut(actualOutput)}`,
  ];
}
