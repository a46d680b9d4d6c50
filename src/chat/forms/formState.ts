import { writeExactly } from '../../protocol/json/exactJson.ts';
import type { FormField, InputForm } from '../../schema/forms/inputForm.ts';
import { parseTypedJson } from '../text/jsonText.ts';
import type { FormState, FieldContent } from '../host/keptState.ts';
import { type Fault, isSame, parseField, contentFor, initialContent } from './fieldValue.ts';

export const emptyState: FormState = { typed: {}, words: '' };

type Members = Readonly<Record<string, unknown>>;

/** The data of a form, its errors by field key, and the field for each pointer. */
interface FormData {
  readonly data: Members;
  readonly faults: ReadonlyMap<string, Fault>;
  readonly places: ReadonlyMap<string, string>;
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const step = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Key of a field inside another. Each variant has keys of its own, so that switching variants loses nothing. */
export const fieldKey = (parent: string, { name, kind }: Pick<FormField, 'name' | 'kind'>): string =>
  `${parent}/${kind === 'variants' && name === '' ? '?' : step(name)}`;
export const variantKey = (key: string, chosen: number): string => `${key}?${chosen}`;
/** Key for the members of an object that have no field, once it was edited as JSON. */
const restKey = (key: string): string => `${key}!`;

export const contentIn = (state: Pick<FormState, 'typed'>, key: string): FieldContent | undefined =>
  Object.hasOwn(state.typed, key) ? state.typed[key] : undefined;

/** Content of an object in `typed`, once edited as JSON: the JSON contained it (`present`) or did not (`absent`). */
const present = '{}';
const absent = '';

/** Index of the selected variant; undefined where none is selected. */
export function chosenIn(state: Pick<FormState, 'typed'>, key: string, { chosen, variants = [] }: FormField): number | undefined {
  const typed = contentIn(state, key);
  const index = typeof typed === 'string' ? (typed === '' ? undefined : Number(typed)) : chosen;
  return index !== undefined && variants[index] !== undefined ? index : undefined;
}

/** Members of an object that have no field. */
export function membersWithoutField(state: Pick<FormState, 'typed'>, key: string, kept: Members = {}): Members {
  const typed = contentIn(state, restKey(key));
  const parsed = typeof typed === 'object' ? parseTypedJson(typed.json) : undefined;
  return parsed !== undefined && 'value' in parsed && isMembers(parsed.value) ? parsed.value : kept;
}

export function formData(form: Pick<InputForm, 'fields' | 'kept'>, state: Pick<FormState, 'typed'>): FormData {
  const reading = new Reading(state);
  const { members } = reading.object(form.fields, form.kept, '', '');
  return { data: members, faults: reading.faults, places: reading.places };
}

interface Read {
  readonly value: unknown;
  /** Typed, or part of the original form: enough for the object around it to be sent. */
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
    const rest = membersWithoutField(this.#state, key, kept);
    const members: [string, unknown][] = Object.entries(rest);
    let own = members.length > 0;
    for (const field of fields) {
      const at = fieldKey(key, field);
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
    const typed = contentIn(this.#state, key);
    if (typeof typed !== 'object') {
      if (field.kind === 'group') return this.#group(field, key, pointer);
      if (field.kind === 'variants') return this.#variant(field, key, pointer);
    }
    // A constant is not typed; an empty string means that JSON left it out.
    const parsed =
      field.kind === 'fixed' && typed === undefined ? { value: field.value } : parseField(field, typed ?? initialContent(field));
    if (parsed === undefined) return undefined;
    if ('fault' in parsed) {
      this.faults.set(key, parsed);
      return { value: typeof typed === 'object' ? typed.json : typed, own: true };
    }
    return { value: parsed.value, own: typed !== undefined || field.given === true };
  }

  #group(field: FormField, key: string, pointer: string): Read | undefined {
    const { members, own } = this.object(field.fields ?? [], field.kept, key, pointer);
    const typed = contentIn(this.#state, key);
    const sent = typed === present || ((field.required || field.given === true) && typed !== absent);
    return own || sent ? { value: members, own: own || field.given === true } : undefined;
  }

  #variant(field: FormField, key: string, pointer: string): Read | undefined {
    const chosen = chosenIn(this.#state, key, field);
    const variant = chosen === undefined ? undefined : field.variants?.[chosen]?.field;
    if (chosen === undefined || variant === undefined) return undefined;
    const read = this.field(variant, variantKey(key, chosen), pointer);
    return read === undefined ? undefined : { value: read.value, own: read.own || contentIn(this.#state, key) !== undefined };
  }

  #inline(field: FormField, key: string, pointer: string): { readonly members: Members; readonly own: boolean } {
    const chosen = chosenIn(this.#state, key, field) ?? 0;
    return this.object(field.variants?.[chosen]?.field.fields ?? [], undefined, variantKey(key, chosen), pointer);
  }
}

/** The form state for given data; passwords missing from the data keep their values. */
export function stateOf(form: Pick<InputForm, 'fields' | 'kept'>, data: Members, before: FormState): FormState {
  const typed: Record<string, FieldContent> = {};
  writeObject(form.fields, form.kept, data, '', typed, before);
  return { typed, words: before.words };
}

/** An object that is missing in the data also loses the original values of its fields. */
function writeObject(
  fields: readonly FormField[],
  kept: Members | undefined,
  data: Members | undefined,
  key: string,
  typed: Record<string, FieldContent>,
  before: FormState,
): void {
  const rest = new Map(Object.entries(data ?? {}));
  for (const field of fields) {
    const at = fieldKey(key, field);
    if (field.name === '') {
      const chosen = Math.max(0, bestVariant(field, data ?? {}));
      const inner = field.variants?.[chosen]?.field.fields ?? [];
      if (chosen !== (field.chosen ?? 0)) typed[at] = String(chosen);
      for (const member of inner) {
        writeField(member, rest.get(member.name), fieldKey(variantKey(at, chosen), member), typed, before);
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

function writeField(field: FormField, value: unknown, key: string, typed: Record<string, FieldContent>, before: FormState): void {
  const { kind } = field;
  if (kind === 'password' && value === undefined) {
    const kept = contentIn(before, key);
    if (kept !== undefined) typed[key] = kept;
  } else if (kind === 'group' && (value === undefined || isMembers(value))) {
    writeObject(field.fields ?? [], field.kept, value, key, typed, before);
    const byItself = field.required || field.given === true;
    if (value === undefined && byItself) typed[key] = absent;
    // Otherwise an object that only has defaults would be left out.
    if (value !== undefined && !byItself) typed[key] = present;
  } else if (kind === 'variants' && value === undefined) {
    typed[key] = '';
  } else if (kind === 'variants' && bestVariant(field, value) >= 0) {
    const chosen = bestVariant(field, value);
    if (chosen !== field.chosen) typed[key] = String(chosen);
    writeField(field.variants![chosen]!.field, value, variantKey(key, chosen), typed, before);
  } else if (value === undefined) {
    // Marks it as left out, since the field would otherwise send its default.
    if (field.value !== undefined || kind === 'boolean') typed[key] = '';
  } else if (field.value === undefined || !isSame(field.value, value)) {
    typed[key] = kind === 'fixed' || kind === 'group' || kind === 'variants' ? { json: writeExactly(value) } : contentFor(field, value);
  }
}

/** Index of the first variant whose controls can show the value; -1 where none can. */
function bestVariant({ variants = [] }: FormField, value: unknown): number {
  const shows = ({ kind, ...field }: FormField): boolean => {
    if (kind === 'group')
      return (
        isMembers(value) &&
        (field.fields ?? []).every(member =>
          !(member.name in value) ? !member.required : member.kind !== 'fixed' || isSame(value[member.name], member.value),
        )
      );
    return kind === 'json' || kind === 'variants' || typeof contentFor({ ...field, kind }, value) !== 'object';
  };
  const found = variants.findIndex(({ field }) => shows(field));
  return found >= 0 || !isMembers(value) ? found : variants.findIndex(({ field }) => field.kind === 'group');
}

/** Adds the typed passwords, which its JSON does not show, to data. */
export function withSecrets(form: Pick<InputForm, 'fields' | 'kept'>, data: Members, state: FormState): Members {
  return formData(form, { typed: { ...stateOf(form, data, state).typed } }).data;
}
