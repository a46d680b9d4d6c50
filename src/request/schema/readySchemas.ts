import type { JsonSchema } from './jsonSchema.ts';
import { defaultsSchema, matcherSchema, requestFileSchema, resultSchema } from './madeSchemas.ts';

/**
 * The schemas that windows need, by the name of the file in `dist/schemas`. They are read from there (`shippedSchemas.ts`) instead of being
 * made from the types, so that neither the making nor texts that are not shown are part of what every window compiles.
 *
 * To add one: a module with one function, its file here, its name in `madeSchemas.ts` (what tests read) and `shippedSchemas.ts` (what is
 * built reads).
 */
export const readySchemas = (): Readonly<Record<string, JsonSchema>> => ({
  'checked.json': checkedSchema(requestFileSchema()),
  'checked-defaults.json': checkedSchema(defaultsSchema()),
  'checked-matchers.json': checkedSchema(matcherSchema()),
  // Its descriptions are shown beside what completion offers.
  'results.json': resultSchema(),
});

/** Keywords for completion and hover. */
const shown = new Set([
  'title',
  'description',
  'markdownDescription',
  'defaultSnippets',
  'enumDescriptions',
  'enumSortTexts',
  'examples',
  'doNotSuggest',
  'suggestSortText',
]);
/** Keywords with schemas by name. */
const named = new Set(['properties', 'definitions']);
/** Keywords with values, which stay as they are. */
const values = new Set(['const', 'enum', 'required', 'problem']);

/** A schema without what only editors show: it checks the same. */
const checkedSchema = (schema: JsonSchema): JsonSchema => checked(schema) as JsonSchema;

function checked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(checked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword]) => !shown.has(keyword))
      .map(([keyword, inner]: [string, unknown]) => [keyword, ofKeyword(keyword, inner)]),
  );
}

function ofKeyword(keyword: string, value: unknown): unknown {
  if (values.has(keyword)) return value;
  if (!named.has(keyword)) return checked(value);
  return Object.fromEntries(Object.entries(value as object).map(([name, schema]: [string, unknown]) => [name, checked(schema)]));
}
