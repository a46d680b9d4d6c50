import { findNodeAtOffset } from 'jsonc-parser';
import { fitsSchema } from '../check/schemaProblems.ts';
import type { RequestFile } from '../file/requestFile.ts';
import { sectionAt } from '../file/sections.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { memberOf, membersOf, type JsonNode } from '../text/jsonNode.ts';
import type { Path } from '../text/path.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import { placeAt, type CaretPosition } from './caretPosition.ts';
import type { Completion } from './completion.ts';

/**
 * What the schema of request files offers at the caret, and says of a key: where VS Code's JSON support does not reach, as in a fence of a
 * Markdown document. The schema is given, so that its texts are in the language of the person.
 */
export function schemaCompletions(file: RequestFile, offset: number, schema: JsonSchema): readonly Completion[] {
  const place = placeAt(file, offset);
  if (place === undefined || place.template !== undefined) return [];
  const around = wholePath(file, place, offset);
  if (place.isKey)
    return keys(file, place, schemasAt(schema, around.root, around.path.slice(0, -1)), nodeOf(around.root, around.path.slice(0, -1)));
  return values(file, place, schemasAt(schema, around.root, around.path));
}

/** What the schema says of the key at an offset. */
export function schemaHover(
  file: RequestFile,
  offset: number,
  schema: JsonSchema,
): { readonly range: TextRange; readonly description: string } | undefined {
  const root = sectionAt(file.sections, offset)?.root;
  const node = root && findNodeAtOffset(root, offset);
  if (root === undefined || node?.parent?.type !== 'property' || node.parent.children?.[0] !== node) return undefined;
  const description = schemasAt(schema, root, pathTo(node.parent)).map(textOf).find(Boolean);
  return description === undefined ? undefined : { range: { offset: node.offset, length: node.length }, description };
}

const textOf = ({ description, markdownDescription }: JsonSchema): string | undefined =>
  typeof markdownDescription === 'string' ? markdownDescription : description;

/** The path of a property from the root of its tree. */
function pathTo(property: JsonNode): Path {
  const path: (string | number)[] = [];
  for (let at: JsonNode | undefined = property; at !== undefined; at = at.parent) {
    if (at.type === 'property') path.unshift(String(at.children?.[0]?.value));
    else if (at.parent?.type === 'array') path.unshift(at.parent.children?.indexOf(at) ?? 0);
  }
  return path;
}

/** The path of the caret from the root of the fence. */
function wholePath(
  file: RequestFile,
  { entry, path }: CaretPosition,
  offset: number,
): { readonly root: JsonNode | undefined; readonly path: Path } {
  const root = sectionAt(file.sections, offset)?.root;
  if (entry === undefined) return { root, path };
  const index = memberOf(root, 'requests')?.value?.children?.findIndex(node => node.offset === entry.range.offset) ?? -1;
  return { root, path: index === -1 ? path : ['requests', index, ...path] };
}

function nodeOf(root: JsonNode | undefined, path: Path): JsonNode | undefined {
  let at = root;
  for (const step of path) at = typeof step === 'number' ? at?.children?.[step] : memberOf(at, step)?.value;
  return at;
}

/** The schemas that hold at a path, given what is written around it. */
function schemasAt(whole: JsonSchema, root: JsonNode | undefined, path: Path): readonly JsonSchema[] {
  let schemas = applied(whole, root, whole);
  let node = root;
  for (const step of path) {
    node = typeof step === 'number' ? node?.children?.[step] : memberOf(node, step)?.value;
    schemas = schemas
      .flatMap((schema): readonly JsonSchema[] => {
        const inner: JsonSchema | undefined =
          typeof step === 'number'
            ? schema.items
            : (own(schema.properties, step) ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined));
        return inner === undefined ? [] : [inner];
      })
      .flatMap(schema => applied(schema, node, whole));
  }
  return schemas;
}

const own = <T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;

