import { isObject } from '../../../protocol/json.ts';
import { readTaskState } from '../../../protocol/message/taskState.ts';
import type { Fields } from './passiveCheck.ts';

/** The status of a task in an event or a result, in either version's form; undefined where it has none. */
export function reportedStatus(result: unknown): Fields | undefined {
  if (!isObject(result)) return undefined;
  const holder = [result['statusUpdate'], result['task'], result].find(each => isObject(each) && isObject(each['status']));
  const status = isObject(holder) ? holder['status'] : undefined;
  return isObject(status) ? status : undefined;
}

/** The state of a task in an event or a result, as it is spelled there, a number by its name; undefined where it has none. */
export function reportedState(result: unknown): string | undefined {
  const state = reportedStatus(result)?.['state'];
  return typeof state === 'string' ? state : readTaskState(state);
}

/** A test for results about the task of the first one; a result without a task counts as well. */
export function ofOneTask(): (result: unknown) => boolean {
  let own: string | undefined;
  return result => {
    const id = reportedId(result, 'taskId');
    own ??= id;
    return id === undefined || id === own;
  };
}

/** The id of the task, or of its context, that an event, a notification or an answer is about, in either version's form; undefined where it names none. */
export function reportedId(result: unknown, name: 'taskId' | 'contextId'): string | undefined {
  if (!isObject(result)) return undefined;
  const { task, statusUpdate, artifactUpdate, message } = result;
  const inside = [task, statusUpdate, artifactUpdate, message].find(isObject) ?? result;
  const id = inside[name] ?? (name === 'taskId' && isObject(inside['status']) ? inside['id'] : undefined);
  return typeof id === 'string' && id !== '' ? id : undefined;
}
