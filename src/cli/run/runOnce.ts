import type { MemoryContexts } from '../../model/memory/memoryContexts.ts';
import { RequestRuns } from '../../model/requests/requestRuns.ts';
import type { SendRequestOptions } from '../../model/requests/sendContext.ts';
import type { RequestOutcome } from '../../model/requests/requestOutcome.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { Problem } from '../../protocol/problem.ts';
import { waitsForTurnEnd } from '../../request/file/waitsForTurnEnd.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { isPrivate } from '../../request/text/value.ts';
import type { AskUser } from '../terminal/ask.ts';
import { withNeeded } from '../../request/file/imports.ts';
import { agentsOf } from '../../request/file/matrix.ts';
import { isCleanup } from '../../request/file/control.ts';
import { refuseOnlyInCi, selectRequests, type SelectedRequest } from './chosenRequests.ts';
import { confirmProduction, confirmRequest, confirmSecret } from './confirmations.ts';
import { parseMilliseconds } from '../terminal/milliseconds.ts';
import { addSecret, oneLine, printError } from '../terminal/output.ts';
import { refuseInvalidFiles } from './fileProblems.ts';
import { dataFilesOf, tlsFilesOf } from './filesRead.ts';
import { openReporters } from './reporters/reporters.ts';
import { refuseReplacing } from './reporters/reportOutputs.ts';
import { OutputFolder } from './outputFolder.ts';
import { headerReach } from './headerReach.ts';
import { agentOptions, runAgents, typedOrigins } from './runAgents.ts';
import { refuseUnusedOptions } from './optionUse.ts';
import { readRunFile, settingsFiles, type FoundFile, type RunFile } from './runFiles.ts';
import { openRunModel } from './runModel.ts';
import { refuseTooMany, type RunPlan } from './runPlan.ts';
import { hasFailed, leftOut, notRun, resultsOf, withoutResult, type RunResult } from './reporters/runResult.ts';
import { approvedOriginsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import { exitStatus } from '../terminal/usage.ts';
import { countsOf, isBad } from './reporters/verdict.ts';

/** Longest time for a request that cleans up after the run was interrupted, in milliseconds. */
const cleanupMs = 5_000;

/** One time that the files are sent: it has results and contexts of its own, which are let go with it. */
interface Pass {
  readonly contexts: MemoryContexts;
  readonly runs: Map<RunFile, RequestRuns>;
  /** Requests without their result yet. */
  open: number;
}

/** A request to be sent; of one that is repeated, one of its times. */
interface Chosen extends SelectedRequest {
  readonly runs: RequestRuns;
  readonly pass: Pass;
}

/** Sends the requests of files once, or as often as is wanted. Resolves to the exit status. @throws UsageError, FileError */
export async function runOnce(terminal: Terminal, plan: RunPlan, found: readonly FoundFile[], ask: AskUser | undefined): Promise<number> {
  const { values } = terminal;
  const { cwd, files: watched } = plan;
  const read = new Set<string>();
  const onRead = (path: string): void => {
    read.add(path);
    watched?.see(path);
  };
  const options = {
    environment: values.env,
    variables: values.var ?? [],
    env: process.env,
    cwd,
    ask,
    onRead,
    agentGiven: agentOptions(values).other !== undefined,
  };
  const files = await Promise.all(found.map(one => readRunFile(one, options)));
  for (const [name, value] of Object.entries(process.env)) if (name.startsWith(secretVariable(''))) addSecret(value);
  for (const { values: variables } of files) for (const value of variables.values()) if (isPrivate(value)) addSecret(value.value);
  const written = files.flatMap(({ file }) => withNeeded(file.requests, file).flatMap(entry => agentsOf(entry).map(({ value }) => value)));
  const settings = await settingsFiles(
    files.map(({ folder }) => folder),
    cwd,
    onRead,
  );
  const agents = await runAgents(terminal, settings, written);
  const { other } = agentOptions(values);
  const known = Object.entries(agents.named).map(([name, { url }]) => ({ name, url }));
  const refused = refuseInvalidFiles(files, known, other);
  refuseReplacing(plan.reporters, [...read, ...files.flatMap(dataFilesOf), ...tlsFilesOf(values, Object.values(agents.named))]);
  const reporters = openReporters(plan.reporters, values);
  try {
    if (refused.length > 0) {
      // The `spec` reporter has already printed it for people.
      refused.forEach(result => reporters.refused.result(result));
      reporters.refused.end(refused, { counts: countsOf(refused.map(({ verdict }) => verdict)), ms: 0 });
      return exitStatus.usage;
    }
    refuseUnusedOptions(files, values);
    refuseOnlyInCi(files, values['allow-only'] === true, process.env);
    const chosen = selectRequests(files, { names: values.name, tags: values.tags });
    const sent = chosen.filter(({ omitted }) => omitted === undefined);
    refuseTooMany(plan, sent);
    const reach = await headerReach(terminal, agents, sent);
    if (values.yes !== true)
      await confirmProduction(
        chosen.map(({ file }) => file),
        values.env,
        ask,
      );
    const output = values.output === undefined ? undefined : new OutputFolder(values.output);
    const defects: unknown[] = [];
    const secretOrigins = new SecretOrigins({
      allowed: [...approvedOriginsOf(values, selectorOf(values))],
      typed: typedOrigins(values),
      ...(ask !== undefined && { ask: confirmSecret(ask) }),
    });
    const model = openRunModel(terminal, { ...agents, reach }, secretOrigins, error => defects.push(error));
    const started = performance.now();
    let results: readonly RunResult[];
    try {
      results = await sendAll(terminal, plan, {
        files,
        chosen,
        newContexts: () => model.newContexts(),
        runsOf: contexts => new RequestRuns({ agents: model.agents, contexts }, error => defects.push(error)),
        sendOptions: file => ({ ...sendOptions(terminal, file, ask), secretOrigins }),
        report: (result, contexts, outcome) => {
          const ids = outcome?.exchangeIds ?? [];
          const shows = output !== undefined || values.verbose === true || hasFailed(result.verdict);
          const exchanges = shows ? ids.flatMap(id => contexts.exchange(id) ?? []) : [];
          if (outcome !== undefined) output?.write(result.name, outcome, exchanges);
          reporters.result(exchanges.length === 0 ? result : { ...result, exchanges });
          contexts.drop(ids);
        },
      });
    } finally {
      model.dispose();
    }
    for (const defect of defects) printError(defect instanceof Error ? (defect.stack ?? defect.message) : String(defect));
    reporters.end(results, { counts: countsOf(results.map(({ verdict }) => verdict)), ms: Math.round(performance.now() - started) });
    if (terminal.signal.aborted) return terminal.signal.reason as number;
    if (terminal.giveUp.aborted) return exitStatus.incomplete;
    return defects.length > 0 ? exitStatus.defect : statusOf(results);
  } finally {
    reporters.close();
  }
}

interface Sending {
  readonly files: readonly RunFile[];
  readonly chosen: readonly SelectedRequest[];
  readonly newContexts: () => MemoryContexts;
  /** Runs of one file. */
  readonly runsOf: (contexts: MemoryContexts) => RequestRuns;
  readonly sendOptions: (file: RunFile) => SendRequestOptions;
  /** `outcome`: absent for what was not sent, or had no result. */
  readonly report: (result: RunResult, contexts: MemoryContexts, outcome?: RequestOutcome) => void;
}

async function sendAll(
  { values, signal, giveUp }: Terminal,
  { parallel, repeat }: RunPlan,
  { files, chosen, newContexts, runsOf, sendOptions: optionsOf, report }: Sending,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  const left: Chosen[] = [];
  const cleanups: Chosen[] = [];
  const working = new Set<RequestRuns>();
  const options = new Map(files.map(file => [file, optionsOf(file)]));
  /** Passes of which something is left to be done. */
  const passes = new Set<Pass>();
  /** Each time has results of its own: requests of one time do not go on with those of another. */
  function* times(): Iterable<Chosen> {
    for (let time = 0; time < repeat; time++) {
      const pass: Pass = { contexts: newContexts(), runs: new Map(), open: chosen.length };
      passes.add(pass);
      for (const one of chosen) {
        const known = pass.runs.get(one.file) ?? runsOf(pass.contexts);
        if (!pass.runs.has(one.file)) {
          pass.runs.set(one.file, known);
          known.onRefusal(({ entry }, { message }) =>
            printError(`${oneLine(entry.name ?? `Request ${entry.index + 1}`)} goes on: ${message}`),
          );
        }
        yield { ...one, runs: known, pass };
      }
    }
  }
  let interruptedAt: number | undefined;
  let isBailed = false;
  const stop = (): void => {
    interruptedAt = Date.now();
    for (const one of working) one.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  const note = (result: RunResult, { contexts }: Pass, outcome?: RequestOutcome): void => {
    results.push(result);
    isBailed ||= values.bail === true && isBad(result.verdict);
    report(result, contexts, outcome);
  };
  const noteAll = ({ file, entry, pass }: Chosen, outcome: RequestOutcome): void => {
    const all = resultsOf(file, entry, outcome, interruptedAt);
    all.forEach((result, index) => note(result, pass, outcome.rows === undefined ? outcome : outcome.rows[index]?.outcome));
  };
  const close = (pass: Pass): void => {
    pass.contexts.dispose();
    passes.delete(pass);
  };
  const enough = (): boolean => signal.aborted || giveUp.aborted || isBailed;
  await inParallel(times(), parallel, async one => {
    const { pass } = one;
    if (await send(one)) pass.open--;
    if (pass.open === 0) close(pass);
  });
  for (const one of left) {
    const outcome = one.runs.get(one.entry.key)?.outcome;
    if (outcome !== undefined) noteAll(one, outcome);
  }
  signal.removeEventListener('abort', stop);
  // Whatever happened, also after an interruption, though not for long then.
  for (const one of cleanups) {
    const { file, entry, runs, pass } = one;
    const begun = performance.now();
    const own = options.get(file);
    const bounded = signal.aborted ? { ...own, timeoutMs: Math.min(own?.timeoutMs ?? cleanupMs, cleanupMs) } : own;
    const outcome = await unlessGivenUp(runs.sendOnce(entry, file.file, bounded).done, giveUp);
    if (outcome instanceof Problem) note(withoutResult(file, entry, { problem: outcome, ms: performance.now() - begun }), pass);
    else resultsOf(file, entry, outcome).forEach((result, index) => note(result, pass, outcome.rows?.[index]?.outcome ?? outcome));
  }
  passes.forEach(close);
  return results;

  /** Resolves to whether the request has its result; false where it comes later. */
  async function send(one: Chosen): Promise<boolean> {
    const { file, entry, runs, omitted, pass } = one;
    if (omitted !== undefined) {
      note(leftOut(file, entry, omitted), pass);
      return true;
    }
    if (isCleanup(entry)) {
      cleanups.push(one);
      return false;
    }
    if (enough()) {
      note(notRun(file, entry), pass);
      return true;
    }
    const begun = performance.now();
    working.add(runs);
    const outcome = await unlessGivenUp(runs.sendOnce(entry, file.file, options.get(file)).done, giveUp);
    if (!runs.running) working.delete(runs);
    if (outcome instanceof Problem) {
      note(withoutResult(file, entry, { problem: outcome, ms: performance.now() - begun }), pass);
      return true;
    }
    // The final state of its task is known only after the requests that need it have ended.
    if (outcome.left === true && isWaitedFor(chosen, file, entry)) {
      left.push(one);
      return false;
    }
    noteAll(one, outcome);
    return true;
  }
}

const isWaitedFor = (chosen: readonly SelectedRequest[], file: RunFile, entry: RequestEntry): boolean =>
  chosen.some(other => other.file === file && waitsForTurnEnd(other.entry, entry, file.file));

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
    if (draw.kind === 'secret' && draw.isShown !== true) addSecret(draw.value);
  },
  ...(values.timeout !== undefined && { timeoutMs: parseMilliseconds(values.timeout) }),
  ...(values.yes === true ? { confirm: async () => true } : ask !== undefined && { confirm: confirmRequest(ask) }),
});

/** Starts the work in the order of the items, at most `most` at a time. */
async function inParallel<T>(items: Iterable<T>, most: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
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
