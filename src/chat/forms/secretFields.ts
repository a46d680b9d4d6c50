import type { FormField } from '../../schema/forms/inputForm.ts';
import type { FormState } from '../host/keptState.ts';
import { fieldKey, variantKey } from './formState.ts';

/** Keys of the fields for which `matches` is true; not of those inside them. */
function keysOf(fields: readonly FormField[], matches: (field: FormField) => boolean, parent = ''): readonly string[] {
  return fields.flatMap(field => {
    const key = fieldKey(parent, field);
    if (matches(field)) return [key];
    return [
      ...keysOf(field.fields ?? [], matches, key),
      ...(field.variants?.flatMap(({ field: variant }, index) =>
        matches(variant) ? [variantKey(key, index)] : keysOf(variant.fields ?? [], matches, variantKey(key, index)),
      ) ?? []),
    ];
  });
}

/** Keys of the password fields: the JSON view does not show what they hold. */
export const passwordKeys = (fields: readonly FormField[]): readonly string[] => keysOf(fields, ({ kind }) => kind === 'password');

/** The state without what was typed into password fields. */
export function withoutPasswords(fields: readonly FormField[], state: FormState): FormState {
  const keys = new Set(passwordKeys(fields));
  return { ...state, typed: Object.fromEntries(Object.entries(state.typed).filter(([key]) => !keys.has(key))) };
}

/**
 * The state as it may be stored: without passwords and whatever else the schema marks as `writeOnly`, of any type, also in JSON that was
 * typed, complete or not.
 */
export function withoutSecrets(fields: readonly FormField[], { typed, json, words }: FormState): FormState {
  const keys = keysOf(fields, field => field.kind === 'password' || field.secret === true);
  const names = new Set(keys.map(nameOf));
  const isSecret = (key: string): boolean =>
    keys.some(secret => key === secret || /^[/?!]/.test(key.startsWith(secret) ? key.slice(secret.length) : ''));
  return {
    words,
    ...(json !== undefined && { json: withoutMembers(json, names) }),
    typed: Object.fromEntries(
      Object.entries(typed)
        .filter(([key]) => !isSecret(key))
        .map(([key, value]) => [key, typeof value === 'object' ? { json: withoutMembers(value.json, names) } : value]),
    ),
  };
}

/** The member that a key is for. */
const nameOf = (key: string): string =>
  key
    .slice(key.lastIndexOf('/') + 1)
    .replace(/\?\d+$/, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

const string = /"(?:[^"\\]|\\.)*"?/y;
const token = /[^\s,}\]"]+/y;

/** JSON text in which members of these names are empty texts, whatever they held. */
function withoutMembers(text: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text;
  let clean = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOf(string, text, at) : at + 1;
    clean += text.slice(at, end);
    const colon = end - at > 1 && isOneOf(names, text.slice(at, end)) ? /^\s*:\s*/.exec(text.slice(end))?.[0] : undefined;
    at = end;
    if (colon === undefined) continue;
    const value = end + colon.length;
    at = endOfValue(text, value);
    clean += at > value ? `${colon}""` : colon;
  }
  return clean;
}

function isOneOf(names: ReadonlySet<string>, literal: string): boolean {
  try {
    return names.has(JSON.parse(literal) as string);
  } catch {
    return false;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** End of the value that begins here: an object or a list with all inside it, to the end of the text where it is not closed. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') at = endOf(string, text, at);
    else if (character === '{' || character === '[') depth++, at++;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth--, at++;
    } else if (depth > 0) at++;
    else {
      const end = endOf(token, text, at);
      return end === at ? at : end;
    }
    if (depth === 0) return at;
  }
  return at;
}
