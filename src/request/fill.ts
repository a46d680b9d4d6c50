import { isObject } from '../protocol/json.ts';
import { Problem, sentence, type Sentence } from '../protocol/problem.ts';
import { functionOf, type FunctionHost } from './functions.ts';
import { valueOf } from './jsonNode.ts';
import { follow, showPath, type Path } from './path.ts';
import type { RequestFile } from './requestFile.ts';
import { referable, type RequestResult } from './requestResult.ts';
import { isWhole, readTemplate, type Expression, type Segment } from './template.ts';
import type { Value, Values } from './value.ts';

/** What templates draw on. */
export interface Scope {
  readonly file: RequestFile;
  /** Variables from outside; they win over those of the file. */
  readonly values?: Values;
  /** The result of an earlier request, by its name. */
  readonly result: (name: string) => RequestResult | undefined;
  readonly functions: FunctionHost;
}

/**
 * A JSON value with every template in its strings filled in. A string that is one template takes the value as it is; inside text a
 * value that is no string is written as JSON.
 * @throws Problem `no-value` where a template has none: it never becomes an empty string.
 */
export async function fill(value: unknown, scope: Scope, through: readonly string[] = []): Promise<unknown> {
  if (typeof value === 'string') return fillString(value, scope, through);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await fill(item, scope, through));
    return items;
  }
  if (!isObject(value)) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await fill(member, scope, through)]);
  return Object.fromEntries(members);
}

async function fillString(value: string, scope: Scope, through: readonly string[]): Promise<unknown> {
  const segments = readTemplate(value);
  const [only] = segments;
  if (isWhole(segments) && only?.kind === 'expression') return evaluate(only.expression, scope, through);
  const pieces: string[] = [];
  for (const segment of segments) pieces.push(await textOfSegment(segment, scope, through));
  return pieces.join('');
}

async function textOfSegment(segment: Segment, scope: Scope, through: readonly string[]): Promise<string> {
  if (segment.kind === 'text') return segment.text;
  const value = await evaluate(segment.expression, scope, through);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function evaluate(expression: Expression, scope: Scope, through: readonly string[]): Promise<unknown> {
  switch (expression.kind) {
    case 'function': {
      const known = functionOf(expression.name);
      if (known === undefined) throw noValue(`$${expression.name}`, sentence('There is no function of that name.'));
      const value = await known.evaluate(expression.argument, scope.functions);
      if (value !== undefined) return value;
      throw noValue(`$${expression.name} ${expression.argument}`.trim(), known.otherwise?.(expression.argument));
    }
    case 'reference':
      return reference(expression.name, expression.path, scope, through);
    case 'unreadable':
      throw noValue(expression.text, sentence('Write a name with a path, or a function.'));
  }
}

async function reference(name: string, path: Path, scope: Scope, through: readonly string[]): Promise<unknown> {
  const whole = `${name}${showPath(path)}`;
  const variable = variableOf(name, scope);
  if (variable !== undefined) {
    if (through.includes(name)) throw noValue(whole, sentence('The variable holds itself.'));
    return at(whole, path, variable.literal ? variable.value : await fill(variable.value, scope, [...through, name]));
  }
  const result = scope.result(name);
  if (result !== undefined) return at(whole, path, referable(result));
  throw noValue(whole, scope.file.byName.has(name)
    ? sentence('The request "{0}" has brought no result yet.', name)
    : sentence('Neither a variable nor a request of this file is called "{0}".', name));
}

/** A variable as it is written, with where it comes from. */
export function variableOf(name: string, { file, values }: Pick<Scope, 'file' | 'values'>): Value | undefined {
  const own = file.variables.get(name);
  return values?.get(name) ?? (own === undefined ? undefined : { value: valueOf(own.node), source: 'file', literal: false });
}

function at(whole: string, path: Path, value: unknown): unknown {
  const { found, value: reached } = follow(value, path);
  if (found === path.length) return reached;
  const name = whole.slice(0, whole.length - showPath(path).length);
  throw noValue(whole, sentence('"{0}" is there, but has no {1}.', `${name}${showPath(path.slice(0, found))}`, showPath(path.slice(found, found + 1))));
}

function noValue(expression: string, nextStep: Sentence | undefined): Problem {
  return new Problem('no-value', sentence('{0} has no value, so nothing was sent.', `{{${expression}}}`), { nextStep });
}
