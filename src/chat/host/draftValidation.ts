import { type Draft, type DraftContent, type DraftPart, type SendingOptions, maxOutputModes, maxParts } from './draft.ts';
import type { Reference } from './chatState.ts';
import { maxReferences } from './messages.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const maybe = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

const isReference = (value: unknown): value is Reference =>
  isObject(value) && isString(value['taskId']) && maybe(value['artifactId'], isString);

const kinds: { readonly [Kind in DraftPart['kind']]: (part: Fields) => boolean } = {
  file: part => isString(part['name']) && isString(part['mediaType']) && isCount(part['size']) && maybe(part['refused'], isString),
  text: part => isString(part['text']) && maybe(part['name'], isString),
  data: part => isString(part['json']),
  link: part => isString(part['url']) && maybe(part['name'], isString),
};

function isDraftPart(value: unknown): value is DraftPart {
  if (!isObject(value) || !isString(value['id']) || !maybe(value['mediaType'], isString) || !maybe(value['metadata'], isObject))
    return false;
  const kind = value['kind'];
  return isString(kind) && Object.hasOwn(kinds, kind) && kinds[kind as DraftPart['kind']](value);
}

const isDraftParts = (value: unknown): value is readonly DraftPart[] =>
  Array.isArray(value) && value.length <= maxParts && value.every(isDraftPart);

function isContent(value: unknown): value is Fields & DraftContent {
  return (
    isObject(value) &&
    isString(value['text']) &&
    isCount(value['textAt']) &&
    isDraftParts(value['parts']) &&
    isString(value['metadata']) &&
    Array.isArray(value['references']) &&
    value['references'].length <= maxReferences &&
    value['references'].every(isReference)
  );
}

const isTarget = (value: unknown): boolean =>
  value === 'new-task' || value === 'new-context' || (isObject(value) && isString(value['taskId']));

function isSending(value: unknown): value is SendingOptions {
  if (!isObject(value)) return false;
  const { streaming, returnImmediately, historyLength, once } = value;
  return (
    maybe(streaming, it => it === false) &&
    maybe(historyLength, isCount) &&
    [returnImmediately, once].every(flag => maybe(flag, it => it === true))
  );
}

/** Validates a draft from the state of an earlier page. */
export function isDraft(value: unknown): value is Draft {
  const modes: unknown = isObject(value) ? value['outputModes'] : undefined;
  return (
    isContent(value) &&
    isCount((value as Fields)['version']) &&
    Array.isArray(modes) &&
    modes.length <= maxOutputModes &&
    modes.every(isString) &&
    maybe((value as Fields)['sending'], isSending) &&
    maybe((value as Fields)['target'], isTarget) &&
    maybe((value as Fields)['waiting'], isContent)
  );
}

export const emptyContent: DraftContent = { text: '', textAt: 0, parts: [], references: [], metadata: '' };
export const emptyDraft: Draft = { ...emptyContent, version: 0, outputModes: [] };
