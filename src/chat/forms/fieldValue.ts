import type { FormField, InputForm } from '../../protocol/inputForm.ts';
import { t } from '../strings.ts';

/** What stands in a field: what was typed; ticked or not; positions of chosen options with commas between. */
export type Typed = string | boolean;
export type TypedForm = Readonly<Record<string, Typed>>;

/** What a field means: a value, nothing (it was left empty), or what is wrong with it. */
export type Meant = { readonly value: unknown } | { readonly fault: string } | undefined;

/** What stands in a field before anybody types. */
export function typedOf(field: FormField): Typed {
  const { kind, value, options = [] } = field;
  if (kind === 'boolean') return value === true;
  if (value === undefined) return '';
  switch (kind) {
    case 'choice': return String(positions(options, [value])[0] ?? '');
    case 'choices': return positions(options, Array.isArray(value) ? value : []).join(',');
    case 'list': return Array.isArray(value) ? value.map(item => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n') : '';
    case 'json': return JSON.stringify(value, null, 2);
    case 'date': return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : '';
    case 'datetime': return typeof value === 'string' ? localTime(value) : '';
    default: return typeof value === 'object' ? '' : String(value);
  }
}

const positions = (options: NonNullable<FormField['options']>, values: readonly unknown[]): number[] =>
  values.map(value => options.findIndex(option => JSON.stringify(option.value) === JSON.stringify(value))).filter(index => index >= 0);

/** Local time as the field for it wants it, without a zone. */
function localTime(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Reads what was typed into a field. */
export function meantBy(field: FormField, typed: Typed): Meant {
  if (typeof typed === 'boolean') return { value: typed };
  if (typed.trim() === '') return field.required ? { fault: t('This is needed.') } : undefined;
  switch (field.kind) {
    case 'number':
    case 'integer': return numberMeant(field, typed);
    case 'choice': return { value: field.options?.[Number(typed)]?.value };
    case 'choices': return counted(field, typed.split(',').map(index => field.options?.[Number(index)]?.value));
    case 'list': return listMeant(field, typed);
    case 'json': return jsonMeant(typed);
    case 'datetime': return Number.isNaN(Date.parse(typed)) ? { fault: t('This is no date with a time.') } : { value: new Date(typed).toISOString() };
    default: return sized(field, typed, [...typed].length);
  }
}

function sized({ least = 0, most = Infinity }: FormField, value: string, size: number): Meant {
  if (size < least) return { fault: t('At least {0} characters, not {1}.', least, size) };
  return size > most ? { fault: t('At most {0} characters, not {1}.', most, size) } : { value };
}

function numberMeant({ kind, least, most, above, below }: FormField, typed: string): Meant {
  const value = asNumber(typed);
  if (value === undefined) return { fault: t('This is no number.') };
  if (kind === 'integer' && !Number.isInteger(value)) return { fault: t('A whole number is needed.') };
  if (least !== undefined && value < least) return { fault: t('At least {0}.', least) };
  if (most !== undefined && value > most) return { fault: t('At most {0}.', most) };
  if (above !== undefined && value <= above) return { fault: t('More than {0}.', above) };
  return below !== undefined && value >= below ? { fault: t('Less than {0}.', below) } : { value };
}

/** A comma stands for the point in many languages. */
function asNumber(typed: string): number | undefined {
  const value = Number(typed.trim().replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

function listMeant(field: FormField, typed: string): Meant {
  const lines = typed.split('\n').map(line => line.trim()).filter(line => line !== '');
  if (field.items === undefined) return counted(field, lines);
  const numbers = lines.map(asNumber);
  const wrong = numbers.findIndex(value => value === undefined || (field.items === 'integer' && !Number.isInteger(value)));
  if (wrong >= 0) return { fault: field.items === 'integer' ? t('Line {0} is no whole number.', wrong + 1) : t('Line {0} is no number.', wrong + 1) };
  return counted(field, numbers);
}

function counted({ least = 0, most = Infinity }: FormField, value: readonly unknown[]): Meant {
  if (value.length < least) return { fault: t('At least {0} items, not {1}.', least, value.length) };
  return value.length > most ? { fault: t('At most {0} items, not {1}.', most, value.length) } : { value };
}

/** Reads JSON that somebody types; the words of the fault are the browser's. */
export function jsonMeant(typed: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(typed) as unknown };
  } catch (error) {
    return { fault: t('This is no JSON: {0}', error instanceof Error ? error.message : String(error)) };
  }
}

/** What stands in all fields of a form nobody has typed into. */
export const typedForm = ({ fields }: InputForm): TypedForm => Object.fromEntries(fields.map(field => [field.name, typedOf(field)]));

/** The data that a form makes, and what is wrong by the name of the field. */
export function meantByForm(form: InputForm, typed: TypedForm): { readonly data: Readonly<Record<string, unknown>>; readonly faults: ReadonlyMap<string, string> } {
  const members: [string, unknown][] = Object.entries(form.kept);
  const faults = new Map<string, string>();
  for (const field of form.fields) {
    const meant = meantBy(field, (Object.hasOwn(typed, field.name) ? typed[field.name] : undefined) ?? typedOf(field));
    if (meant === undefined) continue;
    if ('fault' in meant) faults.set(field.name, meant.fault);
    else members.push([field.name, meant.value]);
  }
  return { data: Object.fromEntries(members), faults };
}
