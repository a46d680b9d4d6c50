import { parseTree, type ParseError } from 'jsonc-parser';
import { sentence } from '../../protocol/problem.ts';
import { deepNesting, maxDepth, membersOf, nestingOf, rangeOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import type { Value, Values, ValueSource } from '../text/value.ts';

/** Names of environment files; what the second holds is for nobody else, and kept out of version control. */
export const environmentFileNames = { shared: 'a2a.env.json', private: 'a2a.private.env.json' } as const;

/** The section whose values all environments have. */
export const sharedSection = '$shared';

/** A member of an environment that marks it, and is no variable. */
export const productionMark = 'production';

/** One environment file as it was found. */
export interface EnvironmentFile {
  readonly path: string;
  readonly text: string;
  readonly private: boolean;
}

export interface Environments {
  /** In the order of the files. */
  readonly names: readonly string[];
  /** Environments in which care is asked for. */
  readonly production: ReadonlySet<string>;
  /** What is wrong with the files, each with the path it is in. */
  readonly problems: readonly (RequestProblem & { readonly path: string })[];
  /** The variables in an environment; without a name, or with one that is not there, those that all have. */
  values(name?: string): Values;
}

interface Section {
  readonly name: string;
  readonly node: JsonNode;
  readonly file: EnvironmentFile;
}

/**
 * Reads environment files, nearest to the request file first. What stands in an environment wins over what all have; then what is
 * private over what is not; then what is nearer.
 */
export function readEnvironments(files: readonly EnvironmentFile[]): Environments {
  const problems: (RequestProblem & { path: string })[] = [];
  const sections = files.flatMap(file => sectionsOf(file, problem => problems.push({ ...problem, path: file.path })));
  const names = [...new Set(sections.map(({ name }) => name))].filter(name => name !== sharedSection);
  const production = new Set(
    sections
      .filter(({ node }) => membersOf(node).some(({ name, value }) => name === productionMark && value?.value === true))
      .map(({ name }) => name),
  );
  const of = (name: string, isPrivate: boolean, source: ValueSource): [string, Value][] =>
    sections
      .filter(section => section.name === name && section.file.private === isPrivate)
      .toReversed()
      .flatMap(({ node, file }) =>
        membersOf(node).flatMap(({ name: variable, nameRange, value }): [string, Value][] =>
          value === undefined || (variable === productionMark && value.type === 'boolean')
            ? []
            : [[variable, { value: valueOf(value), source, literal: false, at: { path: file.path, range: nameRange } }]],
        ),
      );
  return {
    names,
    production,
    problems,
    values: name =>
      new Map([
        ...of(sharedSection, false, 'shared'),
        ...of(sharedSection, true, 'private-shared'),
        ...(name === undefined || name === sharedSection ? [] : [...of(name, false, 'environment'), ...of(name, true, 'private')]),
      ]),
  };
}

function sectionsOf(file: EnvironmentFile, tell: (problem: RequestProblem) => void): Section[] {
  const errors: ParseError[] = [];
  if (nestingOf(file.text) > maxDepth) {
    tell({ code: 'too-deep', severity: 'error', range: { offset: 0, length: Math.min(1, file.text.length) }, sentence: deepNesting });
    return [];
  }
  const root = parseTree(file.text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root?.type !== 'object' || error !== undefined) {
    tell({
      code: 'bad-environment',
      severity: 'error',
      range: error ?? { offset: 0, length: Math.min(1, file.text.length) },
      sentence: sentence('This environment file is not one JSON object with an object for each environment.'),
    });
  }
  return membersOf(root).flatMap(({ name, nameRange, value }) => {
    if (value?.type === 'object') return [{ name, node: value, file }];
    tell({
      code: 'bad-environment',
      severity: 'error',
      range: value === undefined ? nameRange : rangeOf(value),
      sentence: sentence('The environment "{0}" is not an object of variables.', name),
    });
    return [];
  });
}
