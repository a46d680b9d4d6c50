import { closestMatch } from '../../protocol/closestMatch.ts';
import { isObject } from '../../protocol/json.ts';
import { readTemplate } from '../../request/template/template.ts';
import { templatesIn } from '../../request/template/templateUse.ts';
import type { Values } from '../terminal/options.ts';
import { agentOptions } from './runAgents.ts';
import { variableName, type RunFile } from './runFiles.ts';
import { UsageError } from '../terminal/usage.ts';

/** Refuses variables and agents of the command line that no file uses: a mistyped name would have no effect. @throws UsageError */
export function refuseUnusedOptions(files: readonly RunFile[], values: Values): void {
  const variables = new Set(files.flatMap(file => [...namesUsed(file), ...file.file.variables.keys()]));
  refuse('--var', (values.var ?? []).map(variableName), variables, 'the files use no variable of that name');
  const { named, other } = agentOptions(values);
  const requests = files.flatMap(({ file }) => file.requests);
  if (other !== undefined && requests.length > 0 && requests.every(({ agent }) => agent !== undefined))
    throw new UsageError(
      `--agent ${other.slice(0, 60)}: every request names an agent of its own. To send requests elsewhere, write --agent NAME=URL.`,
    );
  const agents = new Set(requests.flatMap(({ agent }) => agent?.value ?? other ?? []));
  // The agent of a template is unknown until the template is filled in.
  if ([...agents].some(name => name.includes('{{'))) return;
  refuse(
    '--agent',
    named.keys(),
    agents,
    'the files name no such agent',
    agents.size === 0 ? ' They name none.' : ` They name: ${listed(agents)}.`,
  );
}

function refuse(option: string, given: Iterable<string>, known: ReadonlySet<string>, why: string, there = ''): void {
  const unknown = [...given].find(name => !known.has(name));
  if (unknown === undefined) return;
  const like = closestMatch(unknown, known);
  throw new UsageError(`${option} ${unknown.slice(0, 60)}: ${why}.${like === undefined ? '' : ` Did you mean ${like}?`}${there}`);
}

/** Maximum number of names listed in one message. */
const maxListed = 10;

const listed = (names: ReadonlySet<string>): string =>
  [...names]
    .slice(0, maxListed)
    .map(name => name.slice(0, 60))
    .join(', ') + (names.size > maxListed ? ', …' : '');

/** Names used in the templates of a file and of its environments. */
function* namesUsed({ file, values }: RunFile): Iterable<string> {
  for (const { expression } of file.root === undefined ? [] : templatesIn(file.text, file.root))
    if (expression.kind === 'reference') yield expression.name;
  for (const { value, literal } of values.values()) if (!literal) yield* namesIn(value);
}

function* namesIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') {
    for (const segment of readTemplate(value))
      if (segment.kind === 'expression' && segment.expression.kind === 'reference') yield segment.expression.name;
  } else if (Array.isArray(value) || isObject(value)) for (const inner of Object.values(value)) yield* namesIn(inner);
}
