import { writeExactly } from '../../protocol/json/exactJson.ts';
import type { FormField, InputForm } from './inputForm.ts';
import { isObject } from '../../protocol/json.ts';
import { english, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { hiddenSecret } from '../../protocol/secrets/withoutSecrets.ts';

/** One line of what was sent for a form; without a value, nothing was sent for it. */
export interface AnswerLine {
  readonly title: string;
  readonly value?: string;
}

type Members = Readonly<Record<string, unknown>>;
type Tell = (sentence: LocalizedMessage) => string;

/** Most lines, and the longest value, in characters: an agent writes the form. */
const maxLines = 200;
const maxValue = 2_000;

/** The answer to a form, under the titles of its fields and in the words of its options; undefined data was not sent. No passwords. */
export function sentAnswer(form: InputForm, data: Members | undefined, tell: Tell = english): readonly AnswerLine[] {
  if (form.buttons === undefined) return linesOf(form.fields, data, '', tell).slice(0, maxLines);
  const pressed = form.buttons.find(button => writeExactly(button.data, 0) === writeExactly(data ?? null, 0));
  const label = pressed?.label ?? (data === undefined ? undefined : writeExactly(data, 0));
  return [line(form.title ?? tell(sentence('Answer')), label === undefined || typeof label === 'string' ? label : tell(label))];
}

function linesOf(fields: readonly FormField[], data: Members | undefined, around: string, tell: Tell): readonly AnswerLine[] {
  const known = new Set<string>();
  const lines = fields.flatMap((field): readonly AnswerLine[] => {
    const inner = field.name === '' ? data : data?.[field.name];
    const within =
      field.kind === 'group' ? field.fields : field.kind === 'variants' && isObject(inner) ? variantFields(field, inner) : undefined;
    if (field.name === '') {
      within?.forEach(({ name }) => known.add(name));
      return withoutOthers(within ?? [], data, around, tell);
    }
    known.add(field.name);
    const title = `${around}${field.title}`;
    if (within !== undefined && isObject(inner)) return linesOf(within, inner, `${title} › `, tell);
    return [line(title, inner === undefined ? undefined : shown(field, inner, tell))];
  });
  const others = Object.entries(data ?? {})
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => line(`${around}${name}`, written(value)));
  return [...lines, ...others];
}

const withoutOthers = (fields: readonly FormField[], data: Members | undefined, around: string, tell: Tell): readonly AnswerLine[] =>
  linesOf(
    fields,
    data && Object.fromEntries(fields.flatMap(({ name }) => (Object.hasOwn(data, name) ? [[name, data[name]]] : []))),
    around,
    tell,
  );

/** Fields of the variant that has most of the members. */
function variantFields({ variants = [] }: FormField, data: Members): readonly FormField[] {
  const had = (fields: readonly FormField[]): number =>
    fields.filter(({ name, kind, value }) => Object.hasOwn(data, name) && (kind !== 'fixed' || value === data[name])).length;
  return variants
    .map(({ field }) => field.fields ?? [])
    .reduce<readonly FormField[]>((best, fields) => (had(fields) > had(best) ? fields : best), []);
}

function shown({ kind, options = [] }: FormField, value: unknown, tell: Tell): string {
  const labelOf = (one: unknown): string =>
    options.find(option => writeExactly(option.value, 0) === writeExactly(one, 0))?.label ?? written(one);
  if (kind === 'password') return hiddenSecret;
  if (typeof value === 'boolean' && kind === 'boolean') return tell(value ? sentence('yes') : sentence('no'));
  if (Array.isArray(value) && (kind === 'choices' || kind === 'list')) return value.map(labelOf).join(', ');
  return kind === 'choice' ? labelOf(value) : written(value);
}

const written = (value: unknown): string => (typeof value === 'string' ? value : writeExactly(value, 0));

const line = (title: string, value: string | undefined): AnswerLine => ({
  title,
  ...(value !== undefined && { value: value.length > maxValue ? `${value.slice(0, maxValue)}…` : value }),
});
