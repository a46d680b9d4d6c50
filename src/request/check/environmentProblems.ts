import { parseTree } from 'jsonc-parser';
import { sentence } from '../../protocol/problem.ts';
import { headerName } from '../file/keys.ts';
import { visited } from '../text/cycles.ts';
import { headersKey, isHeaders, productionMark, readEnvironments, sharedSection } from '../environment/environments.ts';
import { maxDepth, membersOf, nestingOf, rangeOf, type JsonNode, type Member } from '../text/jsonNode.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';
import { anyNames, templateProblem, unclosedIn } from '../template/templateProblem.ts';
import { templatesIn, type TemplateUse } from '../template/templateUse.ts';
import { problemsOfVariables } from './circles.ts';

/** One environment of a file, or the shared section. */
interface Environment {
  readonly text: string;
  readonly variables: readonly (Member & { readonly value: JsonNode })[];
  /** Members that are headers, and no variables. */
  readonly headers: readonly JsonNode[];
  /** Names of variables that the environment has from other files; undefined where these are unknown. */
  readonly others: ReadonlySet<string> | undefined;
}

type Check = (environment: Environment) => Iterable<RequestProblem>;

/**
 * To add one: a row here and one of `environmentProblems.test.ts`.
 */
const checks: readonly Check[] = [markOfProduction, headerShapes, templates, circles, unclosed];

/**
 * The problems of an environment file, in text order. Those that VS Code's JSON support also reports are marked `inSchema`.
 * @param elsewhere names of variables that an environment has from other files; undefined where those were not read: then no name counts as
 * unknown.
 */
export function environmentProblems(
  text: string,
  elsewhere: (environment: string) => ReadonlySet<string> | undefined,
): readonly RequestProblem[] {
  const found: RequestProblem[] = readEnvironments([{ path: '', text, private: false }]).problems.map(({ path: _, ...problem }) => ({
    ...problem,
    inSchema: true,
  }));
  const root = nestingOf(text) > maxDepth ? undefined : parseTree(text, [], { allowTrailingComma: true });
  const sections = membersOf(root);
  const shared = sections.filter(({ name }) => name === sharedSection).flatMap(({ value }) => membersOf(value).map(({ name }) => name));
  for (const { name, value } of sections) {
    const members = membersOf(value).flatMap(member => (member.value === undefined ? [] : [{ ...member, value: member.value }]));
    const variables = members.filter(member => !isHeaders(member.name, member.value));
    const headers = members.filter(member => isHeaders(member.name, member.value)).map(member => member.value);
    const given = elsewhere(name);
    const others = given === undefined ? undefined : new Set([...given, ...shared]);
    for (const check of checks) found.push(...check({ text, variables, headers, others }));
  }
  return found.sort((one, other) => one.range.offset - other.range.offset);
}

/** The mark protects production environments, so an invalid value must be reported. */
function* markOfProduction({ variables }: Environment): Iterable<RequestProblem> {
  for (const { name, value } of variables) {
    if (name !== productionMark || value.type === 'boolean') continue;
    yield warningAt(
      'no-mark',
      rangeOf(value),
      sentence(
        'Only true or false marks an environment as production. As written, this is an ordinary variable, and requests are sent without confirmation.',
      ),
    );
  }
}

/** Headers are texts by names that HTTP allows, and anything else of the name is a variable. */
function* headerShapes({ variables, headers }: Environment): Iterable<RequestProblem> {
  for (const { name, value } of variables) {
    if (name !== headersKey) continue;
    yield warningAt(
      'no-headers',
      rangeOf(value),
      sentence('Only an object with string values sets headers. As written, this is an ordinary variable.'),
    );
  }
  for (const { name, nameRange, value } of headers.flatMap(membersOf)) {
    if (!headerName.test(name))
      yield { ...errorAt('bad-header', nameRange, sentence('"{0}" cannot be the name of a header.', name)), inSchema: true };
    else if (value !== undefined && value.type !== 'string')
      yield { ...errorAt('bad-header', rangeOf(value), sentence('The header "{0}" is not a string.', name)), inSchema: true };
  }
}

function* templates({ text, variables, headers, others }: Environment): Iterable<RequestProblem> {
  const own = new Set(variables.map(({ name }) => name));
  for (const value of [...variables.map(one => one.value), ...headers])
    for (const use of templatesIn(text, value)) {
      const { expression, range } = use;
      if (use.optional === true) continue;
      const wrong = templateProblem(use, anyNames);
      if (wrong !== undefined) yield wrong;
      else if (expression.kind === 'reference' && others !== undefined && !own.has(expression.name) && !others.has(expression.name)) {
        yield warningAt(
          'unknown-name',
          range,
          sentence(
            'This environment has no variable "{0}": only request files that have one themselves can use this value.',
            expression.name,
          ),
        );
      }
    }
}

function* circles({ text, variables }: Environment): Iterable<RequestProblem> {
  const byName = new Map(variables.map(member => [member.name, { name: member.name, uses: templatesIn(text, member.value) }]));
  yield* problemsOfVariables(
    visited(byName.values(), ({ uses }) =>
      uses.flatMap(({ expression, range }: TemplateUse) => {
        const to = expression.kind === 'reference' ? byName.get(expression.name) : undefined;
        return to === undefined ? [] : [{ to, why: range }];
      }),
    ).cycles,
  );
}

function* unclosed({ text, variables, headers }: Environment): Iterable<RequestProblem> {
  for (const value of [...variables.map(one => one.value), ...headers]) yield* unclosedIn(text, value);
}
