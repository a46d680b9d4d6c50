import { toExactNumber } from '../../protocol/exactNumber.ts';
import { writeExactly } from '../../protocol/json/exactJson.ts';
import type { FormField } from '../../schema/forms/inputForm.ts';
import { parseTypedJson } from '../text/jsonText.ts';
import { t } from '../text/strings.ts';
import type { FieldContent } from '../host/keptState.ts';

/** An error in a typed value, and values it may have parsed. */
export interface Fault {
  readonly fault: string;
  readonly readings?: readonly string[];
}

/** The value of a field; undefined where the field was left empty; a `Fault` where it is invalid. */
type FieldValue = { readonly value: unknown } | Fault | undefined;

/** Initial content of a field. */
export const initialContent = (field: FormField): FieldContent => written(field, field.value);

/** The field's content for a value; JSON where its control cannot show the value exactly. */
export function contentFor(field: FormField, value: unknown): FieldContent {
  const typed = written(field, value);
  const parsed = parseField({ ...field, value: undefined }, typed);
  return value === undefined || (parsed !== undefined && 'value' in parsed && isSame(parsed.value, value))
    ? typed
    : { json: writeExactly(value) };
}

export const isSame = (one: unknown, other: unknown): boolean => writeExactly(one, 0) === writeExactly(other, 0);

function written({ kind, options = [] }: FormField, value: unknown): FieldContent {
  if (kind === 'boolean') return value === true;
  if (value === undefined) return '';
  switch (kind) {
    case 'choice':
      return String(positions(options, [value])[0] ?? '');
    case 'choices':
      return positions(options, Array.isArray(value) ? value : []).join(',');
    case 'list':
      return Array.isArray(value) ? value.map(item => (typeof item === 'string' ? item : writeExactly(item))).join('\n') : '';
    case 'json':
    case 'fixed':
    case 'group':
    case 'variants':
      return writeExactly(value);
    case 'datetime':
      return typeof value === 'string' ? localTime(value) : '';
    default:
      return typeof value === 'string' ? value : writeExactly(value, 0);
  }
}

const positions = (options: NonNullable<FormField['options']>, values: readonly unknown[]): number[] =>
  values.map(value => options.findIndex(option => isSame(option.value, value))).filter(index => index >= 0);

/** Local time with seconds and without a zone, as `<input type="datetime-local">` needs it. */
function localTime(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Parses what was typed. An unchanged field has exactly its original value. */
export function parseField(field: FormField, typed: FieldContent): FieldValue {
  if (typeof typed === 'object') return parseTypedJson(typed.json);
  if (field.value !== undefined && typed === initialContent(field)) return { value: field.value };
  if (typeof typed === 'boolean') return { value: typed };
  if (typed.trim() === '') return undefined;
  switch (field.kind) {
    case 'number':
    case 'integer':
      return parseNumber(typed, field.kind === 'integer');
    case 'choice':
      return { value: field.options?.[Number(typed)]?.value };
    case 'choices':
      return { value: typed.split(',').map(index => field.options?.[Number(index)]?.value) };
    case 'list':
      return parseList(field, typed);
    case 'json':
    case 'fixed':
    case 'group':
    case 'variants':
      return parseTypedJson(typed);
    case 'datetime':
      return Number.isNaN(Date.parse(typed))
        ? { fault: t('This is not a date with a time.') }
        : { value: new Date(typed).toISOString().replace('.000Z', 'Z') };
    default:
      return { value: typed };
  }
}

function parseNumber(typed: string, whole: boolean): FieldValue {
  const read = readNumber(typed, whole);
  if ('digits' in read) return { value: toExactNumber(read.digits) };
  if (read.readings.length === 0) return { fault: t('This is not a decimal number.') };
  return {
    fault: read.readings.length === 1 ? t('Write the number without groups of digits.') : t('This can be read in two ways.'),
    readings: read.readings,
  };
}

function parseList({ items }: FormField, typed: string): FieldValue {
  const lines = typed
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  if (items === undefined) return { value: lines };
  const values: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    const parsed = parseNumber(line, items === 'integer');
    if (parsed === undefined || 'fault' in parsed) return { fault: t('Line {0}: {1}', index + 1, parsed?.fault ?? '') };
    values.push(parsed.value);
  }
  return { value: values };
}

/** The value to be sent, where it differs from what the field shows. */
export function valueToSend({ kind }: FormField, typed: FieldContent, parsed: FieldValue): string | undefined {
  if (typeof typed !== 'string' || parsed === undefined || 'fault' in parsed || !['number', 'integer', 'datetime'].includes(kind))
    return undefined;
  const text = typeof parsed.value === 'string' ? parsed.value : writeExactly(parsed.value, 0);
  return text === typed.trim() ? undefined : text;
}

/** A parsed number: its digits as in JSON, or possible readings where it is ambiguous; no readings where it is not a number. */
type NumberText = { readonly digits: string } | { readonly readings: readonly string[] };

/** Parses a decimal number. Depending on the language, a comma is the decimal or the thousands separator. */
function readNumber(typed: string, whole: boolean): NumberText {
  const text = typed.trim().replace(/^[−–]/, '-').replace(/^\+/, '');
  // In an integer field, a point before three digits may be a thousands separator.
  if (whole && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) return { readings: [plain(text.replace('.', '')), plain(text)] };
  if (/^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return { digits: strict(text) };
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(text)) return { readings: [plain(text.replace(',', '')), plain(text.replace(',', '.'))] };
  if (/^-?\d+,\d+$/.test(text)) return { digits: strict(text.replace(',', '.')) };
  const grouped = /^(-?\d{1,3}(?:([,.\s'’_])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text);
  if (grouped === null || grouped[2] === grouped[3]) return { readings: [] };
  const [, groups = '', , , fraction] = grouped;
  return { readings: [plain(groups.replace(/[^\d-]/g, '') + (fraction === undefined ? '' : `.${fraction}`))] };
}

/** JSON has no leading zeros, and always a digit before the point. */
const strict = (text: string): string => text.replace(/^(-?)0*(?=\d)/, '$1').replace(/^(-?)\./, '$10.');

/** The shortest notation, for a button. */
const plain = (text: string): string =>
  strict(text)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
