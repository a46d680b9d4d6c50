import { isObject } from './json.ts';
import type { Part } from './part.ts';

type Schema = Readonly<Record<string, unknown>>;

/** How a member of the data is asked for; `json` for anything that only its JSON can say. */
export type FieldKind = 'text' | 'multiline' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices' | 'date' | 'datetime' | 'list' | 'json';

/** One member of the data that is asked for. All words are the agent's. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** What it has before anybody writes. */
  readonly value?: unknown;
  /** Of `choice` and `choices`. */
  readonly options?: readonly { readonly label: string; readonly value: unknown }[];
  /** Least and most: of numbers their value, of texts their characters, of lists their items. */
  readonly least?: number;
  readonly most?: number;
  /** The limits themselves are not allowed. */
  readonly above?: number;
  readonly below?: number;
  /** Items of a `list` are these; texts where it is absent. */
  readonly items?: 'number' | 'integer';
}

/** A form that asks for an object of data. */
export interface InputForm {
  readonly title?: string;
  readonly instructions?: string;
  readonly fields: readonly FormField[];
  /** Members that are sent along although there is no field for them. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/** A form in a message, with the index of the part that asks for it and the schema that answers have to fit. */
export interface AskedForm {
  readonly form: InputForm;
  readonly part: number;
  readonly schema: Schema;
}

/** Most fields of one form and options of one field: an agent writes them. */
const maxFields = 60;
const maxOptions = 200;
const maxWords = 1_000;

/** Members of a data part that hold the schema, where the data is not a schema itself; and those that hold what is filled in already. */
const schemaMembers = ['form', 'schema', 'inputSchema', 'requestedSchema'];
const valueMembers = ['form_data', 'formData', 'values', 'data'];

/**
 * The form that a message asks to fill in: its first data part that is a JSON Schema of an object, or that holds one the way agents
 * do (`{ type: 'form', form, form_data, instructions }`, `{ schema }`). A2A itself has no shape for it. Undefined where there is none.
 */
export function askedForm(parts: readonly Part[]): AskedForm | undefined {
  for (const [part, each] of parts.entries()) {
    if (!('data' in each) || !isObject(each.data)) continue;
    const { data } = each;
    const schema = [data, ...schemaMembers.map(name => data[name])].find(isObjectSchema);
    if (schema === undefined) continue;
    const values = schema === data ? undefined : valueMembers.map(name => data[name]).find(isObject);
    const form = formOf(schema, values);
    if (form === undefined) continue;
    return { form: { ...form, ...words('instructions', data['instructions']), ...(schema === data ? {} : words('title', data['title'])) }, part, schema };
  }
  return undefined;
}

const isObjectSchema = (value: unknown): value is Schema =>
  isObject(value) && isObject(value['properties']) && Object.values(value['properties']).every(isObject) && (value['type'] ?? 'object') === 'object';

/** The form for a JSON Schema of an object; undefined for any other schema, and for one that asks for nothing. */
export function formOf(schema: Schema, values: Schema = {}): InputForm | undefined {
  if (!isObjectSchema(schema)) return undefined;
  const properties = schema['properties'] as Readonly<Record<string, Schema>>;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).slice(0, maxFields).map(([name, wanted]): FormField => {
    const member = resolved(wanted, schema);
    const value = Object.hasOwn(values, name) ? values[name] : 'const' in member ? member['const'] : member['default'];
    return {
      name, ...words('description', wanted['description'] ?? member['description']), title: text(wanted['title'] ?? member['title']) ?? name,
      required: required.includes(name), ...(value === undefined || value === null ? {} : { value }), ...shapeOf(member, schema),
    };
  });
  if (fields.length === 0) return undefined;
  const shown = new Set(fields.map(({ name }) => name));
  return {
    ...words('title', schema['title']), ...words('instructions', schema['description']), fields,
    kept: Object.fromEntries(Object.entries(values).filter(([name]) => !shown.has(name))),
  };
}