/** A schema and those in it that hold for the same value. */
function applied(schema: JsonSchema, node: JsonNode | undefined, whole: JsonSchema): JsonSchema[] {
  const referred = schema['$ref'];
  if (typeof referred === 'string') {
    const found = own(whole['definitions'] as Record<string, JsonSchema> | undefined, referred.slice('#/definitions/'.length));
    return found === undefined ? [] : applied(found, node, whole);
  }
  const holds = schema.if === undefined || node === undefined || fitsSchema(node, schema.if, whole);
  // A condition with nothing to follow from it is only there so that nothing is reported twice.
  const branch =
    schema.if === undefined
      ? undefined
      : schema.then === undefined && schema.else === undefined
        ? schema.if
        : holds
          ? schema.then
          : schema.else;
  return [
    schema,
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(branch === undefined ? [] : [branch])].flatMap(one =>
      applied(one, node, whole),
    ),
  ];
}

function keys(
  { text }: RequestFile,
  { range, inString }: CaretPosition,
  schemas: readonly JsonSchema[],
  object: JsonNode | undefined,
): readonly Completion[] {
  const written = new Set(
    membersOf(object)
      .filter(({ nameRange }) => nameRange.offset > endOf(range) || endOf(nameRange) < range.offset)
      .map(({ name }) => name),
  );
  const offered = new Map<string, JsonSchema>();
  for (const { properties = {} } of schemas)
    for (const [name, one] of Object.entries(properties)) if (!offered.has(name) || textOf(one) !== undefined) offered.set(name, one);
  const quote = inString && text[endOf(range)] === '"' ? 1 : 0;
  const hasColon = /^\s*:/.test(text.slice(endOf(range) + quote, endOf(range) + quote + 100));
  const place = ([, schema]: readonly [string, JsonSchema]): string => String(schema['suggestSortText'] ?? '~');
  const sorted = [...offered].sort((one, other) => place(one).localeCompare(place(other)));
  return sorted.flatMap(([name, schema], rank): Completion[] => {
    if (written.has(name)) return [];
    const start = inString ? name : `"${name}`;
    return [
      {
        label: name,
        kind: 'key',
        rank,
        range: { offset: range.offset, length: range.length + quote },
        insert: escaped(`${start}"`) + (hasColon ? '' : `: ${valueSnippet(schema)}`),
        snippet: true,
        documentation: textOf(schema),
      },
    ];
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\$}]/g, '\\$&');

function valueSnippet({ type, anyOf = [] }: JsonSchema): string {
  const [first] = [type ?? anyOf.flatMap(one => one.type ?? [])].flat();
  return first === 'string' ? '"$1"' : first === 'object' ? '{ $1 }' : first === 'array' ? '[$1]' : '$1';
}

function values({ text }: RequestFile, { range, inString }: CaretPosition, schemas: readonly JsonSchema[]): readonly Completion[] {
  const offered = new Map<string, { readonly value: unknown; readonly documentation: string | undefined }>();
  for (const schema of schemas) {
    const { enumDescriptions, examples } = schema as {
      readonly enumDescriptions?: readonly string[];
      readonly examples?: readonly unknown[];
    };
    const found = [...(schema.enum ?? []), ...(examples ?? []), ...([schema.type].flat().includes('boolean') ? [true, false] : [])];
    for (const [index, value] of found.entries())
      if (!offered.has(JSON.stringify(value))) offered.set(JSON.stringify(value), { value, documentation: enumDescriptions?.[index] });
  }
  const closed = text[endOf(range)] === '"';
  const plain = [...offered].flatMap(([json, { value, documentation }], rank): Completion[] => {
    if (inString && typeof value !== 'string') return [];
    return [
      {
        label: String(value),
        kind: 'value',
        rank,
        range,
        insert: inString ? (closed ? json.slice(1, -1) : json.slice(1)) : json,
        documentation,
      },
    ];
  });
  if (inString) return plain;
  const snippets = schemas.flatMap(
    schema => (schema['defaultSnippets'] ?? []) as readonly { label?: string; description?: string; body: unknown }[],
  );
  return [
    ...plain,
    ...snippets.flatMap(({ label, description, body }, rank): Completion[] =>
      label === undefined
        ? []
        : [
            {
              label,
              kind: 'value',
              rank: 1_000 + rank,
              range,
              snippet: true,
              insert: typeof body === 'string' ? `"${body}"` : snippetOf(body),
              documentation: description,
            },
          ],
    ),
  ];
}

/** As VS Code writes the body of a snippet in a schema: JSON, in which what begins with `^` stands without quotes. */
const snippetOf = (body: unknown): string => JSON.stringify(body, null, 2).replaceAll(/"\^((?:[^"\\]|\\.)*)"/g, '$1');
