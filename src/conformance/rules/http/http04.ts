import { statusNames } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { noteErrorInfo } from '../rule/errorInfo.ts';
import { failed, hasReason, isRefused, judged, nothing } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

const names: ReadonlySet<string> = new Set(statusNames);

/** Operations whose path names a task, and nothing else that could be missing. */
const operationsOnTasks: ReadonlySet<string> = new Set(['GetTask', 'CancelTask', 'SubscribeToTask']);

export const rule: Rule = {
  id: 'HTTP-04',
  level: 'MUST',
  title: 'An error is an object with code, status, message and details, which include an ErrorInfo',
  remedy: 'Write errors as google.rpc.Status with an ErrorInfo in details, also those of the web framework itself.',
  clause: '11.6 Error Handling',
  versions: ['1.0'],
  bindings: ['HTTP+JSON'],
  kit: ['HTTP_JSON-ERR-001', 'HTTP_JSON-ERR-002'],
  disputed: 'Section 11.6 writes errors as google.rpc.Status; the examples in sections 6.4 and 6.5 write them as problem details.',
  passive: {
    answer({ operation, status, json, error, headers }, note) {
      // What a proxy or an authorization in front of the agent answers is not the agent's.
      if (error === undefined || status === 401 || status === 403 || status === 407 || status >= 502 || !isObject(json)) return;
      if (!isObject(json['error'])) {
        const isProblem = headers.get('content-type')?.includes('problem+json') === true || ('title' in json && 'type' in json);
        note(
          '',
          isProblem
            ? sentence('The error is written as problem details (RFC 9457), not as an object error.')
            : sentence('The error should be an object in the member error.'),
          isProblem ? { disputed: true } : undefined,
        );
        return;
      }
      const { code, status: name, message, details } = json['error'];
      // Of an error with a status of success HTTP-05 tells.
      if (code !== status && status >= 400) note('/error/code', sentence('{0} should be {1}, not {2}.', 'code', status, quoted(code)));
      if (typeof name !== 'string') note('/error/status', sentence('{0} is missing.', 'status'));
      else if (!names.has(name))
        note(
          '/error/status',
          sentence('{0} should be a name of google.rpc.Code such as {1}, not {2}.', 'status', 'NOT_FOUND', quoted(name)),
        );
      if (typeof message !== 'string') note('/error/message', sentence('{0} is missing.', 'message'));
      if (details !== undefined && !Array.isArray(details)) {
        note('/error/details', sentence('{0} should be a list, not {1}.', 'details', quoted(details)));
        return;
      }
      // Errors of the specification have an ErrorInfo; this is the one that a status alone tells: the task is not there.
      const wanted = status === 404 && operationsOnTasks.has(operation) ? -32_001 : undefined;
      if (!noteErrorInfo(details, '/error/details', note, wanted) && wanted !== undefined)
        note('/error/details', sentence('The error has no ErrorInfo among its details.'));
    },
  },
  probe: {
    async run(port) {
      const id = crypto.randomUUID();
      const answer = await port.call('GetTask', { id });
      if (!isRefused(answer)) return nothing(answer);
      const verdict = judged('HTTP-04', answer.exchange);
      if (verdict.verdict !== 'pass' || answer.status !== 404) return verdict;
      // An agent that says 404 of an unknown task says 400 of these since it does not support them.
      const { extendedAgentCard, pushNotifications } = port.card.capabilities;
      const others = [
        await port.call('GetTask', { id }, { headers: { 'A2A-Version': '99.0' } }),
        ...(extendedAgentCard === true ? [] : [await port.extendedCard()]),
        ...(pushNotifications === true ? [] : [await port.call('ListTaskPushNotificationConfigs', { taskId: id })]),
      ];
      const bare = others.find(({ status, error }) => status === 400 && !hasReason(error?.value));
      return bare === undefined ? verdict : failed(bare, sentence('The error has no ErrorInfo among its details.'), bare.error?.pointer);
    },
  },
};
