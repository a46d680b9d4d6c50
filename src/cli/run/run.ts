import { RequestRuns, type SendRequestOptions } from '../../model/requests/requestRuns.ts';
import { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { Problem } from '../../protocol/problem.ts';
import { waitsForTurnEnd } from '../../request/file/waitsForTurnEnd.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { isPrivate } from '../../request/text/value.ts';
import { askUser, type AskUser } from '../terminal/ask.ts';
import { selectRequests, type SelectedRequest } from './chosenRequests.ts';
import { confirmProduction, confirmRequest } from './confirmations.ts';
import { parseMilliseconds } from '../terminal/milliseconds.ts';
import { refuseOldNode } from '../terminal/nodeVersion.ts';
import type { Values } from '../terminal/options.ts';
import { addSecret, oneLine, printError } from '../terminal/output.ts';
import { reporters } from './reporters/reporters.ts';
import { withoutSecrets } from './reporters/withoutSecrets.ts';
import { refuseInvalidFiles } from './fileProblems.ts';
import { agentOptions, runAgents } from './runAgents.ts';
import { refuseUnusedOptions } from './optionUse.ts';
import { findRunFiles, readRunFile, settingsFiles, type RunFile } from './runFiles.ts';
import { openRunModel } from './runModel.ts';
import { notRun, resultsOf, withoutResult, type RunResult } from './reporters/runResult.ts';
import { approvedOriginsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import { exitStatus, UsageError } from '../terminal/usage.ts';
import { countsOf, isBad } from './reporters/verdict.ts';

const maxParallel = 100;

/** Sends the requests of files, each once and after the ones it needs, and checks the answers against their expectations. */
export async function run(terminal: Terminal, patterns: readonly string[]): Promise<number> {
  const { values, signal, giveUp } = terminal;
  refuseOldNode();
  const reporter = reporterOf(terminal);
  const parallel = parallelOf(values.parallel);
  // An invalid time limit is reported before any file is read.
  if (values.timeout !== undefined) parseMilliseconds(values.timeout);
  const cwd = process.cwd();
  const ask = askUser(signal);
  const options = { environment: values.env, variables: values.var ?? [], env: process.env, cwd, ask };
  const files = await Promise.all(findRunFiles(patterns, cwd).map(found => readRunFile(found, options)));
  for (const [name, value] of Object.entries(process.env)) if (name.startsWith(secretVariable(''))) addSecret(value);
  for (const { values: variables } of files) for (const value of variables.values()) if (isPrivate(value)) addSecret(value.value);
  const written = files.flatMap(({ file }) => file.requests.flatMap(({ agent }) => agent?.value ?? []));
  const agents = runAgents(
    terminal,
    await settingsFiles(
      files.map(({ folder }) => folder),
      cwd,
    ),
    written,
  );
  const { other } = agentOptions(values);
  const refused = refuseInvalidFiles(
    files,
    Object.entries(agents.named).map(([name, { url }]) => ({ name, url })),
    other,
  );
  if (refused.length > 0) {
    // The `spec` reporter has already printed it for people.
    if (reporterName(values) !== 'spec') {
      refused.forEach(result => reporter.result(result));
      reporter.end(refused, { counts: countsOf(refused.map(({ verdict }) => verdict)), ms: 0 });
    }
    return exitStatus.usage;
  }
  refuseUnusedOptions(files, values);
  const chosen = selectRequests(files, values.name);
  if (values.yes !== true)
    await confirmProduction(
      chosen.map(({ file }) => file),
      values.env,
      ask,
    );
  const defects: unknown[] = [];
  const secretOrigins = new SecretOrigins({ allowed: [...approvedOriginsOf(values, selectorOf(values))] });
  const model = openRunModel(terminal, agents, secretOrigins, error => defects.push(error));
  const started = performance.now();
  const results: RunResult[] = [];
  const left: SelectedRequest[] = [];
  try {
    const runs = new Map(files.map(file => [file, new RequestRuns(model, error => defects.push(error))]));
    for (const one of runs.values())
      one.onRefusal(({ entry }, { message }) => printError(`${oneLine(entry.name ?? `Request ${entry.index + 1}`)} goes on: ${message}`));
    let interruptedAt: number | undefined;
    const stop = (): void => {
      interruptedAt = Date.now();
      runs.forEach(one => one.stop());
    };
    signal.addEventListener('abort', stop, { once: true });
    const note = (result: RunResult): void => {
      results.push(result);
      reporter.result(result);
    };
    const enough = (): boolean =>
      signal.aborted || giveUp.aborted || (values.bail === true && results.some(({ verdict }) => isBad(verdict)));
    await inParallel(chosen, parallel, async ({ file, entry }) => {
      const one = runs.get(file);
      if (enough() || one === undefined) {
        note(notRun(file, entry));
        return;
      }
      const begun = performance.now();
      const outcome = await unlessGivenUp(
        one.sendOnce(entry, file.file, { ...sendOptions(terminal, file, ask), secretOrigins }).done,
        giveUp,
      );
      if (outcome instanceof Problem) note(withoutResult(file, entry, { problem: outcome, ms: performance.now() - begun }));
      // The final state of its task is known only after the requests that need it have ended.
      else if (outcome.left === true && chosen.some(other => other.file === file && waitsForTurnEnd(other.entry, entry, file.file)))
        left.push({ file, entry });
      else resultsOf(file, entry, outcome, interruptedAt).forEach(note);
    });
    for (const { file, entry } of left) {
      const outcome = runs.get(file)?.get(entry.key)?.outcome;
      if (outcome !== undefined) resultsOf(file, entry, outcome, interruptedAt).forEach(note);
    }
    signal.removeEventListener('abort', stop);
  } finally {
    model.dispose();
  }
  for (const defect of defects) printError(defect instanceof Error ? (defect.stack ?? defect.message) : String(defect));
  reporter.end(results, { counts: countsOf(results.map(({ verdict }) => verdict)), ms: Math.round(performance.now() - started) });
  if (signal.aborted) return signal.reason as number;
  if (giveUp.aborted) return exitStatus.incomplete;
  return defects.length > 0 ? exitStatus.defect : statusOf(results);
}

function reporterOf({ values }: Terminal) {
  if (values.raw === true) throw new UsageError('--raw is not for run.');
  const name = reporterName(values);
  const reporter = Object.hasOwn(reporters, name) ? reporters[name] : undefined;
  if (reporter === undefined) throw new UsageError(`There is no reporter ${name}. There are: ${Object.keys(reporters).join(', ')}.`);
  return withoutSecrets(reporter);
}

const reporterName = ({ reporter, json }: Values): string => reporter ?? (json === true ? 'json' : 'spec');

function parallelOf(written = '1'): number {
  const count = Number(written);
  if (Number.isInteger(count) && count >= 1 && count <= maxParallel) return count;
  throw new UsageError(`--parallel wants a whole number from 1 to ${maxParallel}.`);
}

/** The result of the work, or the `Problem` for which it is given up. */
async function unlessGivenUp<T>(work: Promise<T>, giveUp: AbortSignal): Promise<T | Problem> {
  const { promise, resolve } = Promise.withResolvers<Problem>();
  const onAbort = (): void => resolve(giveUp.reason as Problem);
  giveUp.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => giveUp.removeEventListener('abort', onAbort));
}

const sendOptions = ({ values }: Terminal, { host, values: variables }: RunFile, ask: AskUser | undefined): SendRequestOptions => ({
  host,
  values: variables,
  agent: agentOptions(values).other,
  noWait: values['no-wait'],
  onDraw: draw => {
    if (draw.kind === 'secret') addSecret(draw.value);
  },
  ...(values.timeout !== undefined && { timeoutMs: parseMilliseconds(values.timeout) }),
  ...(values.yes === true ? { confirm: async () => true } : ask !== undefined && { confirm: confirmRequest(ask) }),
});

/** Starts the work in the order of the list, at most `most` at a time. */
async function inParallel<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}

/** An error in a file takes precedence over an agent that cannot be reached: running it again would not help. */
function statusOf(results: readonly RunResult[]): number {
  if (results.some(({ verdict }) => verdict === 'failed')) return exitStatus.taskFailed;
  const errors = results.filter(({ verdict }) => isBad(verdict));
  // A run that was not complete has no verdict, whatever the other results are.
  if (errors.length === 0)
    return results.some(({ verdict }) => verdict === 'not-run' || verdict === 'interrupted') ? exitStatus.incomplete : exitStatus.fine;
  return errors.some(({ agentFailed }) => !agentFailed) ? exitStatus.usage : exitStatus.agent;
}
