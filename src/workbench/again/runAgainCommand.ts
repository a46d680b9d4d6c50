import * as vscode from 'vscode';
import { newRun, type NewRun, turnsFrom } from '../../model/again/newRun.ts';
import { storedRun, storedTurns } from '../../model/again/storedRun.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { textOf } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ComparedTurn } from '../../recording/compare/comparedRun.ts';
import { compareRuns, isEqual } from '../../recording/compare/comparison.ts';
import { ensureCard } from '../agents/ensureCard.ts';
import { confirmExtensions } from '../agents/requiredExtensions.ts';
import { confirmOrigins } from '../agentsView/foreignOrigin.ts';
import { logError } from '../platform/log.ts';
import { report, translate, translatedList } from '../platform/report.ts';
import { escapeLinks, oneLine, truncated } from '../platform/untrustedText.ts';
import { type AgainTarget, pickTarget } from './againTarget.ts';
import { nextRunTitle } from './runTitle.ts';

/** Most runs that are compared, with the original. */
const maxCompared = 8;
/** Most turns whose rate a notification has. */
const maxTold = 5;

interface RunAgainNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly openChat: (context: AgentContext) => Promise<unknown>;
}

/** Title of a conversation in a notification. */
export const shownTitle = (context: Pick<AgentContext, 'title'>): string => truncated(oneLine(context.title), 40);

/** Opens the comparison of conversations, given by their keys. */
export const compare = (contexts: readonly string[]): Thenable<unknown> => vscode.commands.executeCommand('a2a.compareRuns', { contexts });

/**
 * Asks where a conversation is to be run again, and runs it. Rejects with a `Problem`, such as `nothing-to-run-again`.
 * @param seq entry of the message that is the first to be sent; the first of the conversation if left out
 */
export async function runConversationAgain(context: AgentContext, seq: number | undefined, needs: RunAgainNeeds): Promise<void> {
  const { agents, contexts } = needs;
  if (context.tasks({ limit: 20 }).some(({ remoteOnly }) => remoteOnly === true)) await context.loadTasks();
  const stored = storedTurns(context);
  const first = seq === undefined ? 0 : stored.findIndex(({ said }) => said.seq === seq);
  const begins = stored[first];
  if (begins === undefined)
    throw new Problem('nothing-to-run-again', sentence('There is no message here that can be sent again.'), {
      nextStep: sentence('Send one first.'),
    });
  const turns = turnsFrom(storedRun(context).turns, first);
  const title = (first > 0 && oneLine(textOf(begins.said.message.parts)).trim()) || context.title;
  const hasAssistants = contexts.assistantIn(context.key) !== undefined;
  const target = await pickTarget(agents, { same: context.agentName, messages: turns.length, hasAssistants });
  if (target === undefined) return;
  await ensureCard(target.agent);
  if (!(await confirmExtensions([target.agent])) || !(await confirmOrigins(target.agent))) return;
  const { runs, isCanceled } = await runAll({ title, turns }, target, needs);
  if (!isCanceled) await tell(context, turns.length, runs, first === 0).catch(report);
}

