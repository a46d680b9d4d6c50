import { functionOf } from '../template/functions.ts';
import { readTemplate, type Expression } from '../template/template.ts';
import { isPrivate } from '../text/value.ts';
import { scopeOf, variableOf, type Scope } from './fill.ts';

/** True where a template gives a secret or private value, also through variables. */
export function isSecret(expression: Expression, scope: Pick<Scope, 'file' | 'values'>, through: readonly string[] = []): boolean {
  if (expression.kind === 'function')
    return (
      functionOf(expression.name)?.isSecret?.(expression.argument) === true ||
      (expression.of !== undefined && isSecret(expression.of.expression, scope, through))
    );
  if (expression.kind === 'either') return expression.values.some(value => isSecret(value.expression, scope, through));
  if (expression.kind !== 'reference' || through.includes(expression.name)) return false;
  const value = variableOf(expression.name, scope);
  if (value === undefined) return false;
  if (isPrivate(value)) return true;
  if (value.literal) return false;
  return readTemplate(JSON.stringify(value.value)).some(
    segment =>
      segment.kind === 'expression' && isSecret(segment.expression, scopeOf(expression.name, scope), [...through, expression.name]),
  );
}
