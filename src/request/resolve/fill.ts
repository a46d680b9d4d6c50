import { fnv1a } from '../../protocol/fnv1a.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { UsedValue } from './usedValues.ts';
import { functionOf, type FunctionHost } from '../template/functions.ts';
import { membersOf, valueOf, type JsonNode } from '../text/jsonNode.ts';
import { follow, showPath, type Path } from '../text/path.ts';
import { joined, Pieced, textOf, type Text } from '../text/pieced.ts';
import { importedMeaning } from '../file/imports.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { located } from '../text/requestFault.ts';
import { referenceValues, rowIn, type RequestResult } from '../values/requestResult.ts';
import type { ValueSources } from '../values/valueSources.ts';
import { sourceRange } from '../text/sourceString.ts';
import { isWhole, readTemplate, type Expression, type Nested, type Segment } from '../template/template.ts';
import type { TextRange } from '../text/textRange.ts';
import { isPrivate, type Value, type Values } from '../text/value.ts';

/** Where templates take their values from. */
export interface Scope {
  readonly file: RequestFile;
  /** Variables from outside; they take precedence over those of the file. */
  readonly values?: Values;
  /** The result of an earlier request, by its key. */
  readonly result: (name: string) => RequestResult | undefined;
  readonly functions: FunctionHost;
  /** Gives what is not known yet, such as of a script that is written; undefined for all else. */
  readonly later?: (expression: Expression, scope: Scope) => unknown;
  /** Called for each secret, answer and row that is used. */
  readonly onUse?: (draw: UsedValue) => void;
}

/** The scope with other sources of values, and other values in place of private ones. */
export const withValues = (
  { functions, values, ...scope }: Scope,
  sourcesOf: (sources: ValueSources) => ValueSources,
  privateValue: (name: string, value: Value) => Value,
): Scope => ({
  ...scope,
  functions: functions.sources === undefined ? functions : { ...functions, sources: sourcesOf(functions.sources) },
  values: values && new Map([...values].map(([name, value]) => [name, isPrivate(value) ? privateValue(name, value) : value])),
});

/** Bounds for one value, in variables and UTF-16 code units: a variable that contains another one twice doubles it. */
const longest = { variables: 100_000, characters: 16 * 1024 * 1024 };

/** Counts what has been filled in for one value. */
class Filled {
  #variables = 0;
  #characters = 0;

  /** @throws Problem `variables-too-large` */
  add(variables: number, characters: number): void {
    this.#variables += variables;
    this.#characters += characters;
    if (this.#variables <= longest.variables && this.#characters <= longest.characters) return;
    throw new Problem(
      'variables-too-large',
      sentence(
        'The variables expand the request too much: more than {0} are filled in, or more than {1} characters.',
        longest.variables,
        longest.characters,
      ),
      {
        nextStep: sentence('Look for variables that contain others several times, and shorten them.'),
      },
    );
  }
}

/** The variables through which a value was reached, outermost first, and the count so far. */
interface Way {
  readonly through: readonly string[];
  readonly filled: Filled;
}

const start = (): Way => ({ through: [], filled: new Filled() });

/**
 * Fills in the templates in all strings of a JSON value. A string that is a single template takes its value with its type; inside text, a
 * value other than a string is written as JSON. Where sources give a `Pieced`, what is made of it is one, too.
 * @throws Problem `no-value` where a template has no value (it never becomes an empty string), `variables-too-large`
 */
export async function fill(value: unknown, scope: Scope, way = start()): Promise<unknown> {
  if (typeof value === 'string') return fillString(value, scope, way);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await fill(item, scope, way));
    return items;
  }
  if (!isObject(value) || value instanceof Pieced) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await fill(member, scope, way)]);
  return Object.fromEntries(members);
}

/** Like `fill`, for a node of the file: problems are `RequestFault`s with the range of the template. */
export async function fillNode(node: JsonNode, scope: Scope, way = start()): Promise<unknown> {
  if (node.type === 'string') return fillString(String(node.value), scope, way, range => sourceRange(scope.file.text, node, range));
  if (node.type === 'array') {
    const items: unknown[] = [];
    for (const item of node.children ?? []) items.push(await fillNode(item, scope, way));
    return items;
  }
  if (node.type !== 'object') return valueOf(node);
  const members: [string, unknown][] = [];
  for (const { name, value } of membersOf(node)) if (value !== undefined) members.push([name, await fillNode(value, scope, way)]);
  return Object.fromEntries(members);
}

/** @param place maps a range of the value to a range of the file. */
async function fillString(value: string, scope: Scope, way: Way, place?: (range: TextRange) => TextRange): Promise<unknown> {
  const segments = readTemplate(value);
  const valueOfSegment = (segment: Segment): Promise<unknown> | string =>
    segment.kind === 'text' ? segment.text : located(place?.(segment.range), () => evaluate(segment.expression, scope, way));
  const [only] = segments;
  if (isWhole(segments) && only !== undefined) {
    const whole = await valueOfSegment(only);
    // Not copied here, but written as often as it is used.
    if (typeof whole === 'string') way.filled.add(0, whole.length / 4);
    return whole;
  }
  const texts: Text[] = [];
  for (const segment of segments) {
    const text = textOf(await valueOfSegment(segment));
    way.filled.add(0, text.length);
    texts.push(text);
  }
  return joined(texts);
}

