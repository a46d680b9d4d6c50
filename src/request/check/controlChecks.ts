import { isSend } from '../../protocol/message/operations.ts';
import { sentence } from '../../protocol/problem.ts';
import { isCleanup, isOnly } from '../file/control.ts';
import { readRetry } from '../file/controlKeys.ts';
import type { RequestFileContent } from '../file/requestFile.ts';
import { maxRows, writtenCount } from '../file/writtenRows.ts';
import { memberOf, valueOf } from '../text/jsonNode.ts';
import type { RequestOperation } from '../text/methods.ts';
import { errorAt, warningAt, type RequestProblem } from '../text/requestProblem.ts';

/** Keys that say when and whether requests are sent, where they cannot do that or are easily forgotten. */
export function* controlProblems(file: RequestFileContent): Iterable<RequestProblem> {
  const { requests, needs } = file;
  const others = requests.filter(entry => !isOnly(entry)).length;
  for (const entry of requests) {
    const { members, operation, method } = entry;
    const only = members.get('only');
    if (only !== undefined && isOnly(entry) && others > 0)
      yield warningAt(
        'only',
        only.nameRange,
        sentence('When all requests are sent ({0}), "only" leaves out the others in this file.', others),
      );
    for (const key of ['agent', 'interface'] as const) {
      const own = members.get(key);
      if (own !== undefined && memberOf(members.get('matrix')?.value, key) !== undefined)
        yield warningAt('not-used', own.nameRange, sentence('"{0}" under "matrix" overrides this one.', key));
    }
    const times = writtenCount(entry);
    const rows = members.get('each') ?? members.get('repeat') ?? members.get('matrix');
    if (rows !== undefined && times > maxRows)
      yield errorAt(
        'too-many-times',
        rows.nameRange,
        sentence('The request would be sent {0} times, more than the limit of {1}.', times, maxRows),
      );
    const waitFor = members.get('waitFor');
    if (waitFor !== undefined && method !== undefined && operation !== undefined && !isFollowed(operation))
      yield errorAt(
        'waits-for-nothing',
        waitFor.nameRange,
        sentence('{0} has one answer and no task to follow. Use "until" to send it again until the task is in a state.', operation),
      );
    const retry = members.get('retry');
    const plan = retry?.value === undefined ? undefined : readRetry(valueOf(retry.value));
    if (retry !== undefined && plan?.on !== undefined && !plan.unsafe && changesSomething(operation) && !plan.on.some(mayBeSafe))
      yield warningAt(
        'never-retried',
        retry.nameRange,
        sentence('After these errors a message may have arrived, so it is never sent again. "unsafe": true allows that.'),
      );
    if (!isCleanup(entry))
      for (const { entry: needed, range } of needs.get(entry) ?? [])
        if (isCleanup(needed))
          yield errorAt(
            'needs-cleanup',
            range,
            sentence('"{0}" is sent last because of "cleanup", so no other request can need it.', needed.name ?? ''),
          );
  }
}

const isFollowed = (operation: RequestOperation): boolean => isSend(operation) || operation === 'SubscribeToTask';

/** The agent may do something twice where the request is sent twice. */
const changesSomething = (operation: RequestOperation | undefined): boolean =>
  operation === undefined || isSend(operation) || operation === 'CreateTaskPushNotificationConfig';

/** After these errors a request may not have arrived. */
const mayBeSafe = (on: number | string): boolean =>
  on === 'connection' || on === 429 || on === '429' || on === 'unreachable' || on === 'tls';
