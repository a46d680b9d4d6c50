import { membersOf } from '../text/jsonNode.ts';
import { requestNamed } from '../file/imports.ts';
import type { RequestFile } from '../file/requestFile.ts';
import type { TemplateUse } from '../template/templateUse.ts';
import { endOf, type TextRange } from '../text/textRange.ts';

/** One occurrence of the name of a variable or request. */
export interface Occurrence {
  readonly name: string;
  readonly of: 'variable' | 'request' | 'unknown';
  /** True where it is the definition; the others refer to it. */
  readonly declares: boolean;
  /** The name itself, without quotes or braces. */
  readonly range: TextRange;
  /** Set where the text differs from the name, for example because of escapes. */
  readonly isEscaped: boolean;
}

/** Every `{{…}}` of a file. */
export const templateUses = (file: RequestFile): readonly TemplateUse[] =>
  [file.sharedTemplates, ...[...file.variables.values(), ...file.requests].map(({ templates }) => templates)].flat();

/** All occurrences of variables and requests, unordered. A name of both means the variable, as in templates. */
function occurrences(file: RequestFile): readonly Occurrence[] {
  const { text, variables, requests } = file;
  const quoted = (name: string, range: TextRange): Pick<Occurrence, 'range' | 'isEscaped'> => {
    const inside = {
      offset: range.offset + 1,
      length: Math.max(0, range.length - (text[endOf(range) - 1] === '"' && range.length > 1 ? 2 : 1)),
    };
    // The position of a row may follow.
    if (text.startsWith(`${name}[`, inside.offset)) inside.length = name.length;
    return { range: inside, isEscaped: text.slice(inside.offset, endOf(inside)) !== name };
  };
  const inRows = requests.flatMap(({ members }) => (members.get('each')?.value?.children ?? []).flatMap(membersOf));
  const captured = [...file.captures].map(([name, { nameRange }]) => ({ name, nameRange }));
  const rowNames = new Set(inRows.map(({ name }) => name));
  return [
    ...[...variables.values()].map(
      ({ name, nameRange }): Occurrence => ({ name, of: 'variable', declares: true, ...quoted(name, nameRange) }),
    ),
    ...requests.flatMap(({ name, nameRange, members }): Occurrence[] =>
      name === undefined || members.get('name')?.value === undefined
        ? []
        : [{ name, of: 'request', declares: true, ...quoted(name, nameRange) }],
    ),
    ...requests.flatMap(({ after }): Occurrence[] => {
      if (after === undefined) return [];
      const meant = requestNamed(file, after.value);
      const name = meant?.name ?? after.value;
      return [{ name, of: meant === undefined ? 'unknown' : 'request', declares: false, ...quoted(name, after.range) }];
    }),
    ...[...inRows, ...captured].map(
      ({ name, nameRange }): Occurrence => ({ name, of: 'variable', declares: true, ...quoted(name, nameRange) }),
    ),
    ...templateUses(file).flatMap((use): Occurrence[] => {
      if (use.expression.kind !== 'reference') return [];
      const { name } = use.expression;
      const range = nameInBraces(text, use, name);
      return [
        {
          name,
          of: rowNames.has(name) ? 'variable' : meaningOf(file, name),
          declares: false,
          range: range ?? use.range,
          isEscaped: range === undefined,
        },
      ];
    }),
  ];
}

/** The meaning of a name in a template; columns of `each` are not looked for. */
export const meaningOf = ({ variables, known, captures, byName, imported }: RequestFile, name: string): Occurrence['of'] => {
  if (variables.has(name) || known.has(name) || captures.has(name)) return 'variable';
  if (byName.has(name)) return 'request';
  const other = imported.get(name);
  return other === undefined ? 'unknown' : other.request === undefined ? 'variable' : 'request';
};

/** Range of the name between the braces; undefined where it is written with escapes. */
export function nameInBraces(text: string, { range }: TemplateUse, name: string): TextRange | undefined {
  const inside = /^\{\{\s*/.exec(text.slice(range.offset, endOf(range)))?.[0].length ?? 0;
  return text.startsWith(name, range.offset + inside) ? { offset: range.offset + inside, length: name.length } : undefined;
}

/** The name at an offset; its end counts, too. */
export function occurrenceAt(file: RequestFile, offset: number): Occurrence | undefined {
  return occurrences(file).find(({ range }) => offset >= range.offset && offset <= endOf(range));
}

/** All occurrences of the same variable or request. */
export function occurrencesOf(file: RequestFile, { name, of }: Pick<Occurrence, 'name' | 'of'>): readonly Occurrence[] {
  const found = occurrences(file).filter(one => one.name === name && one.of === of);
  return [...found.filter(({ declares }) => declares), ...found.filter(({ declares }) => !declares)];
}
