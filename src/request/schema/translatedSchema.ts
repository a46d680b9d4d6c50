import type { JsonSchema } from './jsonSchema.ts';

/** Keywords whose text editors show; for lists, each item. */
const shown = new Set([
  'title',
  'description',
  'markdownDescription',
  'errorMessage',
  'patternErrorMessage',
  'deprecationMessage',
  'enumDescriptions',
  'markdownEnumDescriptions',
]);
/** Members of snippets that editors show; bodies are not translated. */
const shownOfSnippets = new Set(['label', 'description']);
/** Keywords with values, which are the same in every language. */
const values = new Set(['default', 'examples', 'const', 'enum', 'pattern', 'required']);

/** The schema with each text for people replaced by the result of `translate`. */
export function translatedSchema(schema: JsonSchema, translate: (text: string) => string): JsonSchema {
  return mapped(schema, translate) as JsonSchema;
}

function mapped(value: unknown, translate: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map(item => mapped(item, translate));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]: [string, unknown]) => {
      if (values.has(keyword)) return [keyword, inner];
      if (keyword === 'defaultSnippets') return [keyword, (inner as object[]).map(snippet => translatedSnippet(snippet, translate))];
      if (keyword === 'properties')
        return [
          keyword,
          Object.fromEntries(Object.entries(inner as object).map(([name, of]: [string, unknown]) => [name, mapped(of, translate)])),
        ];
      return [keyword, shown.has(keyword) ? worded(inner, translate) : mapped(inner, translate)];
    }),
  );
}

const translatedSnippet = (snippet: object, translate: (text: string) => string): object =>
  Object.fromEntries(
    Object.entries(snippet).map(([name, inner]: [string, unknown]) => [name, shownOfSnippets.has(name) ? worded(inner, translate) : inner]),
  );

function worded(value: unknown, translate: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map(item => worded(item, translate));
  return typeof value === 'string' && value !== '' ? translate(value) : value;
}

/** All texts of the schema for people, without duplicates. */
export function schemaTexts(schema: JsonSchema): ReadonlySet<string> {
  const texts = new Set<string>();
  translatedSchema(schema, text => {
    texts.add(text);
    return text;
  });
  return texts;
}
