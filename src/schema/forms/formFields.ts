import { isSecret, secretPointers } from './secretPointers.ts';
import { branchesOf, isObjectSchema, merged, resolved, type Schema, type SchemaRoot, without } from './formSchema.ts';
import { shapeOf, showsAs } from './formShape.ts';
import type { FormField } from './inputForm.ts';
import { isObject } from '../../protocol/json.ts';
import { schemaFaults } from './schemaFaults.ts';
import { strings } from './schemaLimits.ts';
import { valuesIn } from '../sameJson.ts';

/** Most fields of one form, most forms to choose from, and most objects in one another: an agent writes them. */
const maxFields = 400;
const maxVariants = 20;
const maxDepth = 6;
/** Most values that are held against the variants of one form, together; a small one counts as so many. */
const maxChecked = 50_000;
const minChecked = 1_000;
const maxWords = 1_000;

/** How many fields a form may have still; `left` counts the members that were left out for it. */
export class FieldBudget {
  readonly root: SchemaRoot;
  left = 0;
  #fields = maxFields;
  #checked = maxChecked;

  constructor(root: SchemaRoot) {
    this.root = root;
  }

  /** False where there may be no further field. */
  take(): boolean {
    if (this.#fields === 0) this.left++;
    else this.#fields--;
    return this.left === 0;
  }

  /** True if a value fits a part of the schema, whose references lead into the whole; false also where that would take too long. */
  fits(schema: Schema, value: unknown): boolean {
    this.#checked -= Math.max(minChecked, valuesIn(value, maxChecked));
    if (this.#checked < 0) return false;
    const { $defs, definitions } = this.root.schema;
    return schemaFaults({ ...schema, $defs, definitions }, value).length === 0;
  }
}

/** The fields of an object, those that are needed first, and what its values have besides. */
export function objectFields(
  schema: Schema,
  values: Schema,
  budget: FieldBudget,
  depth = 0,
): { readonly fields: readonly FormField[]; readonly kept: Schema } {
  const required = new Set(strings(schema['required']));
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).filter((entry): entry is [string, Schema] =>
    isObject(entry[1]),
  );
  const sorted = [...properties.filter(([name]) => required.has(name)), ...properties.filter(([name]) => !required.has(name))];
  const fields = sorted
    .filter(() => budget.take())
    .map(([name, wanted]) =>
      fieldOf(name, wanted, { required: required.has(name), given: Object.hasOwn(values, name), value: values[name] }, budget, depth),
    );
  const inline = ownVariants(schema, values, budget, depth);
  const shown = new Set([...fields, ...(inline?.variants?.[inline.chosen ?? 0]?.field.fields ?? [])].map(({ name }) => name));
  return {
    fields: inline === undefined ? fields : [...fields, inline],
    kept: Object.fromEntries(Object.entries(values).filter(([name]) => !shown.has(name))),
  };
}

interface Given {
  readonly required: boolean;
  /** The value came with the form. */
  readonly given: boolean;
  readonly value: unknown;
}

function fieldOf(name: string, wanted: Schema, { required, given, value: own }: Given, budget: FieldBudget, depth: number): FormField {
  const member = resolved(wanted, budget.root);
  const value = given ? own : member['default'];
  const facts: Omit<FormField, 'kind'> = {
    name,
    title: text(wanted['title'] ?? member['title']) ?? name,
    required,
    ...words('description', wanted['description'] ?? member['description']),
    ...(value !== undefined && (given || value !== null) && { value }),
    ...(given && { given }),
  };
  if ('const' in member && !given) return { ...facts, kind: 'fixed', value: member['const'] };
  const shape = shapeOf(member, budget.root);
  const field =
    shape.kind !== 'json'
      ? { ...facts, ...shape }
      : (group(facts, member, value, budget, depth) ?? variants(facts, member, budget, depth) ?? { ...facts, ...shape });
  const isWhole = field.fields === undefined && field.variants === undefined;
  const secret = isSecret(member) || (isWhole && secretPointers(member, budget.root).length > 0);
  return showsAs(secret && field.kind !== 'password' ? { ...field, secret: true } : field);
}

function group(facts: Omit<FormField, 'kind'>, schema: Schema, value: unknown, budget: FieldBudget, depth: number): FormField | undefined {
  if (
    depth >= maxDepth ||
    !(isObjectSchema(schema) && Object.keys(schema['properties'] as Schema).length > 0) ||
    !(value === undefined || isObject(value))
  )
    return undefined;
  const { value: _, ...others } = facts;
  return { ...others, kind: 'group', ...objectFields(schema, isObject(value) ? value : {}, budget, depth + 1) };
}

/** One of several forms, which the person chooses. */
function variants(facts: Omit<FormField, 'kind'>, schema: Schema, budget: FieldBudget, depth: number): FormField | undefined {
  const name = ['oneOf', 'anyOf'].find(keyword => branchesOf(schema[keyword]).length > 1);
  const branches = name === undefined ? [] : branchesOf(schema[name]);
  if (name === undefined || depth >= maxDepth || branches.length > maxVariants) return undefined;
  const { value } = facts;
  // What the schema says of the member itself stands above the chooser once.
  const around = ['title', 'description', 'default', name].reduce(without, schema);
  const made = branches.map((branch, index) => {
    const own = resolved(merged(resolved(branch, budget.root), around), budget.root);
    const fits = value !== undefined && budget.fits(own, value);
    const { title: __, description: ___, ...plain } = own;
    const field = fieldOf(facts.name, plain, { required: true, given: fits, value }, budget, depth + 1);
    return {
      label: labelOf(own, index),
      field: text(own['description']) === undefined ? field : { ...field, description: text(own['description'])! },
      fits,
    };
  });
  const chosen = value === undefined ? (facts.required ? 0 : undefined) : made.findIndex(({ fits }) => fits);
  // A value that none of them has is not lost: it stands there as JSON.
  if (chosen === -1) return undefined;
  return {
    ...facts,
    kind: 'variants',
    variants: made.map(({ label, field }) => ({ label, field })),
    ...(chosen !== undefined && { chosen }),
  };
}

/** The forms of which an object itself has one, beside its own members. */
function ownVariants(schema: Schema, values: Schema, budget: FieldBudget, depth: number): FormField | undefined {
  const name = ['oneOf', 'anyOf'].find(keyword => branchesOf(schema[keyword]).length > 1);
  const branches = name === undefined ? [] : branchesOf(schema[name]).map(branch => resolved(branch, budget.root));
  if (
    name === undefined ||
    depth >= maxDepth ||
    branches.length > maxVariants ||
    !branches.every(branch => isObjectSchema(branch) && Object.keys(branch['properties'] as Schema).length > 0)
  )
    return undefined;
  const outer = new Set(Object.keys(isObject(schema['properties']) ? schema['properties'] : {}));
  const fitting = branches.findIndex(branch => Object.keys(values).length > 0 && budget.fits(branch, values));
  return {
    name: '',
    title: '',
    required: true,
    kind: 'variants',
    chosen: Math.max(0, fitting),
    variants: branches.map((branch, index) => {
      const own = {
        ...branch,
        properties: Object.fromEntries(Object.entries(branch['properties'] as Schema).filter(([member]) => !outer.has(member))),
      };
      const { fields } = objectFields(own, values, budget, depth + 1);
      return { label: labelOf(branch, index), field: { name: '', title: '', required: true, kind: 'group', fields } };
    }),
  };
}

/** Label of a branch: its title, else the constant that distinguishes it from the others, else its type. */
function labelOf(schema: Schema, index: number): string {
  const constants = Object.values(isObject(schema['properties']) ? schema['properties'] : {}).map(member =>
    isObject(member) ? member['const'] : undefined,
  );
  return text(schema['title']) ?? text(constants.find(value => typeof value === 'string')) ?? text(schema['type']) ?? String(index + 1);
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, maxWords) : undefined);

function words<Name extends string>(name: Name, value: unknown): { readonly [key in Name]?: string } {
  const said = text(value);
  return (said === undefined ? {} : { [name]: said }) as { readonly [key in Name]?: string };
}