/** Runs one after the other, in a notification that cancels them. */
async function runAll(
  { title, turns }: { readonly title: string; readonly turns: readonly ComparedTurn[] },
  { agent, interface: wanted, times }: AgainTarget,
  { contexts, openChat }: RunAgainNeeds,
): Promise<{ readonly runs: readonly NewRun[]; readonly isCanceled: boolean }> {
  const runs: NewRun[] = [];
  const stop = new AbortController();
  const running = escapeLinks(vscode.l10n.t('Running "{0}" again', shownTitle({ title })));
  await vscode.window.withProgress(
    // With a title, VS Code puts a half-width colon after it in every language.
    { location: vscode.ProgressLocation.Notification, cancellable: true },
    async (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      const say = (what: string): void =>
        progress.report({
          message: vscode.l10n.t(
            '{0}: {1}',
            running,
            times === 1 ? what : vscode.l10n.t('run {0} of {1}, {2}', runs.length + 1, times, what),
          ),
        });
      const sending = (number: number): void => say(vscode.l10n.t('message {0} of {1}', Math.min(number, turns.length), turns.length));
      while (runs.length < times && !stop.signal.aborted) {
        sending(1);
        let sent = 0;
        const run = await newRun({
          contexts,
          agent: agent.name,
          interface: wanted,
          title: nextRunTitle(contexts, agent.name, title),
          turns,
          signal: stop.signal,
          onContext: context => (runs.length === 0 ? openChat(context) : undefined),
          onTurn: ({ waitingTask }, context) => {
            sent++;
            if (waitingTask === undefined) return sending(sent + 1);
            say(vscode.l10n.t('message {0} of {1} waits for you: answer in the chat, and the rest is sent', sent, turns.length));
            openChat(context).catch(report);
          },
          attended: true,
          onError: logError,
        });
        runs.push(run);
        if (run.context === undefined) break;
      }
    },
  );
  return { runs, isCanceled: stop.signal.aborted };
}

/** Says how far the runs came and what differs, and offers to compare them. */
async function tell(original: AgentContext, messages: number, runs: readonly NewRun[], isWhole: boolean): Promise<void> {
  const title = shownTitle(original);
  const contexts = runs.flatMap(({ context }) => context ?? []);
  const rows = compareRuns([original, ...contexts].map(storedRun));
  const again = contexts.map((context, index) => ({ context, isSame: rows.every(row => isEqual(row, index + 1)) }));
  // Those that differ first: a comparison has room for a few.
  const sorted = again.toSorted((one, other) => Number(one.isSame) - Number(other.isSame));
  const compared = [...(isWhole ? [original] : []), ...sorted.map(({ context }) => context)].slice(0, maxCompared).map(({ key }) => key);
  const offered = compared.length > 1 ? [vscode.l10n.t('Compare')] : [];
  // A message that the person sent into a run has a row of its own, and is no turn of the original.
  const same = rows.flatMap(({ turns: [turn], equal }) => (turn === undefined ? [] : [equal]));
  const short = runs.find(({ turns }) => turns.length < messages || turns.at(-1)?.outcome.problem !== undefined);
  const problem = short?.turns.at(-1)?.outcome.problem;
  const choice =
    short === undefined
      ? await vscode.window.showInformationMessage(
          escapeLinks(isWhole ? toldOf(title, same, runs.length) : vscode.l10n.t('Ran "{0}" again.', title)),
          ...offered,
        )
      : await vscode.window.showWarningMessage(
          escapeLinks(
            problem === undefined
              ? vscode.l10n.t('Running "{0}" again ended at message {1} of {2}.', title, short.turns.length, messages)
              : vscode.l10n.t('Message {0} of {1} failed: {2}', short.turns.length, messages, truncated(translate(problem.sentence), 300)),
          ),
          ...offered,
        );
  if (choice !== undefined) await compare(compared);
}

/** In words, in how many of the runs the turns came out as before. */
function toldOf(title: string, same: readonly number[], times: number): string {
  const different = same.flatMap((count, index) => (count < times ? [{ turn: index + 1, count }] : []));
  const [first] = different;
  if (first === undefined)
    return times === 1
      ? vscode.l10n.t('"{0}" ran again: the same answers.', title)
      : vscode.l10n.t('"{0}" ran again {1} times: always the same answers.', title, times);
  if (times === 1) return vscode.l10n.t('"{0}" ran again: turn {1} differs.', title, first.turn);
  const rates = different.slice(0, maxTold).map(({ turn, count }) => vscode.l10n.t('turn {0} in {1} of {2}', turn, count, times));
  return vscode.l10n.t(
    '"{0}" ran again {1} times. The same as before: {2}.',
    title,
    times,
    translatedList(different.length > maxTold ? [...rates, '…'] : rates),
  );
}