/** The schema behind a local reference, a lone `allOf`, or an `anyOf` whose other branch is null. */
function resolved(schema: Schema, root: Schema, depth = 0): Schema {
  if (depth > 8) return {};
  const { $ref: reference, anyOf, oneOf, allOf } = schema;
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    const found = reference.slice(2).split('/').reduce<unknown>((at, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }, root);
    return isObject(found) ? resolved({ ...found, ...without(schema, '$ref') }, root, depth + 1) : {};
  }
  for (const [name, branches] of Object.entries({ anyOf, oneOf, allOf })) {
    if (!Array.isArray(branches)) continue;
    const some = branches.filter(branch => isObject(branch) && branch['type'] !== 'null');
    // A lone constant is a choice with one option.
    if (some.length === 1 && isObject(some[0]) && !('const' in some[0])) return resolved({ ...some[0], ...without(schema, name) }, root, depth + 1);
  }
  return schema;
}

const without = (schema: Schema, name: string): Schema => Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));

type Shape = Pick<FormField, 'kind' | 'options' | 'least' | 'most' | 'above' | 'below' | 'items'>;

function shapeOf(schema: Schema, root: Schema): Shape {
  const options = optionsOf(schema);
  if (options !== undefined) return { kind: 'choice', options };
  const types = Array.isArray(schema['type']) ? schema['type'].filter(type => type !== 'null') : [schema['type']];
  switch (types.length === 1 ? types[0] : undefined) {
    case 'string': return { ...limits(schema, 'minLength', 'maxLength'), kind: textKind(schema) };
    case 'number':
    case 'integer': return { ...limits(schema, 'minimum', 'maximum'), ...exclusive(schema), kind: types[0] as 'number' | 'integer' };
    case 'boolean': return { kind: 'boolean' };
    case 'array': return listShape(schema, root);
    default: return { kind: 'json' };
  }
}

function textKind(schema: Schema): FieldKind {
  const { format, maxLength } = schema;
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'datetime';
  return format === 'textarea' || format === 'multiline' || format === 'markdown' || (typeof maxLength === 'number' && maxLength > 200) ? 'multiline' : 'text';
}

function listShape(schema: Schema, root: Schema): Shape {
  const { items } = schema;
  const item = isObject(items) ? resolved(items, root) : undefined;
  const counts = limits(schema, 'minItems', 'maxItems');
  const options = item === undefined ? undefined : optionsOf(item);
  if (options !== undefined) return { ...counts, kind: 'choices', options };
  const type = item?.['type'];
  if (type === 'string') return { ...counts, kind: 'list' };
  return type === 'number' || type === 'integer' ? { ...counts, kind: 'list', items: type } : { kind: 'json' };
}

/** `enum`, or `oneOf`/`anyOf` of constants with titles. */
function optionsOf(schema: Schema): FormField['options'] {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  if (Array.isArray(values) && values.length > 0 && values.length <= maxOptions) {
    return values.map((value, index) => ({ value, label: text(Array.isArray(enumNames) ? enumNames[index] : undefined) ?? label(value) }));
  }
  const branches = [oneOf, anyOf].find(Array.isArray);
  if (branches === undefined || branches.length === 0 || branches.length > maxOptions || !branches.every(branch => isObject(branch) && 'const' in branch)) return undefined;
  return branches.map(branch => ({ value: branch.const, label: text(branch.title) ?? label(branch.const) }));
}

const label = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxWords);
const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, maxWords) : undefined);

function words<Name extends string>(name: Name, value: unknown): { readonly [key in Name]?: string } {
  const said = text(value);
  return (said === undefined ? {} : { [name]: said }) as { readonly [key in Name]?: string };
}

function limits(schema: Schema, low: string, high: string): Pick<FormField, 'least' | 'most'> {
  const least = number(schema[low]);
  const most = number(schema[high]);
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}

function exclusive(schema: Schema): Pick<FormField, 'above' | 'below'> {
  const above = number(schema['exclusiveMinimum']);
  const below = number(schema['exclusiveMaximum']);
  return { ...(above !== undefined && { above }), ...(below !== undefined && { below }) };
}
