import { isObject } from '../../json.ts';

/** The state of a task in an event or a result, as it is spelled there; undefined where it tells none. */
export function toldState(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const holder = [result['statusUpdate'], result['task'], result].find(each => isObject(each) && isObject(each['status']));
  const status = isObject(holder) ? holder['status'] : undefined;
  const state = isObject(status) ? status['state'] : undefined;
  return typeof state === 'string' ? state : undefined;
}
