import { inTerminal } from '../../protocol/problem.ts';
import { emptyLanguageContext, type KnownAgent } from '../../request/language/languageContext.ts';
import { problemsInContext } from '../../request/language/contextProblems.ts';
import type { RequestProblem } from '../../request/text/requestProblem.ts';
import { positionAt, type TextPosition } from '../../request/text/textPosition.ts';
import { oneLine, type Output } from '../terminal/output.ts';
import type { RunFile } from './runFiles.ts';
import { notRun, type RunResult } from './reporters/runResult.ts';
import { seeHelp } from '../terminal/usage.ts';

/** Maximum number of problems printed per file. */
const maxShown = 50;

/** A problem in a request file or environment file of the run. */
export interface FileProblem extends TextPosition {
  /** The file's path as shown to people. */
  readonly path: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/**
 * A problem with its position in the text, in the words of the terminal. Problems of severity "information" are shown in the editor only.
 */
export function fileProblem(path: string, text: string, { code, severity, sentence, range }: RequestProblem): readonly FileProblem[] {
  return severity === 'information' ? [] : [{ path, code, severity, message: inTerminal(sentence), ...positionAt(text, range.offset) }];
}

/**
 * The problems that the editor would underline. `agent`: where requests that name no agent are sent; `environmentHint`: how to choose one of
 * the environments that have a variable.
 */
export function problemsOf(
  { path, file, problems, offeredBy }: RunFile,
  agents: readonly KnownAgent[],
  agent: string | undefined,
  environmentHint = (names: readonly string[]): string => `--env ${names.join(' or --env ')} has it.`,
): readonly FileProblem[] {
  const found = [
    ...file.syntaxErrors,
    ...(file.syntaxErrors.length > 0 ? [] : problemsInContext(file, { ...emptyLanguageContext, agents })),
  ]
    .filter(({ code }) => code !== 'no-agent' || agent === undefined)
    .flatMap(problem => {
      const { offset, length } = problem.range;
      const name =
        problem.code === 'unknown-name' ? /[\p{L}\p{N}_][\p{L}\p{N}_-]*/u.exec(file.text.slice(offset, offset + length))?.[0] : undefined;
      const offered = name === undefined ? [] : offeredBy(name);
      const more = offered.length === 0 ? '' : ` ${environmentHint(offered.slice(0, 10))}`;
      return fileProblem(path, file.text, problem).map(one => ({ ...one, message: `${one.message}${more}` }));
    });
  if (file.text.trim() === '')
    return [...problems, { path, code: 'empty-file', severity: 'error', message: 'The file is empty.', line: 1, column: 1 }];
  if (file.markdown && file.sections.length === 0) {
    const message = 'This document has no requests: they stand in fences that begin with ```a2a.';
    return [...problems, { path, code: 'no-fence', severity: 'error', message, line: 1, column: 1 }];
  }
  return [
    ...problems,
    ...found.map(problem =>
      problem.code === 'no-agent'
        ? { ...problem, severity: 'error' as const, message: `${problem.message} Name one, or give --agent URL.` }
        : problem,
    ),
  ];
}

/**
 * Prints the problems of the files. If one is an error, nothing may be sent: the results are then those of a run in which no request was
 * sent, and each file with an error is an error. Otherwise the list is empty.
 */
export function refuseInvalidFiles(
  files: readonly RunFile[],
  { agents, agent, output }: { readonly agents: readonly KnownAgent[]; readonly agent: string | undefined; readonly output: Output },
): readonly RunResult[] {
  const seen = new Set<string>();
  const all = files
    .flatMap(file => problemsOf(file, agents, agent))
    // Files of one folder share its environment files.
    .filter(
      ({ path, line, column, message }) =>
        !seen.has(`${path}:${line}:${column} ${message}`) && seen.add(`${path}:${line}:${column} ${message}`),
    );
  const byPath = Map.groupBy(all, ({ path }) => path);
  for (const problems of byPath.values()) {
    for (const { path, line, column, severity, message } of problems.slice(0, maxShown))
      output.printError(`${oneLine(path)}:${line}:${column}: ${severity}: ${message}`);
    if (problems.length > maxShown) output.printError(`… and ${problems.length - maxShown} more in ${oneLine(problems[0]?.path ?? '')}`);
  }
  const wrong = [...byPath]
    .map(([path, problems]) => ({ path, errors: problems.filter(({ severity }) => severity === 'error') }))
    .filter(({ errors }) => errors.length > 0);
  if (wrong.length === 0) return [];
  const count = wrong.reduce((sum, { errors }) => sum + errors.length, 0);
  output.printError(
    `Nothing was sent: ${count === 1 ? '1 error' : `${count} errors`} in ${wrong.length === 1 ? '1 file' : `${wrong.length} files`}. ${seeHelp('run')}`,
  );
  return [
    ...wrong.map(
      ({ path, errors }): RunResult => ({
        file: path,
        name: path,
        verdict: 'error',
        ms: 0,
        agentFailed: false,
        line: errors[0]?.line ?? 1,
        column: errors[0]?.column ?? 1,
        failures: errors.slice(0, maxShown).map(({ code, message, line, column }) => ({ kind: code, message, line, column })),
      }),
    ),
    ...files.flatMap(file => file.file.requests.map(entry => notRun(file, entry))),
  ];
}
