import { findingLine } from '../../../request/expect/findings.ts';
import { oneLine, quoted } from '../../terminal/output.ts';
import { exchangeLines, shownBytes } from './exchangeLines.ts';
import { lineDiff } from '../../../recording/compare/lineDiff.ts';
import type { NamedArtifact } from './runAnswer.ts';
import { hasFailed, type RunFailure, type RunResult } from './runResult.ts';
import type { RunCounts, Verdict } from './verdict.ts';
import { excerpt } from '../../terminal/excerpt.ts';
import type { NewReporter } from './reporter.ts';

const marks: Readonly<Record<Verdict, string>> = {
  sent: '→',
  passed: '✓',
  failed: '✗',
  error: '!',
  skipped: '-',
  'left-out': '-',
  'not-run': '-',
  interrupted: '-',
};
/** Mark in place of the duration, by verdict. */
const unsent: Partial<Readonly<Record<Verdict, string>>> = {
  skipped: 'skipped',
  'left-out': 'left out',
  'not-run': 'not run',
  interrupted: 'interrupted',
};
const words: Readonly<Record<keyof RunCounts, string>> = {
  sent: 'sent',
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  leftOut: 'left out',
  notRun: 'not run',
};

/** Maximum length of an expected or actual value, in lines. */
const maxLines = 20;

/** Maximum number of deviations printed per request. */
const maxFindings = 5;

/** Maximum number of failed requests named at the end. */
const maxFailed = 10;

/** Maximum number of artifacts named per request. */
const maxArtifacts = 20;

/**
 * For people: one line per request, with unmet expectations below it, and the answer of what nothing is expected of. Of what failed, the
 * exchanges follow; with `verbose`, answer and exchanges of everything.
 */
export const spec: NewReporter = (write, { verbose }) => {
  const once = new ToldOnce();
  return {
    result: one => {
      const { file, name, verdict, ms, state, failures, agentSaid, left, description, sent, remark, findings = [] } = one;
      write(
        `${marks[verdict]} ${oneLine(file)} › ${oneLine(name)}${state === undefined ? '' : `: ${state}`}${unsent[verdict] === undefined ? ` (${Math.round(ms)} ms)` : ` (${unsent[verdict]})`}`,
      );
      if (description !== undefined && failures.length > 0) write(inReport(firstLines(description).join('\n')));
      for (const failure of failures) write(shown(once.rest(failure, one), file));
      if (sent !== undefined) write(inReport(`It was sent ${sent} times.`));
      if (remark !== undefined) write(inReport(remark));
      if (agentSaid !== undefined) write(inReport(firstLines(agentSaid, 'The agent says: ').join('\n')));
      if (left === true)
        write(inReport('The agent was still working on the task, which was not followed further: nothing that is expected needs its end.'));
      // A failed check of `findings` lists all of them already.
      if (!failures.some(({ kind }) => kind === 'findings')) {
        for (const finding of findings.slice(0, maxFindings)) write(inReport(findingLine(finding)));
        if (findings.length > maxFindings)
          write(`    … and ${findings.length - maxFindings} more deviations from the protocol; --json has them all`);
      }
      const failed = hasFailed(verdict);
      if (verbose || failed || verdict === 'sent') {
        const { text, artifacts = [] } = one;
        // The reason of a failure, and a text that is not as expected, are quoted above.
        if (text !== undefined && text !== agentSaid && !failures.some(({ actual }) => actual === text))
          for (const line of verbose ? text.split('\n') : firstLines(text)) write(inReport(`| ${line}`));
        for (const artifact of artifacts.slice(0, maxArtifacts)) write(inReport(artifactLine(artifact)));
        if (artifacts.length > maxArtifacts) write(`    … and ${artifacts.length - maxArtifacts} more artifacts`);
      }
      if (verbose || failed) for (const exchange of one.exchanges ?? []) for (const line of exchangeLines(exchange)) write(inReport(line));
    },
    end: (results, { counts, ms }) => {
      const parts = (Object.keys(words) as (keyof RunCounts)[])
        .filter(count => counts[count] > 0 || count === 'passed')
        .map(count => `${counts[count]} ${words[count]}`);
      write(['', ...failedIn(results), `${parts.join(', ')} in ${(ms / 1000).toFixed(1)} s`, ...snapshotsIn(results)].join('\n'));
    },
  };
};

