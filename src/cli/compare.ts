import { ConnectionProblem } from '../client/http/connectionProblem.ts';
import { recordedRuns } from '../model/again/recordedRun.ts';
import { runAgain } from '../model/again/runAgain.ts';
import { SecretOrigins } from '../model/agents/secretOrigins.ts';
import { textOf } from '../protocol/message/part.ts';
import { taskStates } from '../protocol/message/taskState.ts';
import { inTerminal } from '../protocol/problem.ts';
import type { ComparedRun, ComparedTurn } from '../recording/compare/comparedRun.ts';
import { comparedTexts, compareRuns, isEqual, type ComparedCell, type ComparedRow } from '../recording/compare/comparison.ts';
import { headerReach } from './run/headerReach.ts';
import { agentOptions, runAgents, typedOrigins } from './run/runAgents.ts';
import { openRunModel, type RunModel } from './run/runModel.ts';
import { lineDiff } from '../recording/compare/lineDiff.ts';
import { readRecordingFile } from './recordingFile.ts';
import { parseMilliseconds } from './terminal/milliseconds.ts';
import { settingsAbove } from './terminal/namedAgent.ts';
import { oneLine, quoted } from './terminal/output.ts';
import { approvedOriginsOf, selectorOf, type Terminal } from './terminal/terminal.ts';
import { exitStatus, UsageError } from './terminal/usage.ts';

/** Most runs with each agent. */
const maxTimes = 100;
/** Most lines of a difference, and most differences that are printed. */
const maxLines = 20;
const maxDifferences = 20;
/** Longest quotation of a message, in UTF-16 code units. */
const maxQuoted = 60;

/**
 * Runs the conversations of a recording with each agent, one after the other, and compares the runs: with several agents all with the first
 * run, with one agent with the recording itself. @throws UsageError, FileError, Problem of an agent that cannot be reached
 */
export async function compare(terminal: Terminal, [path = '']: readonly string[]): Promise<number> {
  const { host, values, signal } = terminal;
  if (values.raw === true) throw new UsageError('--raw is not for compare.');
  const { named, other } = agentOptions(values);
  if (other !== undefined || named.size === 0) throw new UsageError('compare needs --agent NAME=URL, once or more often.');
  const times = Number(values.times ?? 1);
  if (!Number.isInteger(times) || times < 1 || times > maxTimes)
    throw new UsageError(`--times must be a whole number from 1 to ${maxTimes}.`);
  const recorded = recordedRuns(await readRecordingFile(path, host.cwd()), 'recording');
  if (recorded.length === 0) throw new UsageError(`${path} has no message that could be sent again.`);
  const agents = await runAgents(terminal, await settingsAbove(host.cwd()), [...named.keys()]);
  const secretOrigins = new SecretOrigins({ allowed: [...approvedOriginsOf(values, selectorOf(values))], typed: typedOrigins(values) });
  const defects: unknown[] = [];
  const model = openRunModel(terminal, { ...agents, reach: await headerReach(terminal, agents, []) }, secretOrigins, error =>
    defects.push(error),
  );
  const printed = new Comparison(terminal);
  try {
    for (const name of named.keys()) await model.agents.find(name).connect();
    for (const [index, conversation] of recorded.entries()) {
      const runs = named.size === 1 ? [conversation] : [];
      for (const name of named.keys())
        for (let time = 1; time <= times && !signal.aborted; time++)
          runs.push({
            name: times === 1 ? name : `${name} #${time}`,
            turns: await turnsOf(conversation, name, { model, terminal, onError: error => defects.push(error) }),
          });
      if (signal.aborted) return signal.reason as number;
      printed.add(runs, { number: index + 1, of: recorded.length });
    }
  } finally {
    model.dispose();
  }
  if (defects.length > 0) throw defects[0];
  return printed.end();
}

interface AgainNeeds {
  readonly model: RunModel;
  readonly terminal: Terminal;
  readonly onError: (error: unknown) => void;
}

async function turnsOf({ turns }: ComparedRun, agent: string, { model, terminal, onError }: AgainNeeds): Promise<readonly ComparedTurn[]> {
  const { values, signal } = terminal;
  const contexts = model.newContexts();
  const came: ComparedTurn[] = [];
  try {
    const again = runAgain({
      context: contexts.create(agent),
      said: turns.map(({ said }) => said),
      before: turns,
      ...(values.timeout !== undefined && { timeoutMs: parseMilliseconds(values.timeout) }),
      signal,
      onError,
    });
    for await (const turn of again) came.push(turn);
  } finally {
    contexts.dispose();
  }
  return came;
}