async function evaluate(expression: Expression, scope: Scope, way: Way): Promise<unknown> {
  const later = scope.later?.(expression, scope);
  if (later !== undefined) return later;
  switch (expression.kind) {
    case 'function': {
      const known = functionOf(expression.name);
      if (known === undefined) throw noValue(`$${expression.name}`, sentence('Unknown function.'));
      const wrong = expression.argument === '' ? undefined : known.problem?.(expression.argument);
      if (wrong !== undefined) throw noValue(`$${expression.name} ${expression.argument}`, wrong);
      const drawn: UsedValue[] = [];
      const inner =
        expression.of &&
        (await evaluate(expression.of.expression, { ...scope, onUse: used => (scope.onUse?.(used), void drawn.push(used)) }, way));
      const value = await known.evaluate(expression.argument, scope.functions, inner);
      // What is made of other values may be longer than they are.
      if (expression.of !== undefined && typeof value === 'string') way.filled.add(0, value.length);
      // What is made of a secret is one, too.
      for (const used of drawn) if (used.kind === 'secret' && value !== undefined) scope.onUse?.({ ...used, value });
      const isSecret = known.isSecret?.(expression.argument) === true;
      if (value !== undefined && (isSecret || known.isBound === true))
        scope.onUse?.({
          kind: 'secret',
          key: `${expression.name} ${expression.argument}`,
          name: known.isBound === true ? `$${expression.name} ${expression.argument}` : expression.argument,
          value,
          ...(!isSecret && { isShown: true }),
        });
      if (value !== undefined) return value;
      throw noValue(`$${expression.name} ${expression.argument}`.trim(), known.nextStep?.(expression.argument));
    }
    case 'reference':
      return reference(expression.name, expression.path, scope, way);
    case 'literal':
      return expression.value;
    case 'either':
      return firstOf(expression.values, scope, way);
    case 'unreadable':
      throw noValue(expression.text, sentence('Enter a name with a path, or a function.'));
  }
}

/** The first value that exists. Any other problem, such as an unreadable file, is thrown. */
async function firstOf(values: readonly Nested[], scope: Scope, way: Way): Promise<unknown> {
  for (const [index, { expression }] of values.entries()) {
    try {
      return await evaluate(expression, scope, way);
    } catch (error) {
      if (index === values.length - 1 || !(error instanceof Problem) || error.code !== 'no-value') throw error;
    }
  }
  return undefined;
}

/** The scope in which a name means what it does: that of the file which it is imported from, or the same. */
export function scopeOf<T extends Pick<Scope, 'file' | 'values'> & Partial<Pick<Scope, 'functions'>>>(name: string, scope: T): T {
  const home = scope.values?.has(name) === true ? undefined : importedMeaning(scope.file, name)?.home;
  if (home === undefined) return scope;
  return { ...scope, file: home.file, ...(scope.functions !== undefined && { functions: home.hostIn(scope.functions) }) };
}

async function reference(name: string, path: Path, within: Scope, { through, filled }: Way): Promise<unknown> {
  const scope = scopeOf(name, within);
  const whole = `${name}${showPath(path)}`;
  const variable = variableOf(name, scope);
  if (variable !== undefined) {
    filled.add(1, 0);
    if (through.includes(name)) throw noValue(whole, sentence('The variable refers to itself.'));
    const value = variable.literal ? variable.value : await fill(variable.value, scope, { through: [...through, name], filled });
    // Environments can give one name several values: each is a separate secret.
    if (isPrivate(variable))
      scope.onUse?.({ kind: 'secret', key: `private ${name} ${fnv1a(JSON.stringify(value))}`, name, value, isPrivate: true });
    if (variable.source === 'row') scope.onUse?.({ kind: 'row' });
    return at(whole, path, value);
  }
  const capture = scope.file.captures.get(name);
  const result = scope.result(capture?.entry.key ?? scope.file.byName.get(name)?.key ?? name);
  if (result !== undefined) {
    scope.onUse?.({ kind: 'answer' });
    const { row, rest } = rowIn(result, path);
    if (row === undefined)
      throw noValue(
        whole,
        sentence(
          'There is no result [{0}]: the request was sent {1} times. Results are counted from 0, and [-1] is the last.',
          String(path[0]),
          result.results?.length ?? 1,
        ),
      );
    return at(
      capture === undefined ? whole : `${name} = ${showPath(capture.path).slice(1)}`,
      [...(capture?.path ?? []), ...rest],
      referenceValues(row),
    );
  }
  if (capture !== undefined) throw noValue(whole, sentence('The request that captures "{0}" has no result yet.', name));
  throw noValue(
    whole,
    scope.file.byName.has(name)
      ? sentence('The request "{0}" has no result yet.', name)
      : sentence('Unknown variable or request "{0}".', name),
  );
}

/** A variable with its source, its templates not filled in. */
export function variableOf(name: string, { file, values }: Pick<Scope, 'file' | 'values'>): Value | undefined {
  const own = file.variables.get(name) ?? importedMeaning(file, name)?.variable;
  return values?.get(name) ?? (own === undefined ? undefined : { value: valueOf(own.node), source: 'file', literal: false });
}

function at(whole: string, path: Path, value: unknown): unknown {
  const { found, value: reached } = follow(value, path);
  if (found === path.length) return reached;
  const name = whole.slice(0, whole.length - showPath(path).length);
  throw noValue(whole, sentence('"{0}" has no {1}.', `${name}${showPath(path.slice(0, found))}`, showPath(path.slice(found, found + 1))));
}

function noValue(expression: string, nextStep: LocalizedMessage | undefined): Problem {
  return new Problem('no-value', sentence('{0} has no value, so nothing was sent.', `{{${expression}}}`), { nextStep });
}
