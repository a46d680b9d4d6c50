import { isDraft, isDraftParts, isReference } from './draftValidation.ts';
import type { Entry, EntryUpdate } from '../../protocol/message/transcript.ts';
import type { AnswerEnvelope, ChatSnapshot, CutPart, EventEnvelope } from './messages.ts';
import type { ChatState, ExchangeFindings, FindingLine, Referral, ShownConnection, ShownVersion } from './chatState.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isString = (value: unknown): value is string => typeof value === 'string';
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
export const listOf = <T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] =>
  Array.isArray(value) && value.every(item => is(item));
export const isOptional = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);

/** Parses a message of the host; undefined where it is invalid. */
export function readEnvelope(data: unknown): AnswerEnvelope | EventEnvelope | undefined {
  if (!isObject(data)) return undefined;
  if (data['type'] === 'answer') return isAnswer(data) ? data : undefined;
  if (data['type'] !== 'event') return undefined;
  const { name, value } = data;
  if (name === 'updates') return listOf(value, isEntryUpdate) ? { type: 'event', name, value } : undefined;
  if (name === 'state') return isChatState(value) ? { type: 'event', name, value } : undefined;
  if (name === 'refer') return listOf(value, isReferral) ? { type: 'event', name, value } : undefined;
  if (name === 'attached') return isDraftParts(value) ? { type: 'event', name, value } : undefined;
  if (name === 'findings') return listOf(value, isExchangeFindings) ? { type: 'event', name, value } : undefined;
  if (name === 'showExchange')
    return isObject(value) && isString(value['exchangeId'])
      ? { type: 'event', name, value: { exchangeId: value['exchangeId'] } }
      : undefined;
  if (name === 'reveal')
    return isObject(value) && isCount(value['seq']) ? { type: 'event', name, value: { seq: value['seq'] } } : undefined;
  return undefined;
}

function isAnswer(data: Fields): data is Fields & AnswerEnvelope {
  if (!isCount(data['id'])) return false;
  if (!('error' in data)) return 'result' in data;
  const { error } = data;
  return isObject(error) && isString(error['message']) && isOptional(error['nextStep'], isString);
}

export const isPart = (value: unknown): boolean =>
  isObject(value) &&
  (isString(value['text']) || isString(value['raw']) || isString(value['url']) || 'data' in value) &&
  isOptional(value['mediaType'], isString) &&
  isOptional(value['filename'], isString);
const hasParts = (value: unknown): boolean => isObject(value) && Array.isArray(value['parts']) && value['parts'].every(isPart);
const isMessage = (value: unknown): boolean => isObject(value) && isString(value['role']) && hasParts(value);
const isSentence = (value: unknown): boolean => isObject(value) && isString(value['template']) && Array.isArray(value['args']);

const kinds: { readonly [Kind in Entry['kind']]: (entry: Fields) => boolean } = {
  message: entry => isMessage(entry['message']) && isOptional(entry['outcome'], isSentence),
  status: entry => isString(entry['state']) && isOptional(entry['message'], isMessage),
  artifact: ({ artifact, complete, chunks }) => hasParts(artifact) && typeof complete === 'boolean' && isCount(chunks),
  problem: entry => isSentence(entry['sentence']) && isOptional(entry['nextStep'], isSentence),
  gap: entry => isSentence(entry['reason']) && isOptional(entry['filled'], filled => filled === true),
};

const isCutPart = (value: unknown): value is CutPart => isObject(value) && isCount(value['part']) && isOptional(value['bytes'], isCount);

/** Validates an entry, as far as the panel uses it. */
export function isEntry(value: unknown): value is Entry {
  if (!isObject(value) || !isCount(value['seq']) || typeof value['at'] !== 'number') return false;
  if (!isOptional(value['taskId'], isString) || !isOptional(value['exchangeId'], isString)) return false;
  if (!isOptional(value['cut'], cut => listOf(cut, isCutPart)) || !isOptional(value['leftOut'], isCount)) return false;
  const kind = value['kind'];
  return isString(kind) && Object.hasOwn(kinds, kind) && kinds[kind as Entry['kind']](value);
}

