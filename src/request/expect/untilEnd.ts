import { isObject } from '../../protocol/json.ts';
import { isActive, readTaskState } from '../../protocol/message/taskState.ts';

/** Of a task these stay what they are. */
const settled: readonly string[] = ['task.id', 'task.contextId', 'context.id'];

/**
 * Whether what is expected can hold while the agent works and no longer does when it has come to its end: that something is not there, has a certain
 * number or length, or is no more than so much. Who expects a state in which the agent works means the moment at which it says so.
 * @param wanted the value of `expect`, its templates filled in
 */
export function needsEnd(wanted: unknown): boolean {
  if (!isObject(wanted) || saysAtWork(wanted['state']) || (Array.isArray(wanted['states']) && saysAtWork(wanted['states'].at(-1))))
    return false;
  const { artifacts, text, paths } = wanted;
  return (
    mayBeMore(artifacts) ||
    (isObject(text) && mayTurn(text, ['equals', 'in'])) ||
    (isObject(paths) && Object.entries(paths).some(([path, one]) => isObject(one) && !settled.includes(path) && mayTurn(one)))
  );
}

const saysAtWork = (state: unknown): boolean =>
  [state].flat().some(one => {
    const read = readTaskState(one);
    return read !== undefined && isActive(read);
  });

const mayBeMore = (artifacts: unknown): boolean =>
  typeof artifacts === 'number' ||
  (Array.isArray(artifacts) && (artifacts.length === 0 || artifacts.some(one => isObject(one) && one['count'] !== undefined)));

/** `also`: further matchers that a value may cease to fit. */
const mayTurn = (matcher: Readonly<Record<string, unknown>>, also: readonly string[] = []): boolean =>
  matcher['exists'] === false || ['not', 'max', 'length', ...also].some(name => Object.hasOwn(matcher, name));
