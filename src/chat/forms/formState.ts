import { writeExactly } from '../../protocol/json/exactNumber.ts';
import type { FormField, InputForm } from '../../protocol/forms/inputForm.ts';
import { jsonMeant } from '../text/jsonText.ts';
import type { FormState, Typed } from '../host/typedForm.ts';
import { type Fault, isSame, meantBy, typedAs, typedOf } from './fieldValue.ts';

export const emptyState: FormState = { typed: {}, words: '' };

type Members = Readonly<Record<string, unknown>>;

/** The data that a form makes, what is wrong by the key of the field, and which field has the value at a pointer. */
export interface FormData {
  readonly data: Members;
  readonly faults: ReadonlyMap<string, Fault>;
  readonly places: ReadonlyMap<string, string>;
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Keys of the fields inside another: a variant has keys of its own, so that nothing is lost while one looks at another. */
export const keyOf = (parent: string, { name, kind }: Pick<FormField, 'name' | 'kind'>): string =>
  `${parent}/${kind === 'variants' && name === '' ? '?' : step(name)}`;
export const variantKey = (key: string, chosen: number): string => `${key}?${chosen}`;
/** Where what a group has besides its fields is kept, once it came from JSON. */
const restKey = (key: string): string => `${key}!`;

export const typedIn = (state: Pick<FormState, 'typed'>, key: string): Typed | undefined =>
  Object.hasOwn(state.typed, key) ? state.typed[key] : undefined;

/** Of a group: JSON said that it is there, or that it is not. */
const present = '{}';
const absent = '';

/** The variant that is chosen; undefined for none. */
export function chosenIn(state: Pick<FormState, 'typed'>, key: string, { chosen, variants = [] }: FormField): number | undefined {
  const typed = typedIn(state, key);
  const index = typeof typed === 'string' ? (typed === '' ? undefined : Number(typed)) : chosen;
  return index !== undefined && variants[index] !== undefined ? index : undefined;
}

/** What an object has besides its fields. */
export function restOf(state: Pick<FormState, 'typed'>, key: string, kept: Members = {}): Members {
  const typed = typedIn(state, restKey(key));
  const meant = typeof typed === 'object' ? jsonMeant(typed.json) : undefined;
  return meant !== undefined && 'value' in meant && isMembers(meant.value) ? meant.value : kept;
}

export function formData(form: Pick<InputForm, 'fields' | 'kept'>, state: Pick<FormState, 'typed'>): FormData {
  const reading = new Reading(state);
  const { members } = reading.object(form.fields, form.kept, '', '');
  return { data: members, faults: reading.faults, places: reading.places };
}

interface Read {
  readonly value: unknown;
  /** Somebody wrote it, or it came with the form: enough for an object around it to be sent. */
  readonly own: boolean;
}

class Reading {
  readonly faults = new Map<string, Fault>();
  readonly places = new Map<string, string>();
  readonly #state: Pick<FormState, 'typed'>;

  constructor(state: Pick<FormState, 'typed'>) {
    this.#state = state;
  }