export function isEntryUpdate(value: unknown): value is EntryUpdate {
  if (!isObject(value)) return false;
  if (value['type'] === 'put') return isEntry(value['entry']);
  return (
    value['type'] === 'append' &&
    isCount(value['seq']) &&
    isCount(value['chunks']) &&
    hasParts(value) &&
    isOptional(value['complete'], complete => typeof complete === 'boolean')
  );
}

const isReferral = (value: unknown): value is Referral =>
  isReference(value) && isOptional((value as Referral).refine, refine => refine === true);

const isShownVersion = (value: unknown): value is ShownVersion =>
  isObject(value) &&
  ['seq', 'history', 'version', 'of'].every(name => isCount(value[name])) &&
  ['taskId', 'artifactId', 'name'].every(name => isString(value[name])) &&
  isOptional(value['verdict'], isString) &&
  ['revision', 'earlier'].every(name => isOptional(value[name], isCount));

const isConnection = (value: unknown): value is ShownConnection =>
  isObject(value) &&
  isString(value['kind']) &&
  ['taskId', 'reason'].every(name => isOptional(value[name], isString)) &&
  ['silent', 'lasts', 'attempt', 'retryIn'].every(name => isOptional(value[name], each => typeof each === 'number'));

const isExtensions = (value: unknown): boolean =>
  isObject(value) && isCount(value['known']) && isCount(value['on']) && listOf(value['missing'], isString);

function isChatState(value: unknown): value is ChatState {
  return (
    isObject(value) &&
    isString(value['agent']) &&
    isString(value['title']) &&
    isString(value['reachability']) &&
    Array.isArray(value['tasks']) &&
    isCount(value['taskCount']) &&
    value['tasks'].every(task => isObject(task) && isString(task['taskId']) && isString(task['state'])) &&
    listOf(value['artifacts'], isShownVersion) &&
    listOf(value['connections'], isConnection) &&
    isOptional(
      value['problem'],
      problem => isObject(problem) && isString(problem['message']) && isOptional(problem['nextStep'], isString),
    ) &&
    typeof value['running'] === 'boolean' &&
    typeof value['stopping'] === 'boolean' &&
    isOptional(value['loading'], loading => loading === true) &&
    isOptional(value['signsIn'], signsIn => signsIn === true) &&
    listOf(value['examples'], isString) &&
    isOptional(value['outputModes'], modes => listOf(modes, isString)) &&
    typeof value['configured'] === 'boolean' &&
    isOptional(value['takesForm'], takes => typeof takes === 'boolean') &&
    isExtensions(value['extensions']) &&
    ['description', 'interface', 'contextId', 'waitingTaskId'].every(name => isOptional(value[name], isString))
  );
}

const isFindingLine = (value: unknown): value is FindingLine =>
  isObject(value) &&
  ['rule', 'title', 'pointer', 'message'].every(name => isString(value[name])) &&
  isOptional(value['section'], isString) &&
  isOptional(value['level'], isString) &&
  isCount(value['finding']) &&
  isCount(value['times']) &&
  isOptional(value['events'], events => listOf(events, isCount));

const isExchangeFindings = (value: unknown): value is ExchangeFindings =>
  isObject(value) && isString(value['exchangeId']) && typeof value['startedAt'] === 'number' && listOf(value['lines'], isFindingLine);

/** Validates the answer to `ready`, as far as the panel uses it. */
export function isChatSnapshot(value: unknown): value is ChatSnapshot {
  return (
    isObject(value) &&
    isString(value['context']) &&
    isChatState(value['state']) &&
    listOf(value['entries'], isEntry) &&
    typeof value['more'] === 'boolean' &&
    listOf(value['findings'], isExchangeFindings) &&
    listOf(value['references'], isReferral) &&
    isOptional(value['attached'], isDraftParts) &&
    isOptional(value['draft'], isDraft) &&
    isObject(value['strings']) &&
    Object.values(value['strings']).every(isString)
  );
}
