import type { ParseError } from 'jsonc-parser';
import { exactTree } from '../text/exactTree.ts';
import { sentence } from '../../protocol/problem.ts';
import { maxDepth, membersOf, nestingOf, rangeOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import { errorAt, tooDeep, type RequestProblem } from '../text/requestProblem.ts';
import type { Values, ValueSource } from '../text/value.ts';

/** The section with values for all environments. */
export const sharedSection = '$shared';

/** Marks an environment as production; not a variable. */
export const productionMark = 'production';

/** Headers of an environment, where they are an object; then not a variable. */
export const headersKey = 'headers';

/** One environment file. */
export interface EnvironmentFile {
  readonly path: string;
  readonly text: string;
  readonly private: boolean;
}

export interface Environments {
  /** In file order. */
  readonly names: readonly string[];
  /** Environments that are marked as production: sending asks for confirmation. */
  readonly production: ReadonlySet<string>;
  /** Problems of the files, each with its path. */
  readonly problems: readonly (RequestProblem & { readonly path: string })[];
  /** The variables of an environment. Without a name, or with an unknown one, those of the shared section. */
  values(name?: string): Values;
  /** The objects of headers of an environment, weakest first; a name as in `values`. */
  headers(name?: string): readonly EnvironmentHeaders[];
}

/** Headers of one section of one file. */
interface EnvironmentHeaders {
  readonly node: JsonNode;
  /** The text that the node is in. */
  readonly text: string;
  readonly path: string;
  readonly isPrivate: boolean;
}

interface Section {
  readonly name: string;
  readonly node: JsonNode;
  readonly file: EnvironmentFile;
}

/**
 * Reads environment files, nearest to the request file first. Precedence: an environment over the shared section, then private over shared
 * files, then nearer over farther files.
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
  const layer = (source: ValueSource, name: string, isPrivate: boolean) =>
    sections
      .filter(section => section.name === name && section.file.private === isPrivate)
      .toReversed()
      .flatMap(({ node, file }) =>
        membersOf(node).flatMap(({ value, ...member }) => (value === undefined ? [] : [{ ...member, value, file, source }])),
      );
  /** All members that an environment has, weakest first. */
  const membersFor = (name = sharedSection) => [
    ...layer('shared', sharedSection, false),
    ...layer('private-shared', sharedSection, true),
    ...(name === sharedSection ? [] : [...layer('environment', name, false), ...layer('private', name, true)]),
  ];
  return {
    names,
    production,
    problems,
    values: of =>
      new Map(
        membersFor(of)
          .filter(({ name, value }) => !(name === productionMark && value.type === 'boolean') && !isHeaders(name, value))
          .map(({ name, nameRange, value, file: { path }, source }) => [
            name,
            { value: valueOf(value), source, literal: false, at: { path, range: nameRange } },
          ]),
      ),
    headers: of =>
      membersFor(of)
        .filter(({ name, value }) => isHeaders(name, value))
        .map(({ value, file: { path, text, private: isPrivate } }) => ({ node: value, text, path, isPrivate })),
  };
}

/** True for a member that is headers, and no variable. */
export const isHeaders = (name: string, { type }: Pick<JsonNode, 'type'>): boolean => name === headersKey && type === 'object';

function sectionsOf(file: EnvironmentFile, tell: (problem: RequestProblem) => void): Section[] {
  const errors: ParseError[] = [];
  if (nestingOf(file.text) > maxDepth) {
    tell(tooDeep({ offset: 0, length: file.text.length }));
    return [];
  }
  const root = exactTree(file.text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root?.type !== 'object' || error !== undefined) {
    tell(
      errorAt(
        'bad-environment',
        error ?? { offset: 0, length: Math.min(1, file.text.length) },
        sentence('An environment file must be one JSON object with an object for each environment.'),
      ),
    );
  }
  return membersOf(root).flatMap(({ name, nameRange, value }) => {
    if (value?.type === 'object') return [{ name, node: value, file }];
    tell(
      errorAt(
        'bad-environment',
        value === undefined ? nameRange : rangeOf(value),
        sentence('The environment "{0}" is not an object of variables.', name),
      ),
    );
    return [];
  });
}