  object(
    fields: readonly FormField[],
    kept: Members | undefined,
    key: string,
    pointer: string,
  ): { readonly members: Members; readonly own: boolean } {
    const rest = restOf(this.#state, key, kept);
    const members: [string, unknown][] = Object.entries(rest);
    let own = members.length > 0;
    for (const field of fields) {
      const at = keyOf(key, field);
      if (field.name === '') {
        const inner = this.#inline(field, at, pointer);
        members.push(...Object.entries(inner.members));
        own ||= inner.own;
        continue;
      }
      const read = this.field(field, at, `${pointer}/${step(field.name)}`);
      if (read === undefined) continue;
      members.push([field.name, read.value]);
      own ||= read.own;
    }
    return { members: Object.fromEntries(members), own };
  }

  field(field: FormField, key: string, pointer: string): Read | undefined {
    this.places.set(pointer, key);
    const typed = typedIn(this.#state, key);
    if (typeof typed !== 'object') {
      if (field.kind === 'group') return this.#group(field, key, pointer);
      if (field.kind === 'variants') return this.#variant(field, key, pointer);
    }
    // A constant is not typed; empty, it was left out as JSON.
    const meant = field.kind === 'fixed' && typed === undefined ? { value: field.value } : meantBy(field, typed ?? typedOf(field));
    if (meant === undefined) return undefined;
    if ('fault' in meant) {
      this.faults.set(key, meant);
      return { value: typeof typed === 'object' ? typed.json : typed, own: true };
    }
    return { value: meant.value, own: typed !== undefined || field.given === true };
  }

  #group(field: FormField, key: string, pointer: string): Read | undefined {
    const { members, own } = this.object(field.fields ?? [], field.kept, key, pointer);
    const typed = typedIn(this.#state, key);
    const sent = typed === present || ((field.required || field.given === true) && typed !== absent);
    return own || sent ? { value: members, own: own || field.given === true } : undefined;
  }

  #variant(field: FormField, key: string, pointer: string): Read | undefined {
    const chosen = chosenIn(this.#state, key, field);
    const variant = chosen === undefined ? undefined : field.variants?.[chosen]?.field;
    if (chosen === undefined || variant === undefined) return undefined;
    const read = this.field(variant, variantKey(key, chosen), pointer);
    return read === undefined ? undefined : { value: read.value, own: read.own || typedIn(this.#state, key) !== undefined };
  }

  #inline(field: FormField, key: string, pointer: string): { readonly members: Members; readonly own: boolean } {
    const chosen = chosenIn(this.#state, key, field) ?? 0;
    return this.object(field.variants?.[chosen]?.field.fields ?? [], undefined, variantKey(key, chosen), pointer);
  }
}

/** What stands in a form whose data is this; passwords stay as they are where the data has none. */
export function stateOf(form: Pick<InputForm, 'fields' | 'kept'>, data: Members, before: FormState): FormState {
  const typed: Record<string, Typed> = {};
  writeObject(form.fields, form.kept, data, '', typed, before);
  return { typed, words: before.words };
}

/** An object that is not there leaves nothing of what came with the form. */
function writeObject(
  fields: readonly FormField[],
  kept: Members | undefined,
  data: Members | undefined,
  key: string,
  typed: Record<string, Typed>,
  before: FormState,
): void {
  const rest = new Map(Object.entries(data ?? {}));
  for (const field of fields) {
    const at = keyOf(key, field);
    if (field.name === '') {
      const chosen = Math.max(0, bestVariant(field, data ?? {}));
      const inner = field.variants?.[chosen]?.field.fields ?? [];
      if (chosen !== (field.chosen ?? 0)) typed[at] = String(chosen);
      for (const member of inner) {
        writeField(member, rest.get(member.name), keyOf(variantKey(at, chosen), member), typed, before);
        rest.delete(member.name);
      }
      continue;
    }
    if (data !== undefined || field.given === true || field.kind === 'password') writeField(field, rest.get(field.name), at, typed, before);
    rest.delete(field.name);
  }
  const others = Object.fromEntries(rest);
  if (!isSame(others, kept ?? {})) typed[restKey(key)] = { json: writeExactly(others) };
}

function writeField(field: FormField, value: unknown, key: string, typed: Record<string, Typed>, before: FormState): void {
  const { kind } = field;
  if (kind === 'password' && value === undefined) {
    const kept = typedIn(before, key);
    if (kept !== undefined) typed[key] = kept;
  } else if (kind === 'group' && (value === undefined || isMembers(value))) {
    writeObject(field.fields ?? [], field.kept, value, key, typed, before);
    const byItself = field.required || field.given === true;
    if (value === undefined && byItself) typed[key] = absent;
    // Without this an object that only has its defaults would be left out.
    if (value !== undefined && !byItself) typed[key] = present;
  } else if (kind === 'variants' && value === undefined) {
    typed[key] = '';
  } else if (kind === 'variants' && bestVariant(field, value) >= 0) {
    const chosen = bestVariant(field, value);
    if (chosen !== field.chosen) typed[key] = String(chosen);
    writeField(field.variants![chosen]!.field, value, variantKey(key, chosen), typed, before);
  } else if (value === undefined) {
    // Left out, where the field by itself would send something.
    if (field.value !== undefined || kind === 'boolean') typed[key] = '';
  } else if (field.value === undefined || !isSame(field.value, value)) {
    typed[key] = kind === 'fixed' || kind === 'group' || kind === 'variants' ? { json: writeExactly(value) } : typedAs(field, value);
  }
}

/** The first variant whose controls show the value; -1 where none does. */
function bestVariant({ variants = [] }: FormField, value: unknown): number {
  const shows = ({ kind, ...field }: FormField): boolean => {
    if (kind === 'group')
      return (
        isMembers(value) &&
        (field.fields ?? []).every(member =>
          !(member.name in value) ? !member.required : member.kind !== 'fixed' || isSame(value[member.name], member.value),
        )
      );
    return kind === 'json' || kind === 'variants' || typeof typedAs({ ...field, kind }, value) !== 'object';
  };
  const found = variants.findIndex(({ field }) => shows(field));
  return found >= 0 || !isMembers(value) ? found : variants.findIndex(({ field }) => field.kind === 'group');
}

/** Data with the passwords that are typed, which its JSON does not show. */
export function withSecrets(form: Pick<InputForm, 'fields' | 'kept'>, data: Members, state: FormState): Members {
  return formData(form, { typed: { ...stateOf(form, data, state).typed } }).data;
}

/** The state without what is secret, also where that was written as JSON. */
export function withoutSecrets(fields: readonly FormField[], { typed, json, words }: FormState): FormState {
  const secret = secretKeys(fields);
  const names = secret.map(key =>
    JSON.stringify(
      key
        .slice(key.lastIndexOf('/') + 1)
        .replace(/\?\d+$/, '')
        .replaceAll('~1', '/')
        .replaceAll('~0', '~'),
    ).replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
  );
  // Whatever stands behind the name of a password, however far it is written.
  const values = new RegExp(`((?:${names.join('|')})\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]"]+)`, 'gs');
  const clean = (text: string): string => (names.length === 0 ? text : text.replaceAll(values, '$1""'));
  return {
    words,
    ...(json !== undefined && { json: clean(json) }),
    typed: Object.fromEntries(
      Object.entries(typed)
        .filter(([key]) => !secret.includes(key))
        .map(([key, value]) => [key, typeof value === 'object' ? { json: clean(value.json) } : value]),
    ),
  };
}

/** The keys of all password fields. */
export function secretKeys(fields: readonly FormField[], parent = ''): readonly string[] {
  return fields.flatMap(field => {
    const key = keyOf(parent, field);
    return field.kind === 'password'
      ? [key]
      : [
          ...secretKeys(field.fields ?? [], key),
          ...(field.variants?.flatMap(({ field: variant }, index) =>
            variant.kind === 'password' ? [variantKey(key, index)] : secretKeys(variant.fields ?? [], variantKey(key, index)),
          ) ?? []),
        ];
  });
}
