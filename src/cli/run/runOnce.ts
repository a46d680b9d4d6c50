import { RequestRuns } from '../../model/requests/requestRuns.ts';
import type { Confirmation, SendRequestOptions } from '../../model/requests/sendContext.ts';
import { SecretOrigins, type SecretQuestion } from '../../model/agents/secretOrigins.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { isPrivate } from '../../request/text/value.ts';
import { isYes, type AskUser } from '../terminal/ask.ts';
import { withNeeded } from '../../request/file/imports.ts';
import { agentsOf } from '../../request/file/matrix.ts';
import { refuseOnlyInCi, selectRequests } from './chosenRequests.ts';
import { parseMilliseconds } from '../terminal/milliseconds.ts';
import { refuseInvalidFiles } from './fileProblems.ts';
import { dataFilesOf, tlsFilesOf } from './filesRead.ts';
import { openReporters } from './reporters/reporters.ts';
import { refuseReplacing } from './reporters/reportOutputs.ts';
import { OutputFolder } from './outputFolder.ts';
import { headerReach } from './headerReach.ts';
import { agentOptions, runAgents, typedOrigins, type RunAgents } from './runAgents.ts';
import { refuseUnusedOptions } from './optionUse.ts';
import { readRunFile, settingsFiles, type FoundFile, type RunFile } from './runFiles.ts';
import { openRunModel } from './runModel.ts';
import { refuseTooMany, type RunPlan } from './runPlan.ts';
import { endSnapshots, snapshotWrites } from './snapshots.ts';
import { RunSender } from './runSender.ts';
import { hasFailed, type RunResult } from './reporters/runResult.ts';
import { approvedOriginsOf, selectorOf, type Terminal } from '../terminal/terminal.ts';
import { exitStatus, UsageError } from '../terminal/usage.ts';
import { countsOf, isBad } from './reporters/verdict.ts';

/** Sends the requests of files once, or as often as is wanted. Resolves to the exit status. @throws UsageError, FileError */
export async function runOnce(terminal: Terminal, plan: RunPlan, found: readonly FoundFile[], ask: AskUser | undefined): Promise<number> {
  const { host, output, values } = terminal;
  const { files, agents, refused } = await readFiles(terminal, plan, found, ask);
  const reporters = openReporters(plan.reporters, terminal);
  try {
    if (refused.length > 0) {
      // The `spec` reporter has already printed it for people.
      refused.forEach(result => reporters.refused.result(result));
      reporters.refused.end(refused, { counts: countsOf(refused.map(({ verdict }) => verdict)), ms: 0 });
      return exitStatus.usage;
    }
    refuseUnusedOptions(files, terminal);
    refuseOnlyInCi(files, values['allow-only'] === true, host.env);
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
    const folder = values.output === undefined ? undefined : new OutputFolder(values.output, terminal);
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
      results = await new RunSender(terminal, plan, {
        files,
        chosen,
        newContexts: () => model.newContexts(),
        runsOf: contexts => new RequestRuns({ agents: model.agents, contexts }, error => defects.push(error)),
        sendOptions: file => ({ ...sendOptions(terminal, file, ask), secretOrigins }),
        report: (result, contexts, outcome) => {
          const ids = outcome?.exchangeIds ?? [];
          const shows = folder !== undefined || values.verbose === true || hasFailed(result.verdict);
          const exchanges = shows ? ids.flatMap(id => contexts.exchange(id) ?? []) : [];
          if (outcome !== undefined) folder?.write(result.name, outcome, exchanges);
          reporters.result(exchanges.length === 0 ? result : { ...result, exchanges });
          contexts.drop(ids);
        },
      }).send();
    } finally {
      model.dispose();
    }
    for (const defect of defects) output.printError(defect instanceof Error ? (defect.stack ?? defect.message) : String(defect));
    reporters.end(results, { counts: countsOf(results.map(({ verdict }) => verdict)), ms: Math.round(performance.now() - started) });
    endSnapshots(files, terminal);
    if (terminal.signal.aborted) return terminal.signal.reason as number;
    if (terminal.giveUp.aborted) return exitStatus.incomplete;
    return defects.length > 0 ? exitStatus.defect : statusOf(results);
  } finally {
    reporters.close();
  }
}

/** A run as its files and the settings define it, before anything is sent. */
interface RunInput {
  readonly files: readonly RunFile[];
  readonly agents: RunAgents;
  /** Results for files with errors: nothing is sent then. */
  readonly refused: readonly RunResult[];
}

