import { isNumber } from '../../protocol/exactNumber.ts';
import { resolved, type Schema, type SchemaRoot } from './formSchema.ts';
import { exampleOf } from './inputSchema.ts';
import type { FieldKind, FormField } from './inputForm.ts';
import { isObject } from '../../protocol/json.ts';
import { isSecret } from './secretPointers.ts';

/** Most options of one field, and the longest words of one. */
const maxOptions = 200;
const maxWords = 1_000;

type Shape = Pick<
  FormField,
  'kind' | 'options' | 'least' | 'most' | 'above' | 'below' | 'step' | 'pattern' | 'format' | 'items' | 'example'
>;

/** The kind of field for a schema; `json` if there is no control for it. */
export function shapeOf(schema: Schema, root: SchemaRoot): Shape {
  const options = optionsOf(schema);
  if (options !== undefined) return { kind: 'choice', options };
  const types = Array.isArray(schema['type']) ? schema['type'].filter(type => type !== 'null') : [schema['type']];
  switch (types.length === 1 ? types[0] : undefined) {
    case 'string':
      return {
        ...limits(schema, 'minLength', 'maxLength'),
        ...word('pattern', schema),
        ...word('format', schema, shownFormats),
        kind: textKind(schema),
      };
    case 'number':
    case 'integer':
      return { ...limits(schema, 'minimum', 'maximum'), ...exclusive(schema), kind: types[0] as 'number' | 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return listShape(schema, root);
    default:
      return { kind: 'json' };
  }
}

/** Formats that the form names; the others have controls of their own, or would not help. */
const shownFormats = ['email', 'uri', 'uuid', 'time', 'duration', 'ipv4', 'ipv6', 'hostname'];

function textKind(schema: Schema): FieldKind {
  const { format, maxLength } = schema;
  if (isSecret(schema)) return 'password';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'datetime';
  return format === 'textarea' || format === 'multiline' || format === 'markdown' || (typeof maxLength === 'number' && maxLength > 200)
    ? 'multiline'
    : 'text';
}

function listShape(schema: Schema, root: SchemaRoot): Shape {
  const { items } = schema;
  const item = isObject(items) ? resolved(items, root) : undefined;
  const counts = limits(schema, 'minItems', 'maxItems');
  const options = item === undefined ? undefined : optionsOf(item);
  if (options !== undefined) return { ...counts, kind: 'choices', options };
  const type = item?.['type'];
  if (type === 'string') return { ...counts, kind: 'list' };
  return type === 'number' || type === 'integer' ? { ...counts, kind: 'list', items: type } : { kind: 'json', ...exampleOfItems(item) };
}

function exampleOfItems(item: Schema | undefined): Pick<FormField, 'example'> {
  const example = item !== undefined && isObject(item['properties']) ? exampleOf(item) : {};
  return Object.keys(example).length === 0 ? {} : { example: JSON.stringify([example]).slice(0, maxWords) };
}

/** `enum`, or `oneOf`/`anyOf` of constants with titles. */
function optionsOf(schema: Schema): FormField['options'] {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  if (Array.isArray(values) && values.length > 0 && values.length <= maxOptions) {
    return values.map((value, index) => ({
      value,
      label: text(Array.isArray(enumNames) ? enumNames[index] : undefined) ?? labelOf(value),
    }));
  }
  const branches = [oneOf, anyOf].find(Array.isArray);
  if (
    branches === undefined ||
    branches.length === 0 ||
    branches.length > maxOptions ||
    !branches.every(branch => isObject(branch) && 'const' in branch)
  )
    return undefined;
  return branches.map(branch => ({ value: branch.const, label: text(branch.title) ?? labelOf(branch.const) }));
}

/** The same field with a control that shows its value as it is; JSON where its own cannot. */
export function showsAs(field: FormField): FormField {
  const { kind, value } = field;
  if (value === undefined) return field;
  switch (kind) {
    case 'text':
    case 'password':
    case 'multiline':
      if (typeof value !== 'string') break;
      return kind === 'text' && /[\r\n]/.test(value) ? { ...field, kind: 'multiline' } : field;
    case 'number':
    case 'integer':
      if (!isNumber(value)) break;
      return field;
    case 'boolean':
      if (typeof value !== 'boolean') break;
      return field;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
        ? field
        : showsAs({ ...field, kind: 'text' });
    case 'datetime':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
        ? field
        : showsAs({ ...field, kind: 'text' });
    case 'choice':
      return withOptions(field, [value]);
    case 'choices':
      if (!Array.isArray(value) || value.length > maxOptions || new Set(value.map(item => JSON.stringify(item))).size < value.length) break;
      return withOptions(field, value);
    case 'list':
      if (
        !Array.isArray(value) ||
        !value.every(item =>
          field.items === undefined
            ? typeof item === 'string' && item.trim() === item && item !== '' && !/[\r\n]/.test(item)
            : isNumber(item),
        )
      )
        break;
      return field;
    case 'json':
    case 'fixed':
    case 'group':
    case 'variants':
      return field;
  }
  return { ...field, kind: 'json' };
}

/** The field with an option for each of these values. */
function withOptions(field: FormField, values: readonly unknown[]): FormField {
  const options = field.options ?? [];
  const known = new Set(options.map(({ value }) => JSON.stringify(value)));
  const others = values.filter(value => !known.has(JSON.stringify(value))).map(value => ({ label: labelOf(value), value }));
  return others.length === 0 ? field : { ...field, options: [...options, ...others] };
}

const labelOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxWords);
const number = (value: unknown): number | undefined => (isNumber(value) && Number.isFinite(Number(value)) ? Number(value) : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, maxWords) : undefined);

function word<Name extends string>(name: Name, schema: Schema, among?: readonly string[]): { readonly [key in Name]?: string } {
  const said = text(schema[name]);
  return (said === undefined || among?.includes(said) === false ? {} : { [name]: said }) as { readonly [key in Name]?: string };
}

function limits(schema: Schema, low: string, high: string): Pick<FormField, 'least' | 'most'> {
  const least = number(schema[low]);
  const most = number(schema[high]);
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}

function exclusive(schema: Schema): Pick<FormField, 'above' | 'below' | 'step'> {
  const above = number(schema['exclusiveMinimum']);
  const below = number(schema['exclusiveMaximum']);
  const step = number(schema['multipleOf']);
  return { ...(above !== undefined && { above }), ...(below !== undefined && { below }), ...(step !== undefined && { step }) };
}