/** How many snapshots the run wrote. */
function snapshotsIn(results: readonly RunResult[]): readonly string[] {
  return (['written', 'updated'] as const).flatMap(result => {
    const count = results.filter(({ snapshot }) => snapshot === result).length;
    return count === 0 ? [] : [`${count} snapshot${count === 1 ? '' : 's'} ${result}`];
  });
}

/** The names of what failed, or the reason that all have: details of the last failure may have filled the screen. */
function failedIn(results: readonly RunResult[]): readonly string[] {
  const failed = results.filter(({ verdict }) => hasFailed(verdict));
  const [first, second] = failed;
  const isCommon =
    second !== undefined && failed.every(({ verdict, failures }) => verdict === 'error' && isAlike(failures, first?.failures));
  const [reason] = first?.failures ?? [];
  if (isCommon && reason !== undefined)
    return [
      `All ${failed.length} failed alike:`,
      ...[reason.message, ...(reason.nextStep === undefined ? [] : [reason.nextStep])].map(inReport),
    ];
  return [
    ...failed.slice(0, maxFailed).map(({ name, file, line }) => `failed: ${oneLine(name)} (${oneLine(file)}:${line})`),
    ...(failed.length > maxFailed ? [`… and ${failed.length - maxFailed} more failed`] : []),
  ];
}

const isAlike = ([one]: readonly RunFailure[], [other]: readonly RunFailure[] = []): boolean =>
  one !== undefined && one.message === other?.message && one.expected === undefined;

/** Shortens repeated errors: many requests fail alike where an agent is unknown or does not answer. */
class ToldOnce {
  /** The request under which an error was printed in full, by its text. */
  readonly #errors = new Map<string, string>();
  readonly #steps = new Set<string>();

  /** The failure, shortened if it was printed before. */
  rest(failure: RunFailure, { file, name, verdict }: RunResult): RunFailure {
    if (verdict !== 'error' && verdict !== 'skipped') return failure;
    const { kind, line, column, ...words } = failure;
    // The agent's own message is printed with its request.
    if (words.actual !== undefined || words.expected !== undefined) return failure;
    const key = JSON.stringify(words);
    const first = this.#errors.get(key);
    if (first !== undefined) return { kind, line, column, message: `the same error as ${first}` };
    this.#errors.set(key, `${oneLine(file)} › ${oneLine(name)}`);
    const { nextStep, ...rest } = failure;
    if (nextStep === undefined) return failure;
    if (this.#steps.has(nextStep)) return rest;
    this.#steps.add(nextStep);
    return failure;
  }
}

const artifactLine = ({ artifactId, name, mediaTypes, bytes, addresses }: NamedArtifact): string =>
  oneLine(
    `Artifact ${name ?? artifactId} (${[
      ...mediaTypes,
      ...(bytes > 0 || addresses === undefined ? [shownBytes(bytes)] : []),
      ...(addresses ?? []).map(address => `at ${address}`),
    ].join(', ')})`,
  );

function shown({ line, column, message, nextStep, expected, actual }: RunFailure, file: string): string {
  return [`${oneLine(file)}:${line}:${column}: ${message}`, ...(nextStep === undefined ? [] : [nextStep]), ...against(expected, actual)]
    .map(inReport)
    .join('\n');
}

const inReport = (text: string): string => `    ${quoted(text, '\n      | ')}`;

/** The expected and the actual value, as a diff where there are both. */
const against = (expected: string | undefined, actual: string | undefined): readonly string[] =>
  expected === undefined || actual === undefined
    ? [...(expected === undefined ? [] : prefixed('- ', expected)), ...(actual === undefined ? [] : prefixed('+ ', excerpt(actual)))]
    : firstLines(lineDiff(expected, excerpt(actual)).join('\n'));

const prefixed = (mark: string, text: string): string[] => firstLines(text).map(line => mark + line);

function firstLines(text: string, begin = ''): string[] {
  const lines = `${begin}${text}`.split('\n');
  return [...lines.slice(0, maxLines), ...(lines.length > maxLines ? ['…'] : [])];
}
