import { Problem, sentence } from '../../protocol/problem.ts';
import { importedMeaning } from '../file/imports.ts';
import type { RequestFile } from '../file/requestFile.ts';
import type { Scope } from '../resolve/fill.ts';
import { functionOf } from '../template/functions.ts';
import type { Expression } from '../template/template.ts';
import type { Path } from '../text/path.ts';
import { Pieced } from '../text/pieced.ts';

/** A hole for a value that a script has only when it runs, with the expression of JavaScript that stands for it. */
export const laterText = (expression: string): Pieced => new Pieced([{ variable: expression, expression }]);

/**
 * For `Scope.later`: what a template gives that is known only when the script runs; undefined for all others.
 * @throws Problem `not-in-script` for functions that a script cannot have
 */
export function laterValue(expression: Expression, { file, values }: Pick<Scope, 'file' | 'values'>): unknown {
  if (expression.kind === 'function') return ofFunction(expression);
  if (expression.kind === 'either' && expression.values.some(one => isOfResult(one.expression, { file, values }))) throw notInScript('??');
  if (expression.kind !== 'reference' || !isOfResult(expression, { file, values })) return undefined;
  const imported = importedMeaning(file, expression.name);
  const capture = file.captures.get(expression.name) ?? imported?.capture;
  const key = capture?.entry.key ?? imported?.request?.key ?? file.byName.get(expression.name)?.key ?? expression.name;
  const [first] = expression.path;
  const row: Path = typeof first === 'number' ? [first] : [];
  const path = [...row, ...(capture?.path ?? []), ...expression.path.slice(row.length)];
  return laterText(`at(${JSON.stringify(key)}, ${JSON.stringify(path)})`);
}

function ofFunction({ name, argument, of }: Extract<Expression, { kind: 'function' }>): unknown {
  const inScript = functionOf(name)?.inScript ?? 'now';
  if (typeof inScript === 'function') return laterText(inScript(argument));
  if (inScript === 'never') throw notInScript(`$${name}`);
  // Of a file or a text, it is the same each time.
  if (of !== undefined && of.expression.kind !== 'literal' && !(of.expression.kind === 'function' && of.expression.name === 'file'))
    throw notInScript(`$${name}`);
  return undefined;
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
    nextStep: sentence('Use a variable instead and set it with --var.'),
  });