/** Reads the files and the settings. @throws UsageError, FileError */
async function readFiles(
  terminal: Terminal,
  { files: watched, reporters }: RunPlan,
  found: readonly FoundFile[],
  ask: AskUser | undefined,
): Promise<RunInput> {
  const { host, output, values } = terminal;
  const cwd = host.cwd();
  const read = new Set<string>();
  const onRead = (path: string): void => {
    read.add(path);
    watched?.see(path);
  };
  const options = {
    environment: values.env,
    variables: values.var ?? [],
    host,
    ask,
    onRead,
    agentGiven: agentOptions(values).other !== undefined,
    snapshots: { writes: snapshotWrites(terminal), secrets: output.secrets },
  };
  const files = await Promise.all(found.map(one => readRunFile(one, options)));
  for (const [name, value] of Object.entries(host.env)) if (name.startsWith(secretVariable(''))) output.addSecret(value);
  for (const { values: variables } of files) for (const value of variables.values()) if (isPrivate(value)) output.addSecret(value.value);
  const written = files.flatMap(({ file }) => withNeeded(file.requests, file).flatMap(entry => agentsOf(entry).map(({ value }) => value)));
  const settings = await settingsFiles(
    files.map(({ folder }) => folder),
    cwd,
    onRead,
  );
  const agents = await runAgents(terminal, settings, written);
  const { other } = agentOptions(values);
  const known = Object.entries(agents.named).map(([name, { url }]) => ({ name, url }));
  const refused = refuseInvalidFiles(files, { agents: known, agent: other, output });
  refuseReplacing(terminal, reporters, [...read, ...files.flatMap(dataFilesOf), ...tlsFilesOf(terminal, Object.values(agents.named))]);
  return { files, agents, refused };
}

/**
 * Asks before anything is sent with the values of an environment marked as production; refuses without a terminal. @throws UsageError
 */
async function confirmProduction(files: readonly RunFile[], environment: string | undefined, ask: AskUser | undefined): Promise<void> {
  if (environment === undefined || !files.some(({ production }) => production)) return;
  const question = `Send in the environment "${environment}"? It is marked as production.`;
  if (ask !== undefined && (await isYes(ask, question))) return;
  throw new UsageError(
    ask === undefined
      ? `The environment ${environment} is marked as production, so nothing was sent. Run it with --yes.`
      : `Nothing was sent, because the environment ${environment} is marked as production and was not confirmed.`,
  );
}

/** Asks before a secret or a variable goes to an origin that it has not gone to in this run. */
const confirmSecret =
  (ask: AskUser) =>
  ({ names, origin, chosenByAnswer }: SecretQuestion): Promise<boolean> =>
    isYes(
      ask,
      chosenByAnswer
        ? `Send ${names.join(', ')} to ${origin}? The answer of an agent chose that address.`
        : `Send ${names.join(', ')} to ${origin}? Until now it was sent to other addresses only.`,
    );

/** Asks for confirmation before a request marked with `confirm`. */
const confirmRequest =
  (ask: AskUser) =>
  ({ entry: { name, index }, question }: Confirmation): Promise<boolean> =>
    isYes(ask, question ?? `Send "${name ?? `Request ${index + 1}`}"?`);

const sendOptions = (
  { output, values }: Terminal,
  { host, values: variables, snapshots }: RunFile,
  ask: AskUser | undefined,
): SendRequestOptions => ({
  host,
  values: variables,
  agent: agentOptions(values).other,
  noWait: values['no-wait'],
  onDraw: draw => {
    if (draw.kind === 'secret' && draw.isShown !== true) output.addSecret(draw.value);
  },
  ...(snapshots !== undefined && { snapshots }),
  ...(values.timeout !== undefined && { timeoutMs: parseMilliseconds(values.timeout) }),
  ...(values.yes === true ? { confirm: async () => true } : ask !== undefined && { confirm: confirmRequest(ask) }),
});

/** An error in a file takes precedence over an agent that cannot be reached: running it again would not help. */
function statusOf(results: readonly RunResult[]): number {
  if (results.some(({ verdict }) => verdict === 'failed')) return exitStatus.taskFailed;
  const errors = results.filter(({ verdict }) => isBad(verdict));
  // A run that was not complete has no verdict, whatever the other results are.
  if (errors.length === 0)
    return results.some(({ verdict }) => verdict === 'not-run' || verdict === 'interrupted') ? exitStatus.incomplete : exitStatus.fine;
  return errors.some(({ agentFailed }) => !agentFailed) ? exitStatus.usage : exitStatus.agent;
}
