import { changed, knows, otherwise, refusing, stateOf, type ProbeDecoy } from '../probeDecoy.ts';
import type { Step } from '../../../../src/mock/script.ts';
import type { StreamResponse } from '../../../../src/protocol/message/streamResponse.ts';
import { isTerminal, type TaskState } from '../../../../src/protocol/message/taskState.ts';
import { textOf } from '../../../../src/protocol/message/part.ts';
import { versionOf } from '../../../../src/protocol/versions/index.ts';

const isEnd = (step: Step): boolean =>
  'event' in step && 'statusUpdate' in step.event && isTerminal(step.event.statusUpdate.status.state as TaskState);
const idsIn = (step: Step): { taskId: string; contextId: string } => {
  if (!('event' in step) || !('statusUpdate' in step.event)) throw new Error('no status');
  const { taskId, contextId } = step.event.statusUpdate;
  return { taskId, contextId: contextId ?? '' };
};

/** The end of a task once more, with these words. */
function endWith(step: Step, text: string | undefined): Step {
  const { taskId, contextId } = idsIn(step);
  const message = { messageId: `${taskId}-${text}`, role: 'ROLE_AGENT' as const, parts: [{ text: text ?? '' }], taskId, contextId };
  return {
    event: {
      statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_COMPLETED', ...(text !== undefined && { message }) } },
    },
  };
}

/** The task at its end, with the artifact of the prompt "task". */
function endedWith(step: Step, text: string): Step {
  const { taskId: id, contextId } = idsIn(step);
  return {
    event: { task: { id, contextId, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'a', parts: [{ text }] }] } },
  };
}

const message: StreamResponse = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] } };

const notFound = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' };

