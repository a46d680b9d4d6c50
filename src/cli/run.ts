import { RequestRuns, type SendRequestOptions } from '../model/requestRuns.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import { tell } from './output.ts';
import { reporters } from './reporters/reporters.ts';
import { namedAgents } from './runAgents.ts';
import { findRunFiles, readRunFile, settingsPaths, type RunFile } from './runFiles.ts';
import { openRunModel } from './runModel.ts';
import { resultsOf, skipped, type RunResult, type Verdict } from './runResult.ts';
import type { Terminal } from './terminal.ts';
import { status, UsageError } from './usage.ts';

const mostParallel = 100;

/** Sends the requests of files, needed ones first and each once, and holds what comes against what they expect. */
export async function run(terminal: Terminal, patterns: readonly string[]): Promise<number> {
  const { values, signal } = terminal;
  const reporter = reporterOf(terminal);
  const parallel = parallelOf(values.parallel);
  const cwd = process.cwd();
  const options = { environment: values.env, variables: values.var ?? [], env: process.env, cwd };
  const files = await Promise.all(findRunFiles(patterns, cwd).map(path => readRunFile(path, options)));
  const chosen = files.flatMap(file => file.file.requests.filter(entry => isNamed(entry, values.name)).map(entry => ({ file, entry })));
  if (chosen.length === 0) throw new UsageError(values.name === undefined ? 'These files have no requests.' : `No request is called ${values.name.join(' or ')}.`);
  const agents = await namedAgents(terminal, settingsPaths(files.map(({ folder }) => folder), cwd));
  const defects: unknown[] = [];
  const model = openRunModel(terminal, agents, error => defects.push(error));
  const started = performance.now();
  const results: RunResult[] = [];
  try {
    const runs = new Map(files.map(file => [file, new RequestRuns(model, error => defects.push(error))]));
    const stop = (): void => runs.forEach(one => one.stop());
    signal.addEventListener('abort', stop, { once: true });
    const note = (result: RunResult): void => {
      results.push(result);
      reporter.result(result);
    };
    const enough = (): boolean => signal.aborted || (values.bail === true && results.some(({ verdict }) => verdict === 'failed' || verdict === 'error'));
    await inParallel(chosen, parallel, async ({ file, entry }) => {
      const outcome = enough() ? undefined : await runs.get(file)?.sendOnce(entry, file.file, sendOptions(terminal, file)).done;
      if (outcome === undefined) note(skipped(file, entry));
      else resultsOf(file, entry, outcome).forEach(note);
    });
    signal.removeEventListener('abort', stop);
  } finally {
    model.dispose();
  }
  for (const defect of defects) tell(defect instanceof Error ? defect.stack ?? defect.message : String(defect));
  reporter.end(results, { counts: countsOf(results), ms: Math.round(performance.now() - started) });
  return signal.aborted ? status.interrupted : statusOf(results);
}

function reporterOf({ values }: Terminal) {
  if (values.raw === true) throw new UsageError('--raw is not for run.');
  const name = values.reporter ?? (values.json === true ? 'json' : 'spec');
  const reporter = Object.hasOwn(reporters, name) ? reporters[name] : undefined;
  if (reporter === undefined) throw new UsageError(`There is no reporter ${name}. There are: ${Object.keys(reporters).join(', ')}.`);
  return reporter;
}

function parallelOf(written = '1'): number {
  const count = Number(written);
  if (Number.isInteger(count) && count >= 1 && count <= mostParallel) return count;
  throw new UsageError(`--parallel wants a whole number from 1 to ${mostParallel}.`);
}

/** Whole names; `*` stands for any letters. */
const isNamed = ({ name = '' }: RequestEntry, wanted: readonly string[] | undefined): boolean => wanted === undefined
  || wanted.some(pattern => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's').test(name));

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const sendOptions = ({ values }: Terminal, { host, values: variables }: RunFile): SendRequestOptions =>
  ({ host, values: variables, ...(values.yes === true && { confirm: async () => true }) });

/** Begins in the order of the list; at most so many are under way. */
async function inParallel<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}

const countsOf = (results: readonly RunResult[]): Record<Verdict, number> => {
  const counts = { passed: 0, failed: 0, error: 0, skipped: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
};

/** What a file got wrong weighs more than an agent that is away: another try would not help. */
function statusOf(results: readonly RunResult[]): number {
  if (results.some(({ verdict }) => verdict === 'failed')) return status.taskFailed;
  const errors = results.filter(({ verdict }) => verdict === 'error');
  if (errors.length === 0) return status.fine;
  return errors.some(({ agentFailed }) => !agentFailed) ? status.usage : status.agent;
}
