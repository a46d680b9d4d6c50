import { Problem, sentence } from '../../protocol/problem.ts';
import { importedMeaning } from '../file/imports.ts';
import type { RequestFile } from '../file/requestFile.ts';
import type { Scope } from '../resolve/fill.ts';
import type { Expression } from '../template/template.ts';
import type { Path } from '../text/path.ts';
import { placeholder } from './placeholder.ts';

/** Values that a script has only when it runs: each is a placeholder, with the expression of JavaScript that stands for it. */
export class LaterValues {
  readonly #expressions = new Map<string, string>();

  /** A placeholder for an expression of JavaScript. */
  of(expression: string): string {
    const name = `later_${this.#expressions.size}`;
    this.#expressions.set(name, expression);
    return placeholder(name);
  }

  /** The expression of a placeholder's name; what was not made here is a variable of the process. */
  expression(name: string): string {
    return this.#expressions.get(name) ?? `__ENV.${name}`;
  }

  /**
   * For `Scope.later`: what a template gives that is known only when the script runs; undefined for all others.
   * @throws Problem `not-in-script` for functions that a script cannot have
   */
  valueOf(expression: Expression, { file, values }: Pick<Scope, 'file' | 'values'>): unknown {
    if (expression.kind === 'function') return this.#ofFunction(expression);
    if (expression.kind === 'either' && expression.values.some(one => isOfResult(one.expression, { file, values })))
      throw notInScript('??');
    if (expression.kind !== 'reference' || !isOfResult(expression, { file, values })) return undefined;
    const imported = importedMeaning(file, expression.name);
    const capture = file.captures.get(expression.name) ?? imported?.capture;
    const key = capture?.entry.key ?? imported?.request?.key ?? file.byName.get(expression.name)?.key ?? expression.name;
    const [first] = expression.path;
    const row: Path = typeof first === 'number' ? [first] : [];
    const path = [...row, ...(capture?.path ?? []), ...expression.path.slice(row.length)];
    return this.of(`at(${JSON.stringify(key)}, ${JSON.stringify(path)})`);
  }

  #ofFunction({ name, argument, of }: Extract<Expression, { kind: 'function' }>): unknown {
    if (name === 'uuid') return this.of('uuid()');
    if (name === 'timestamp') return this.of('new Date().toISOString()');
    const [from, to] = argument.trim().split(/\s+/);
    if (name === 'random') return this.of(`random(${Number(from)}, ${Number(to)})`);
    if (name === 'date') throw notInScript(`$${name}`);
    // Of a file or a text, it is the same each time.
    if (of !== undefined && of.expression.kind !== 'literal' && !(of.expression.kind === 'function' && of.expression.name === 'file'))
      throw notInScript(`$${name}`);
    return undefined;
  }
}

function isOfResult(expression: Expression, { file, values }: { readonly file: RequestFile } & Pick<Scope, 'values'>): boolean {
  if (expression.kind !== 'reference' || values?.has(expression.name) === true || file.variables.has(expression.name)) return false;
  const imported = importedMeaning(file, expression.name);
  return (
    file.captures.has(expression.name) || file.byName.has(expression.name) || (imported !== undefined && imported.variable === undefined)
  );
}

const notInScript = (what: string): Problem =>
  new Problem('not-in-script', sentence('{0} cannot be written into a script.', what), {
    nextStep: sentence('Put a variable in its place and give it with --var.'),
  });
