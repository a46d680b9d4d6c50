import { closestMatch } from '../../protocol/closestMatch.ts';
import { isObject } from '../../protocol/json.ts';
import { readTemplate, referencesOf } from '../../request/template/template.ts';
import { templatesIn } from '../../request/template/templateUse.ts';
import { agentsOf } from '../../request/file/matrix.ts';
import { importedFiles, withNeeded } from '../../request/file/imports.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import type { Values as Variables } from '../../request/text/value.ts';
import { quoted } from '../terminal/output.ts';
import { agentOptions } from './runAgents.ts';
import { variableName, type RunFile } from './runFiles.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';

/** Refuses variables of the command line that no file uses, and warns of such agents: a mistyped name would have no effect. @throws UsageError */
export function refuseUnusedOptions(files: readonly RunFile[], { output, values }: Terminal): void {
  const variables = new Set(files.flatMap(({ file, values: given }) => [...namesUsed(file), ...namesOfValues(given)]));
  const unused = (values.var ?? []).map(variableName).find(name => !variables.has(name));
  if (unused !== undefined) throw new UsageError(unknown('--var', unused, variables, 'the files use no variable of that name'));
  const { named, other } = agentOptions(values);
  const requests = files.flatMap(({ file }) => withNeeded(file.requests, file));
  const agents = new Set(
    requests.flatMap(entry => (entry.agent === undefined ? (other ?? []) : agentsOf(entry).map(({ value }) => value))),
  );
  if (other !== undefined && requests.length > 0 && requests.every(({ agent }) => agent !== undefined)) {
    const [only = ''] = agents;
    const option = agents.size === 1 && !only.includes('{{') ? `"${only.slice(0, 60)}=${other.slice(0, 60)}"` : 'NAME=URL';
    throw new UsageError(
      `--agent ${other.slice(0, 60)}: the files name the agent of every request: ${listed(agents)}. To send requests elsewhere, write --agent ${option}.`,
    );
  }
  // The agent of a template is unknown until the template is filled in.
  if ([...agents].some(name => name.includes('{{'))) return;
  // The agents of several files may be given to a run of one of them.
  for (const name of named.keys())
    if (!agents.has(name))
      output.printError(
        quoted(
          `warning: ${unknown('--agent', name, agents, 'the files name no such agent')} ${agents.size === 0 ? 'They name none.' : `They name: ${listed(agents)}.`}`,
        ),
      );
}

function unknown(option: string, name: string, known: ReadonlySet<string>, why: string): string {
  const like = closestMatch(name, known);
  return `${option} ${name.slice(0, 60)}: ${why}.${like === undefined ? '' : ` Did you mean ${like}?`}`;
}

/** Maximum number of names listed in one message. */
const maxListed = 10;

const listed = (names: ReadonlySet<string>): string =>
  [...names]
    .slice(0, maxListed)
    .map(name => name.slice(0, 60))
    .join(', ') + (names.size > maxListed ? ', …' : '');

/** Names of the variables of a file and of those that it imports, and names used in their templates. */
function* namesUsed(file: RequestFile): Iterable<string> {
  yield* file.variables.keys();
  for (const home of importedFiles(file.imports)) yield* namesUsed(home.file);
  const uses = [
    ...file.sections.flatMap(({ root }) => (root === undefined ? [] : templatesIn(file.text, root))),
    ...file.requests.flatMap(({ inherited }) => inherited),
  ];
  for (const { expression } of uses) if (expression.kind === 'reference') yield expression.name;
}

/** Names used in the templates of environments. */
function* namesOfValues(values: Variables): Iterable<string> {
  for (const { value, literal } of values.values()) if (!literal) yield* namesIn(value);
}

function* namesIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') {
    for (const segment of readTemplate(value))
      if (segment.kind === 'expression') for (const { name } of referencesOf(segment.expression)) yield name;
  } else if (Array.isArray(value) || isObject(value)) for (const inner of Object.values(value)) yield* namesIn(inner);
}