/** Agents that break one rule of streams or of notifications. */
export const streamProbeDecoys: readonly ProbeDecoy[] = [
  {
    rule: 'STRM-01',
    breaks: 'looks for the task although it does not stream',
    kind: 'bare',
    versions: ['1.0'],
    script: refusing('SubscribeToTask', -32001, 'Task not found'),
  },
  {
    rule: 'STRM-01',
    breaks: 'streams although it does not say so',
    kind: 'bare',
    versions: ['0.3'],
    script: otherwise('SubscribeToTask', ({ params }) => [
      { event: { statusUpdate: { taskId: params.id, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
    ]),
  },
  {
    rule: 'STRM-01',
    breaks: 'streams answers although it does not say so',
    kind: 'bare',
    script: otherwise('SendStreamingMessage', () => [{ event: message }]),
  },
  {
    rule: 'STRM-01',
    breaks: 'does not have the streaming method, which its card promises',
    script: refusing('SendStreamingMessage', -32601),
  },
  // Not in 0.3 over gRPC, where the status of no error is defined.
  ...([{ versions: ['1.0'] }, { versions: ['0.3'], bindings: ['JSONRPC', 'HTTP+JSON'] }] as const).map(
    (where): ProbeDecoy => ({
      rule: 'STRM-01',
      breaks: 'does not support streaming, which its card promises',
      script: refusing('SendStreamingMessage', -32004),
      ...where,
    }),
  ),
  {
    rule: 'STRM-01',
    breaks: 'refuses subscriptions, which its card promises',
    versions: ['1.0'],
    script: refusing('SubscribeToTask', -32004),
    also: ['STRM-06'],
  },
  {
    rule: 'STRM-01',
    breaks: 'has no route for a stream, which its card promises',
    bindings: ['HTTP+JSON'],
    before: right => async (request, pass) =>
      request.url.endsWith('message:stream')
        ? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' }
        : right(request, pass),
  },
  {
    rule: 'STRM-01',
    breaks: 'takes a subscription for the request of a task',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    also: ['STRM-06'],
    before: right => async (request, pass) => {
      const [id] = /[^/]+:subscribe$/.exec(request.url) ?? [];
      if (id === undefined) return right(request, pass);
      if (request.method === 'POST') return { status: 405, headers: { allow: 'GET' }, body: '' };
      const error = { code: 404, status: 'NOT_FOUND', message: `Task not found: ${id}`, details: [notFound] };
      return { status: 404, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) };
    },
  },
  {
    rule: 'STRM-02',
    breaks: 'streams without the task',
    script: changed('SendStreamingMessage', step => ('event' in step && 'task' in step.event ? undefined : step)),
  },
  ...([{ event: message }, { stall: true }] as const).map(
    (more: Step): ProbeDecoy => ({
      rule: 'STRM-02',
      breaks: 'stall' in more ? 'leaves a stream open after its message' : 'streams two messages',
      versions: ['1.0'],
      script: changed('SendStreamingMessage', step =>
        'event' in step ? ('task' in step.event ? [{ event: message }, more] : undefined) : step,
      ),
    }),
  ),
  {
    rule: 'STRM-03',
    breaks: 'goes on after the end',
    script: changed('SendStreamingMessage', step =>
      isEnd(step)
        ? [
            step,
            { event: { artifactUpdate: { ...idsIn(step), artifact: { artifactId: 'b', parts: [{ text: 'late' }] }, lastChunk: true } } },
          ]
        : step,
    ),
  },
  {
    rule: 'STRM-03',
    breaks: 'leaves the stream open',
    script: changed('SendStreamingMessage', step => (isEnd(step) ? [step, { stall: true }] : step)),
  },
  {
    rule: 'STRM-11',
    breaks: 'ends its task twice',
    script: changed('SendStreamingMessage', step =>
      isEnd(step) && 'event' in step && 'statusUpdate' in step.event
        ? [step, { event: { statusUpdate: { ...step.event.statusUpdate, status: { state: 'TASK_STATE_FAILED' } } } }]
        : step,
    ),
  },
  {
    rule: 'STRM-11',
    breaks: 'ends its task twice, with other words',
    script: changed('SendStreamingMessage', step =>
      isEnd(step) ? [endWith(step, '42'), endWith(step, undefined), endWith(step, '42'), endWith(step, '43')] : step,
    ),
  },
  {
    rule: 'STRM-11',
    breaks: 'ends its task a second time, with another artifact',
    script: changed('SendStreamingMessage', step => (isEnd(step) ? [step, endedWith(step, 'three'), endedWith(step, 'one two')] : step)),
  },
  {
    rule: 'STRM-12',
    breaks: 'marks an update as the last one and goes on',
    script: changed('SendStreamingMessage', step =>
      'event' in step && 'statusUpdate' in step.event && step.event.statusUpdate.status.state === 'TASK_STATE_WORKING'
        ? [{ event: { statusUpdate: { ...idsIn(step), status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } }, step]
        : step,
    ),
  },
  {
    rule: 'STRM-12',
    breaks: 'ends its stream without a mark',
    bindings: ['JSONRPC', 'HTTP+JSON'],
    script: (right, { binding }) =>
      changed('SendStreamingMessage', (step, { body }) => {
        if (!isEnd(step) || !('event' in step)) return step;
        const version = versionOf('0.3')!;
        const written = JSON.stringify((binding === 'JSONRPC' ? version : version.protoForm!).writeStreamResponse(step.event));
        const result = written.replace('"final":true', '"final":false');
        const { id } = JSON.parse(body) as { readonly id?: unknown };
        return { raw: `data: ${binding === 'JSONRPC' ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` : result}\n\n` };
      })(right),
  },
  {
    rule: 'STRM-04',
    breaks: 'tells of the beginning after the work',
    script: changed('SendStreamingMessage', step =>
      'event' in step && 'statusUpdate' in step.event && step.event.statusUpdate.status.state === 'TASK_STATE_WORKING'
        ? [step, { event: { statusUpdate: { ...step.event.statusUpdate, status: { state: 'TASK_STATE_SUBMITTED' } } } }]
        : step,
    ),
  },
  {
    rule: 'STRM-04',
    breaks: 'appends to what it did not begin',
    script: changed('SendStreamingMessage', step =>
      'event' in step && 'artifactUpdate' in step.event && step.event.artifactUpdate.append !== true ? undefined : step,
    ),
  },
  {
    rule: 'STRM-04',
    breaks: 'loses a part of an artifact in its stream',
    script: changed('SendStreamingMessage', step =>
      'event' in step && 'artifactUpdate' in step.event && step.event.artifactUpdate.append === true
        ? { event: { artifactUpdate: { ...step.event.artifactUpdate, artifact: { artifactId: 'a', parts: [{ text: '' }] } } } }
        : step,
    ),
  },
  {
    rule: 'STRM-05',
    breaks: 'tells the end to all but one',
    script: right => {
      let count = 0;
      return otherwise('SubscribeToTask', async function* (request, does) {
        const isDeaf = (await knows(right, request, request.params.id)) && ++count % 3 === 2;
        for await (const step of does(request)) {
          yield step;
          if (isDeaf) return;
        }
      })(right);
    },
  },
  {
    rule: 'STRM-05',
    breaks: 'ends its subscriptions without the end',
    script: changed('SubscribeToTask', step => (isEnd(step) ? undefined : step)),
  },
  {
    rule: 'STRM-05',
    breaks: 'keeps artifacts from all but one',
    script: right => {
      let count = 0;
      return otherwise('SubscribeToTask', async function* (request, does) {
        const isDeaf = (await knows(right, request, request.params.id)) && ++count % 3 === 2;
        for await (const step of does(request)) if (!isDeaf || !('event' in step) || !('artifactUpdate' in step.event)) yield step;
      })(right);
    },
  },
  {
    rule: 'STRM-05',
    breaks: 'cancels when one who listens leaves',
    script: right => {
      const cancel = right.CancelTask as unknown as (request: object) => AsyncIterable<Step>;
      return otherwise('SubscribeToTask', async function* (request, does) {
        let isOver = false;
        try {
          for await (const step of does(request)) {
            isOver = isEnd(step);
            yield step;
          }
        } finally {
          if (!isOver) for await (const _ of cancel(request)) break;
        }
      })(right);
    },
  },
  {
    rule: 'DATA-06',
    breaks: 'has an event of another task in its stream',
    script: changed('SendStreamingMessage', step =>
      'event' in step && 'artifactUpdate' in step.event
        ? { event: { artifactUpdate: { ...step.event.artifactUpdate, taskId: 'another' } } }
        : step,
    ),
  },
  {
    rule: 'DATA-06',
    breaks: 'has an event of another context in its stream',
    script: changed('SendStreamingMessage', step =>
      'event' in step && 'artifactUpdate' in step.event
        ? { event: { artifactUpdate: { ...step.event.artifactUpdate, contextId: 'another' } } }
        : step,
    ),
  },
  {
    rule: 'STRM-06',
    breaks: 'subscribes to what is not there',
    script: right =>
      otherwise('SubscribeToTask', async function* (request, does) {
        const { id } = request.params;
        if (await knows(right, request, id)) return yield* does(request);
        yield {
          event: { task: { id, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T00:00:00.000Z' } } },
        };
      })(right),
  },
  {
    rule: 'STRM-06',
    breaks: 'begins a subscription with the task as it was sent',
    versions: ['1.0'],
    script: changed('SubscribeToTask', step =>
      'event' in step && 'task' in step.event && step.event.task.status.state === 'TASK_STATE_WORKING'
        ? { event: { task: { ...step.event.task, status: { ...step.event.task.status, state: 'TASK_STATE_SUBMITTED' } } } }
        : step,
    ),
  },
  {
    rule: 'STRM-07',
    breaks: 'has another id in its events',
    also: ['RPC-08'],
    script: (right, { version }) =>
      changed('SendStreamingMessage', step =>
        'event' in step
          ? {
              raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'another', result: versionOf(version)!.writeStreamResponse(step.event) })}\n\n`,
            }
          : step,
      )(right),
  },
  {
    rule: 'HTTP-06',
    breaks: 'has its events in envelopes',
    script: (right, { version }) => {
      const form = versionOf(version)!;
      return changed('SendStreamingMessage', (step, { params }) =>
        'event' in step && textOf(params.message.parts) === 'task'
          ? {
              raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: (form.protoForm ?? form).writeStreamResponse(step.event) })}\n\n`,
            }
          : step,
      )(right);
    },
  },
  {
    rule: 'HTTP-06',
    breaks: 'has the events of subscriptions in envelopes',
    script: (right, { version }) => {
      const form = versionOf(version)!;
      const enveloped = (operation: 'SendStreamingMessage' | 'SubscribeToTask') =>
        changed(operation, step =>
          'event' in step
            ? {
                raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: (form.protoForm ?? form).writeStreamResponse(step.event) })}\n\n`,
              }
            : step,
        )(right);
      return { ...enveloped('SendStreamingMessage'), ...enveloped('SubscribeToTask') };
    },
  },
  {
    rule: 'TASK-AUTH-02',
    breaks: 'ends the stream of a task that waits',
    verdict: 'disputed',
    script: changed('SendStreamingMessage', step => ('stall' in step ? undefined : step)),
  },
  {
    rule: 'TASK-AUTH-02',
    breaks: 'takes no message for a task that waits',
    script: right =>
      otherwise('SendMessage', async function* (request, does) {
        if ((await stateOf(right, request, request.params.message.taskId)) === 'TASK_STATE_AUTH_REQUIRED')
          return yield { error: { code: -32004, message: 'It waits' } };
        yield* does(request);
      })(right),
  },
];
