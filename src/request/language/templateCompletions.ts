import { isObject } from '../../protocol/json.ts';
import { importedMeaning } from '../file/imports.ts';
import { scopeOf, variableOf } from '../resolve/fill.ts';
import { functions } from '../template/functions.ts';
import { readPath, showPath, type Path } from '../text/path.ts';
import { isSecret } from '../resolve/secretTemplates.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { rowNames } from '../file/writtenRows.ts';
import { rowIn } from '../values/requestResult.ts';
import { isReferable, isWhole, readTemplate } from '../template/template.ts';
import { endOf } from '../text/textRange.ts';
import type { Completion } from './completion.ts';
import type { CaretPosition } from './caretPosition.ts';
import { displayOneLine } from './shownValue.ts';
import { stepsInto, stepsIntoResult } from './valueSteps.ts';
import type { LanguageContext } from './languageContext.ts';

/** Completions between braces. */
export function completeTemplate(
  file: RequestFile,
  place: CaretPosition,
  { before, range }: NonNullable<CaretPosition['template']>,
  world: LanguageContext,
): readonly Completion[] {
  const closed = file.text.startsWith('}}', endOf(range));
  const make = (kind: Completion['kind'], label: string, rank: number, detail?: Completion['detail']): Completion => ({
    kind,
    label,
    rank,
    detail,
    range,
    insert: JSON.stringify(label).slice(1, -1) + (closed || kind === 'member' ? '' : '}}'),
  });
  // Of several alternatives, and of the argument of a function of values, the last is what is typed.
  const earlier = /^.*(?:\?\?|\$(?:base64|json|lines)\s)\s*/s.exec(before)?.[0].length ?? 0;
  if (earlier > 0) {
    const rest = { before: before.slice(earlier), range: { offset: range.offset + earlier, length: range.length - earlier } };
    return completeTemplate(file, place, rest, world);
  }
  const call = /^\s*\$secret\s+/.exec(before);
  if (call !== null) return world.secrets.map((name, rank) => make('secret', `$secret ${name}`, rank));
  const whole = /^\s*([\p{L}\p{N}_][\p{L}\p{N}_-]*)((?:\.|\[).*)$/su.exec(before);
  if (whole !== null)
    return steps(file, whole[1] ?? '', whole[2] ?? '', world).map((step, rank) => make('member', step.label, rank, step.detail));
  return [
    ...variables(file, place, world, make),
    ...[...file.byName.keys()]
      .filter(name => name !== place.entry?.name && isReferable(name))
      .map((name, rank) => make('request', name, 1000 + rank)),
    ...[...file.imported]
      .filter(([name]) => importedMeaning(file, name) !== undefined && isReferable(name))
      .map(([name, { request, home }], rank) => make(request === undefined ? 'variable' : 'request', name, 3000 + rank, home.shown)),
    ...Object.entries(functions).map(([name, { argument, description }], rank): Completion => {
      const made = make('function', `$${name}`, 5000 + rank, description);
      return argument === undefined ? made : { ...made, label: `$${name} ${argument}`, insert: `$${name} ` };
    }),
  ];
}

function variables(
  file: RequestFile,
  { entry }: CaretPosition,
  world: LanguageContext,
  make: (kind: 'variable', label: string, rank: number, detail?: string) => Completion,
): Completion[] {
  const rows = entry === undefined ? undefined : rowNames(entry);
  const names = new Set([
    ...(rows instanceof Set ? (rows as ReadonlySet<string>) : []),
    ...file.variables.keys(),
    ...file.captures.keys(),
    ...world.values.keys(),
  ]);
  return [...names].filter(isReferable).map((name, rank) => make('variable', name, rank, detailOf(file, name, world)));
}

function detailOf(file: RequestFile, name: string, world: LanguageContext): string | undefined {
  const scope = { file, values: world.values };
  const value = variableOf(name, scope);
  if (value === undefined) return undefined;
  return isSecret({ kind: 'reference', name, path: [] }, scope) ? '••••••' : displayOneLine(value.value);
}

/** Steps that can follow the complete part of the path; an incomplete last step is replaced by the completion. */
function steps(
  file: RequestFile,
  name: string,
  typed: string,
  world: LanguageContext,
): { readonly label: string; readonly detail?: string }[] {
  const path = wholePath(typed);
  const scope = { file, values: world.values };
  const variable = variableOf(name, scope);
  if (variable !== undefined && isSecret({ kind: 'reference', name, path: [] }, scope)) return [];
  const home = scopeOf(name, scope).file;
  const capture = home.captures.get(name);
  const key = capture?.entry.key ?? home.byName.get(name)?.key ?? name;
  const { row, rest } = rowIn(world.result(key), path);
  const found =
    variable !== undefined
      ? stepsInto(variable.value, path)
      : capture !== undefined || home.byName.has(name)
        ? stepsIntoResult(row, [...(capture?.path ?? []), ...rest])
        : [];
  const isReadable = (key: string | number): boolean => isPath(name, [...path, key]);
  return found
    .filter(({ key }) => isReadable(key))
    .map(({ key, description, value }) => ({
      label: `${name}${showPath([...path, key])}`,
      detail: value === undefined ? description : isObject(value) || Array.isArray(value) ? description : displayOneLine(value),
    }));
}

/** True if the template with this path refers to it: names of an agent's members can end it, or begin another one. */
function isPath(name: string, path: Path): boolean {
  const segments = readTemplate(`{{${name}${showPath(path)}}}`);
  const expression = isWhole(segments) && segments[0]?.kind === 'expression' ? segments[0].expression : undefined;
  return expression?.kind === 'reference' && JSON.stringify(expression.path) === JSON.stringify(path);
}

function wholePath(typed: string): Path {
  for (let end = typed.length; end > 0; end = Math.max(typed.lastIndexOf('.', end - 1), typed.lastIndexOf('[', end - 1))) {
    const path = readPath(typed.slice(0, end));
    // The last step may be incomplete. What follows it is offered only after a dot.
    if (path !== undefined) return end === typed.length ? path.slice(0, -1) : path;
  }
  return [];
}
