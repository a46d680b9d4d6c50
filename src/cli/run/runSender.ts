import type { MemoryContexts } from '../../model/memory/memoryContexts.ts';
import type { RequestOutcome } from '../../model/requests/requestOutcome.ts';
import type { RequestRuns } from '../../model/requests/requestRuns.ts';
import type { SendRequestOptions } from '../../model/requests/sendContext.ts';
import { Problem } from '../../protocol/problem.ts';
import { isCleanup } from '../../request/file/control.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { waitsForTurnEnd } from '../../request/file/waitsForTurnEnd.ts';
import { oneLine } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SelectedRequest } from './chosenRequests.ts';
import { leftOut, notRun, resultsOf, withoutResult, type RunResult } from './reporters/runResult.ts';
import { isBad } from './reporters/verdict.ts';
import type { RunFile } from './runFiles.ts';
import type { RunPlan } from './runPlan.ts';

/** Longest time for a request that cleans up after the run was interrupted, in milliseconds. */
const cleanupMs = 5_000;

/** One pass over the files: it has results and contexts of its own, which end with it. */
interface Pass {
  readonly contexts: MemoryContexts;
  readonly runs: Map<RunFile, RequestRuns>;
  /** Number of requests without a result. */
  open: number;
}

/** A request of one pass. */
interface PassRequest extends SelectedRequest {
  readonly runs: RequestRuns;
  readonly pass: Pass;
}

interface RunSenderOptions {
  readonly files: readonly RunFile[];
  readonly chosen: readonly SelectedRequest[];
  readonly newContexts: () => MemoryContexts;
  /** Runs of one file. */
  readonly runsOf: (contexts: MemoryContexts) => RequestRuns;
  readonly sendOptions: (file: RunFile) => SendRequestOptions;
  /** `outcome`: absent for a request that was not sent, or had no result. */
  readonly report: (result: RunResult, contexts: MemoryContexts, outcome?: RequestOutcome) => void;
}

/** Sends the requests of `a2a run`, several at a time and in as many passes as the plan has, and reports each result as it comes. */
export class RunSender {
  readonly #terminal: Terminal;
  readonly #plan: RunPlan;
  readonly #options: RunSenderOptions;
  readonly #sendOptions: ReadonlyMap<RunFile, SendRequestOptions>;
  readonly #results: RunResult[] = [];
  /** Requests whose task is followed by later ones: their result comes at the end. */
  readonly #left: PassRequest[] = [];
  readonly #cleanups: PassRequest[] = [];
  readonly #working = new Set<RequestRuns>();
  /** Passes that have requests without a result. */
  readonly #passes = new Set<Pass>();
  #interruptedAt: number | undefined;
  #isBailed = false;

  constructor(terminal: Terminal, plan: RunPlan, options: RunSenderOptions) {
    this.#terminal = terminal;
    this.#plan = plan;
    this.#options = options;
    this.#sendOptions = new Map(options.files.map(file => [file, options.sendOptions(file)]));
  }

  async send(): Promise<readonly RunResult[]> {
    const { signal } = this.#terminal;
    const stop = (): void => {
      this.#interruptedAt = Date.now();
      for (const one of this.#working) one.stop();
    };
    signal.addEventListener('abort', stop, { once: true });
    await inParallel(this.#requests(), this.#plan.parallel, async one => {
      const { pass } = one;
      if (await this.#sendOne(one)) pass.open--;
      if (pass.open === 0) this.#close(pass);
    });
    for (const one of this.#left) {
      const outcome = one.runs.get(one.entry.key)?.outcome;
      if (outcome !== undefined) this.#noteAll(one, outcome);
    }
    signal.removeEventListener('abort', stop);
    await this.#cleanUp();
    this.#passes.forEach(pass => this.#close(pass));
    return this.#results;
  }

  /** The requests of all passes. Each pass has results of its own: requests of one do not go on with those of another. */
  *#requests(): Iterable<PassRequest> {
    const { chosen, newContexts, runsOf } = this.#options;
    for (let time = 0; time < this.#plan.repeat; time++) {
      const pass: Pass = { contexts: newContexts(), runs: new Map(), open: chosen.length };
      this.#passes.add(pass);
      for (const one of chosen) {
        const known = pass.runs.get(one.file) ?? runsOf(pass.contexts);
        if (!pass.runs.has(one.file)) {
          pass.runs.set(one.file, known);
          known.onRefusal(({ entry }, { message }) =>
            this.#terminal.output.printError(`${oneLine(entry.name ?? `Request ${entry.index + 1}`)} goes on: ${message}`),
          );
        }
        yield { ...one, runs: known, pass };
      }
    }
  }

  /** Resolves to whether the request has its result; false where it comes later. */
  async #sendOne(one: PassRequest): Promise<boolean> {
    const { file, entry, runs, omitted, pass } = one;
    const { signal, giveUp } = this.#terminal;
    if (omitted !== undefined) {
      this.#note(leftOut(file, entry, omitted), pass);
      return true;
    }
    if (isCleanup(entry)) {
      this.#cleanups.push(one);
      return false;
    }
    if (signal.aborted || giveUp.aborted || this.#isBailed) {
      this.#note(notRun(file, entry), pass);
      return true;
    }
    const begun = performance.now();
    this.#working.add(runs);
    const outcome = await unlessGivenUp(runs.sendOnce(entry, file.file, this.#sendOptions.get(file)).done, giveUp);
    if (!runs.running) this.#working.delete(runs);
    if (outcome instanceof Problem) {
      this.#note(withoutResult(file, entry, { problem: outcome, ms: performance.now() - begun }), pass);
      return true;
    }
    // The final state of its task is known only after the requests that need it have ended.
    if (outcome.left === true && isWaitedFor(this.#options.chosen, file, entry)) {
      this.#left.push(one);
      return false;
    }
    this.#noteAll(one, outcome);
    return true;
  }

  /** Sends the requests that clean up, whatever happened; after an interruption for a short time only. */
  async #cleanUp(): Promise<void> {
    const { signal, giveUp } = this.#terminal;
    for (const { file, entry, runs, pass } of this.#cleanups) {
      const begun = performance.now();
      const own = this.#sendOptions.get(file);
      const bounded = signal.aborted ? { ...own, timeoutMs: Math.min(own?.timeoutMs ?? cleanupMs, cleanupMs) } : own;
      const outcome = await unlessGivenUp(runs.sendOnce(entry, file.file, bounded).done, giveUp);
      if (outcome instanceof Problem) this.#note(withoutResult(file, entry, { problem: outcome, ms: performance.now() - begun }), pass);
      else resultsOf(file, entry, outcome).forEach((result, index) => this.#note(result, pass, outcome.rows?.[index]?.outcome ?? outcome));
    }
  }

  #noteAll({ file, entry, pass }: PassRequest, outcome: RequestOutcome): void {
    const all = resultsOf(file, entry, outcome, this.#interruptedAt);
    all.forEach((result, index) => this.#note(result, pass, outcome.rows === undefined ? outcome : outcome.rows[index]?.outcome));
  }

  #note(result: RunResult, { contexts }: Pass, outcome?: RequestOutcome): void {
    this.#results.push(result);
    this.#isBailed ||= this.#terminal.values.bail === true && isBad(result.verdict);
    this.#options.report(result, contexts, outcome);
  }

  #close(pass: Pass): void {
    pass.contexts.dispose();
    this.#passes.delete(pass);
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

/** Starts the work in the order of the items, at most `most` at a time. */
async function inParallel<T>(items: Iterable<T>, most: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
