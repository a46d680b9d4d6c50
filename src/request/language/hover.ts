import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { mask } from '../../protocol/secrets/secretValues.ts';
import { taskStates } from '../../protocol/message/taskState.ts';
import { textOfObserved } from '../expect/observed.ts';
import { importedMeaning, type ImportedFile } from '../file/imports.ts';
import { scopeOf, variableOf } from '../resolve/fill.ts';
import { descriptionOf } from '../file/control.ts';
import { functionOf } from '../template/functions.ts';
import { operationOf, methods } from '../text/methods.ts';
import { follow, type Path } from '../text/path.ts';
import { isSecret } from '../resolve/secretTemplates.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { referenceValues, rowIn, type RequestResult } from '../values/requestResult.ts';
import { readTemplate } from '../template/template.ts';
import type { TemplateUse } from '../template/templateUse.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import type { ValueSource } from '../text/value.ts';
import { occurrenceAt, templateUses } from './occurrences.ts';
import { matrixAgents } from '../file/matrix.ts';
import { entryAt } from './caretPosition.ts';
import { display } from './shownValue.ts';
import { agentNamed, type LanguageContext } from './languageContext.ts';

interface Hover {
  readonly range: TextRange;
  readonly facts: readonly LocalizedMessage[];
  /** Shown verbatim, as code. May quote an agent, so it is untrusted text. */
  readonly value?: string;
}

const sources: Readonly<Record<ValueSource, LocalizedMessage>> = {
  row: sentence('from the data row'),
  option: sentence('from the command line'),
  private: sentence('from the private values of the environment'),
  environment: sentence('from the environment'),
  'private-shared': sentence('from the private values of all environments'),
  shared: sentence('from the values of all environments'),
  file: sentence('from this file'),
};

/** Facts about the name at the offset. Secrets and private values are masked. */
export function hover(file: RequestFile, offset: number, world: LanguageContext): Hover | undefined {
  // The innermost one: those within others follow them.
  const use = templateUses(file).findLast(({ range }) => offset >= range.offset && offset < endOf(range));
  if (use !== undefined) return ofTemplate(file, use, world);
  const named = occurrenceAt(file, offset);
  if (named !== undefined)
    return named.of === 'request'
      ? ofResult(file.byName.has(named.name) ? file : scopeOf(named.name, { file }).file, named.name, [], named.range, world)
      : ofVariable(file, named.name, [], named.range, world);
  const entry = entryAt(file, offset);
  const { method, operation, agent } = entry ?? {};
  if (method !== undefined && inside(method.range, offset)) {
    const meant = operation ?? operationOf(method.value);
    if (meant === undefined) return undefined;
    const older = meant === method.value ? [] : [sentence('Older name of {0}.', meant)];
    return { range: method.range, facts: [...older, sentence('{0}: {1}', meant, methods[meant].description)] };
  }
  const written = [
    ...(agent === undefined || agent.from !== undefined ? [] : [agent]),
    ...(entry === undefined ? [] : matrixAgents(entry)),
    ...file.agents,
  ].find(({ range }) => inside(range, offset));
  return written && ofAgent(written.value, written.range, world);
}

const inside = ({ offset, length }: TextRange, at: number): boolean => at >= offset && at < offset + length;

function ofTemplate(file: RequestFile, { expression, range }: TemplateUse, world: LanguageContext): Hover | undefined {
  switch (expression.kind) {
    case 'unreadable':
    case 'literal':
    case 'either':
      return undefined;
    case 'function': {
      const known = functionOf(expression.name);
      return known === undefined ? undefined : { range, facts: [sentence('{0}: {1}', `$${expression.name}`, known.description)] };
    }
    case 'reference': {
      const { name, path } = expression;
      if (file.variables.has(name) || world.values.has(name)) return ofVariable(file, name, path, range, world);
      const home = importedMeaning(file, name)?.home;
      if (home !== undefined) return withHome(ofTemplate(home.file, { expression, range }, world), home);
      const capture = file.captures.get(name);
      if (capture !== undefined)
        return ofResult(file, capture.entry.name ?? '', [...capture.path, ...path], range, world, capture.entry.key);
      return file.byName.has(name) ? ofResult(file, name, path, range, world) : ofVariable(file, name, path, range, world);
    }
  }
}

/** Says beside what is known of a name that another file gives it. */
const withHome = (found: Hover | undefined, { shown }: ImportedFile): Hover | undefined =>
  found && { ...found, facts: [...found.facts, sentence('From {0}.', shown)] };

function ofVariable(file: RequestFile, name: string, path: Path, range: TextRange, world: LanguageContext): Hover | undefined {
  const scope = { file, values: world.values };
  const value = variableOf(name, scope);
  if (value === undefined) return undefined;
  const facts = [sentence('Variable {0}, {1}.', name, sources[value.source])];
  if (value.at !== undefined) facts.push(sentence('Written in {0}.', value.at.path));
  if (isSecret({ kind: 'reference', name, path }, scope)) return { range, facts, value: mask };
  const { found, value: reached } = follow(filledIn(value.value, scope, [name]), path);
  return found < path.length ? { range, facts } : { range, facts, value: display(reached) };
}

/** Replaces the variables in a text whose templates are all variables. Any other text is shown as written. */
function filledIn(value: unknown, scope: Parameters<typeof variableOf>[1], through: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  const pieces = readTemplate(value).map(segment => {
    if (segment.kind === 'text') return segment.text;
    const { expression } = segment;
    const inner =
      expression.kind === 'reference' && expression.path.length === 0 && !through.includes(expression.name)
        ? variableOf(expression.name, scope)
        : undefined;
    return inner === undefined || expression.kind !== 'reference'
      ? undefined
      : filledIn(inner.value, scopeOf(expression.name, scope), [...through, expression.name]);
  });
  if (pieces.includes(undefined)) return value;
  return pieces.length === 1 ? pieces[0] : pieces.map(piece => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join('');
}

function ofResult(
  file: RequestFile,
  name: string,
  path: Path,
  range: TextRange,
  world: LanguageContext,
  key = file.byName.get(name)?.key ?? name,
): Hover {
  const result = world.result(key);
  const { row, rest } = rowIn(result, path);
  const entry = file.byName.get(name);
  // Of a row, what all are for is not said again.
  const description = entry === undefined || (result !== undefined && rest !== path) ? undefined : descriptionOf(entry);
  const told = description === undefined ? [] : [sentence('What it is for: {0}', description)];
  if (row === undefined) return { range, facts: [...told, sentence('The request "{0}" has no result yet.', name)] };
  const facts = [...told, sentence('Last result of "{0}".', name), ...factsOf(row)];
  if (path.length === 0) return { range, facts, value: display(textOfObserved(row)) || undefined };
  const { found, value } = follow(referenceValues(row), rest);
  return found === rest.length ? { range, facts, value: display(value) } : { range, facts };
}

function factsOf({ task, message }: RequestResult): LocalizedMessage[] {
  if (task !== undefined) return [sentence('Task {0} is {1}.', task.id, taskStates[task.status.state].label)];
  return message === undefined ? [] : [sentence('The agent answered with a message.')];
}

function ofAgent(name: string, range: TextRange, world: LanguageContext): Hover | undefined {
  const agent = agentNamed(world, name);
  if (agent === undefined) return undefined;
  return {
    range,
    facts: [sentence('Agent {0} at {1}.', agent.name, agent.url)],
    value: agent.card && display(`${agent.card.name} ${agent.card.version}\n${agent.card.description}`),
  };
}
