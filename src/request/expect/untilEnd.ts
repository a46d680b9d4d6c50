import { isObject } from '../../protocol/json.ts';
import { isActive, readTaskState } from '../../protocol/message/taskState.ts';
import { type Kind, kinds } from './kinds.ts';

/**
 * True if an expectation can hold while the agent works and no longer at its end. Expecting a state in which the agent works is meant for
 * the moment of that state.
 * @param wanted the value of `expect`, its templates filled in
 */
export function needsEnd(wanted: unknown): boolean {
  if (!isObject(wanted) || saysAtWork(wanted['state']) || (Array.isArray(wanted['states']) && saysAtWork(wanted['states'].at(-1))))
    return false;
  return (Object.keys(kinds) as Kind[]).some(kind => wanted[kind] !== undefined && kinds[kind].mayTurn(wanted[kind]));
}

const saysAtWork = (state: unknown): boolean =>
  (isObject(state) ? [state['equals'], state['in']] : [state]).flat().some(one => {
    const read = one === undefined ? undefined : readTaskState(one);
    return read !== undefined && isActive(read);
  });
