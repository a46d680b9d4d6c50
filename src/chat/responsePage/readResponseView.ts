import type { FailedExpectation, ResponseView, SentPart, ShownAnswer, ShownContent, ShownExpectations } from '../host/responseMessages.ts';
import { isCount, isObject, isOptional, isPart, isString, listOf } from '../host/envelope.ts';

/** Validates a message of the host; undefined where it is not a `ResponseView`. */
export function readResponseView(data: unknown): ResponseView | undefined {
  const isView =
    isObject(data) &&
    isCount(data['response']) &&
    isString(data['title']) &&
    typeof data['running'] === 'boolean' &&
    listOf(data['answers'], isAnswer) &&
    isCount(data['leftOut']) &&
    isOptional(data['strings'], strings => isObject(strings) && Object.values(strings).every(isString));
  return isView ? (data as unknown as ResponseView) : undefined;
}

const isAnswer = (value: unknown): value is ShownAnswer =>
  isObject(value) &&
  isOptional(value['row'], isString) &&
  isOptional(value['state'], isString) &&
  isOptional(value['problem'], problem => isObject(problem) && isString(problem['message']) && isOptional(problem['nextStep'], isString)) &&
  isOptional(value['expectations'], isExpectations) &&
  listOf(value['contents'], isContent);

const isExpectations = (value: unknown): value is ShownExpectations =>
  isObject(value) && isCount(value['count']) && listOf(value['failed'], isFailed) && isCount(value['leftOut']);

const isFailed = (value: unknown): value is FailedExpectation =>
  isObject(value) && isString(value['message']) && isOptional(value['expected'], isString) && isOptional(value['actual'], isString);

const isContent = (value: unknown): value is ShownContent =>
  isObject(value) &&
  (value['kind'] === 'message' || value['kind'] === 'artifact') &&
  isOptional(value['name'], isString) &&
  isOptional(value['description'], isString) &&
  listOf(value['parts'], isSentPart) &&
  isCount(value['leftOut']);

function isSentPart(value: unknown): value is SentPart {
  if (!isObject(value)) return false;
  if (value['is'] === 'part') return isPart(value['part']) && isOptional(value['cut'], cut => cut === true);
  if (value['is'] === 'same') return true;
  return (
    value['is'] === 'large' &&
    isOptional(value['bytes'], isCount) &&
    isOptional(value['filename'], isString) &&
    isOptional(value['mediaType'], isString)
  );
}