/** The printed rows of all conversations, and what they come to. */
class Comparison {
  readonly #terminal: Terminal;
  #differences = 0;
  #isUnreached = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add(runs: readonly ComparedRun[], { number, of }: { readonly number: number; readonly of: number }): void {
    const { output, values } = this.#terminal;
    const rows = compareRuns(runs);
    const table: string[][] = [['turn', 'run', 'state', 'first event', 'total', 'differs']];
    const diffs: string[] = [];
    if (values.json !== true && of > 1) output.print(`Conversation ${number} of ${of}`);
    for (const [index, row] of rows.entries()) {
      for (const [run, { name }] of runs.entries()) {
        const cell = row.cells[run];
        this.#isUnreached ||= cell?.problem instanceof ConnectionProblem;
        const differs = run > 0 && !isEqual(row, run);
        if (values.json === true) {
          output.printValue({
            conversation: number,
            turn: index + 1,
            message: textOf(row.said.parts),
            run: name,
            ...factsOf(cell),
            differs: differencesOf(row, run),
          });
        } else table.push([String(index + 1), oneLine(name), ...shownIn(cell), differs ? differencesOf(row, run).join(', ') : '']);
        if (differs) diffs.push(...this.#difference(row, runs, { run, turn: index + 1 }));
      }
      if (values.json !== true && runs.length > 2) table.push([String(index + 1), `equal: ${row.equal} of ${runs.length - 1}`]);
    }
    if (values.json === true) return;
    for (const line of aligned(table)) output.print(line);
    for (const line of diffs) output.print(line);
  }

  /** The exit status. */
  end(): number {
    const { output, values } = this.#terminal;
    if (values.json === true) output.printValue({ summary: { differences: this.#differences } });
    else
      output.print(this.#differences === 0 ? 'No differences.' : `${this.#differences} difference${this.#differences === 1 ? '' : 's'}.`);
    if (this.#isUnreached) return exitStatus.agent;
    return this.#differences === 0 ? exitStatus.fine : exitStatus.taskFailed;
  }

  #difference(
    { said, turns }: ComparedRow,
    runs: readonly ComparedRun[],
    { run, turn }: { readonly run: number; readonly turn: number },
  ): readonly string[] {
    this.#differences++;
    if (this.#differences > maxDifferences)
      return this.#differences === maxDifferences + 1 ? ['', '… further differences are in the table alone'] : [];
    const outcomeOf = (of: number) => (turns[of] === undefined ? undefined : runs[of]?.turns[turns[of]]?.outcome);
    const lines = lineDiff(...comparedTexts(outcomeOf(0), outcomeOf(run)));
    return [
      '',
      `Turn ${turn}, ${JSON.stringify(textOf(said.parts).slice(0, maxQuoted))}: - ${runs[0]?.name ?? ''}  + ${runs[run]?.name ?? ''}`,
      ...lines.slice(0, maxLines),
      ...(lines.length > maxLines ? ['…'] : []),
    ].map(line => `    ${quoted(line)}`.trimEnd());
  }
}

/** Aspects in which a run differs from the first, or that one of them alone has the turn. */
function differencesOf({ cells }: ComparedRow, run: number): readonly string[] {
  const [first, cell] = [cells[0], cells[run]];
  if (cell === undefined || first === undefined) return cell === first ? [] : ['turn'];
  return cell.differs;
}

const factsOf = (cell: ComparedCell | undefined) =>
  cell === undefined
    ? {}
    : {
        state: cell.state ?? (cell.problem === undefined ? 'message' : undefined),
        firstEventMs: cell.firstEventMs === undefined ? undefined : Math.round(cell.firstEventMs),
        totalMs: Math.round(cell.totalMs),
        problem: cell.problem === undefined ? undefined : inTerminal(cell.problem.sentence),
      };

function shownIn(cell: ComparedCell | undefined): readonly string[] {
  if (cell === undefined) return ['not sent', '', ''];
  const { state, firstEventMs, totalMs, problem } = cell;
  const outcome = state === undefined ? (problem === undefined ? 'message' : 'error') : taskStates[state].label;
  return [outcome, firstEventMs === undefined ? '–' : `${Math.round(firstEventMs)} ms`, `${Math.round(totalMs)} ms`];
}

/** Lines of a table whose columns are as wide as what is in them. */
function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const widths = table[0]!.map((_, column) =>
    Math.max(...table.filter(row => row.length === table[0]!.length).map(row => row[column]!.length)),
  );
  return table.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
