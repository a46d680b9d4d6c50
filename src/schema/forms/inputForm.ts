import { approvalOf } from './approval.ts';
import { FieldBudget, objectFields } from './formFields.ts';
import { isObjectSchema, resolved, type Schema, SchemaRoot } from './formSchema.ts';
import { isObject } from '../../protocol/json.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';

/**
 * How a member of the data is asked for: `fixed` for a constant, `group` for an object with members of its own, `variants` for one of
 * several forms, `json` for anything that only its JSON can say.
 *
 * To add one: which schemas make it in `formShape.ts`, how it is read in `chat/forms/fieldValue.ts`, its control in
 * `chat/forms/formControls.tsx`.
 */
export type FieldKind =
  | 'text'
  | 'multiline'
  | 'password'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'date'
  | 'datetime'
  | 'list'
  | 'json'
  | 'fixed'
  | 'group'
  | 'variants';

/** One member of the data that is asked for. All words are the agent's. */
export interface FormField {
  /** Empty for `variants` whose members are those of the object around them. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** It, or something in it, is `writeOnly` or a password: what is typed is not stored. Of a `group` or `variants` only its own mark. */
  readonly secret?: true;
  /** The initial value. */
  readonly value?: unknown;
  /** The value is of the data that came with the form, not the schema's default. */
  readonly given?: true;
  /** Set for `choice` and `choices`. */
  readonly options?: readonly { readonly label: string; readonly value: unknown }[];
  /** Least and most: of numbers their value, of texts their characters, of lists their items. */
  readonly least?: number;
  readonly most?: number;
  /** The limits themselves are not allowed. */
  readonly above?: number;
  readonly below?: number;
  /** A number is a multiple of it. */
  readonly step?: number;
  /** A regular expression that a text matches, and the name of a format that it has. */
  readonly pattern?: string;
  /** Set for `json`: the smallest value that fits, as JSON. */
  readonly example?: string;
  readonly format?: string;
  /** Items of a `list` are these; texts where it is absent. */
  readonly items?: 'number' | 'integer';
  /** Set for a `group`: required fields first, then members of its data that the schema does not name. */
  readonly fields?: readonly FormField[];
  readonly kept?: Readonly<Record<string, unknown>>;
  /** Set for `variants`. */
  readonly variants?: readonly { readonly label: string; readonly field: FormField }[];
  /** The variant that the value has. */
  readonly chosen?: number;
}

/** An answer that one press sends. */
export interface FormButton {
  readonly label: string | LocalizedMessage;
  readonly description?: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Besides the data, in the part. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A form that asks for an object of data. */
export interface InputForm {
  readonly title?: string;
  readonly instructions?: string;
  /** Those that are needed come first. */
  readonly fields: readonly FormField[];
  /** Members that are sent along although there is no field for them. */
  readonly kept: Readonly<Record<string, unknown>>;
  /** Answers to choose from; there are no fields then. */
  readonly buttons?: readonly FormButton[];
  /** Members that are asked for and have no field, since there are too many. */
  readonly left?: number;
}

/** A form in a message, with the index of the part that asks for it and the schema that answers have to fit. */
export interface AskedForm {
  readonly form: InputForm;
  readonly part: number;
  readonly schema: Schema;
}

/** Longest words of a form that are shown. */
const maxWords = 1_000;
/** A lone choice of no more options than that is buttons. */
const maxButtons = 6;

/** Members of a data part that hold the schema, where the data is not a schema itself; and those that hold what is filled in already. */
const schemaMembers = ['form', 'schema', 'inputSchema', 'requestedSchema'];
const valueMembers = ['form_data', 'formData', 'values', 'data'];

/**
 * The form that a message asks to fill in: its first data part that is a JSON Schema of an object, or that holds one the way agents
 * do (`{ type: 'form', form, form_data, instructions }`, `{ schema }`), or that offers a set of answers. A2A itself has no shape for it.
 * Undefined where there is none.
 */
export function askedForm(parts: readonly Part[]): AskedForm | undefined {
  for (const [part, each] of parts.entries()) {
    if (!('data' in each) || !isObject(each.data)) continue;
    const { data } = each;
    const schema = [data, ...schemaMembers.map(name => data[name])].find(isFormSchema);
    const values = schema === data ? undefined : valueMembers.map(name => data[name]).find(isObject);
    const form = schema === undefined ? undefined : inputFormOf(schema, values);
    if (schema !== undefined && form !== undefined) {
      return {
        form: { ...form, ...words('instructions', data['instructions']), ...(schema === data ? {} : words('title', data['title'])) },
        part,
        schema,
      };
    }
    const approval = approvalOf(data, each.metadata);
    if (approval !== undefined) return { form: { fields: [], kept: {}, ...approval }, part, schema: {} };
  }
  return undefined;
}

/** Data with a member of such a name is a schema only where that is what JSON Schema wants there. */
function isFormSchema(value: unknown): value is Schema {
  if (!isObject(value)) return false;
  if ([value['$ref'], value['allOf'], value['oneOf'], value['anyOf'], value['properties']].every(member => member === undefined))
    return false;
  const root = new SchemaRoot(value);
  return isAskingForObject(resolved(value, root), root);
}

const isAskingForObject = (schema: Schema, root: SchemaRoot): boolean =>
  isObjectSchema(schema) ||
  (!('properties' in schema) &&
    [schema['oneOf'], schema['anyOf']].some(
      branches =>
        Array.isArray(branches) &&
        branches.length > 0 &&
        branches.every((branch: unknown) => isObject(branch) && isObjectSchema(resolved(branch, root))),
    ));

/** The form for a JSON Schema of an object; undefined for any other schema, for one that asks for nothing and for one that is too intricate. */
export function inputFormOf(schema: Schema, values: Schema = {}): InputForm | undefined {
  const root = new SchemaRoot(schema);
  const own = resolved(schema, root);
  if (!isAskingForObject(own, root)) return undefined;
  const budget = new FieldBudget(root);
  const { fields, kept } = objectFields(own, values, budget);
  if (fields.length === 0 || root.isExhausted) return undefined;
  const [only] = fields;
  const buttons =
    fields.length === 1 && only?.kind === 'choice' && only.required && only.value === undefined && (only.options?.length ?? 0) <= maxButtons
      ? only.options?.map(({ label, value }): FormButton => ({ label, data: { ...kept, [only.name]: value } }))
      : undefined;
  return {
    ...words('title', own['title'] ?? (buttons === undefined ? undefined : only?.title)),
    ...words('instructions', own['description'] ?? (buttons === undefined ? undefined : only?.description)),
    fields: buttons === undefined ? fields : [],
    kept: buttons === undefined ? kept : {},
    ...(buttons !== undefined && { buttons }),
    ...(budget.left > 0 && { left: budget.left }),
  };
}

function words<Name extends string>(name: Name, value: unknown): { readonly [key in Name]?: string } {
  return (typeof value === 'string' && value !== '' ? { [name]: value.slice(0, maxWords) } : {}) as { readonly [key in Name]?: string };
}
