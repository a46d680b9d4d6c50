import type { StreamingOperation } from '../../../protocol/message/operations.ts';
import { errorNames } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import { sentence } from '../../../protocol/problem.ts';
import { fromUser } from '../rule/fromUser.ts';
import { methodName } from '../rule/methodName.ts';
import { expectError, failed, hasReason, isAside, nothing, passed, said, whole } from '../rule/outcome.ts';
import type { ProbeAnswer, ProbePort, ProbeResult } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { expectRefusedStream, follow } from '../rule/streamed.ts';
import { unlessNoCard } from '../rule/unless.ts';

/**
 * True for an answer of HTTP or gRPC, and not of A2A, that there is no such path, method or service. The route of GetTask may be the one that
 * answers: it takes `:subscribe` for a part of the id.
 */
function isNoRoute({ binding, status, headers, error, json, operation }: ProbeAnswer): boolean {
  if (binding === 'GRPC') return headers.get('grpc-status') === '12' && !hasReason(error?.value);
  if (operation === 'SubscribeToTask' && error?.code === -32001) return String(error.value['message']).includes(':subscribe');
  if (error?.code !== undefined) return false;
  const isError = isObject(json) && (isObject(json['error']) || 'type' in json);
  return status === 405 || status === 501 || (status === 404 && !isError);
}

/** The verdict on a streaming method, called for an unknown task, of an agent whose card promises streaming. */
async function served(port: ProbePort, operation: StreamingOperation): Promise<ProbeResult> {
  const id = crypto.randomUUID();
  const stream =
    operation === 'SubscribeToTask'
      ? await port.stream(operation, { id })
      : await port.stream(operation, { message: fromUser({ taskId: id }) });
  const { exchange } = await follow(port, stream);
  const name = methodName(operation, { version: port.version, binding: port.interface.protocolBinding });
  const answer = stream.answer();
  const works = passed({ exchange }, sentence('The agent has the method {0}.', name));
  if (answer === undefined) return works;
  if (isAside(answer)) return nothing(answer);
  const hasNoRoute = isNoRoute(answer);
  // The address is wrong, which is another rule's.
  if (hasNoRoute && isNoRoute(await port.call('GetTask', { id }))) return nothing(answer);
  const code = answer.error?.code;
  if (hasNoRoute || code === -32601 || code === -32004)
    return failed(
      answer,
      sentence('The card promises streaming, but {0} was answered with {1}.', name, said(answer)),
      answer.error?.pointer,
    );
  const isKnown = code !== undefined && code !== -32603 && errorNames[code] !== undefined;
  return isKnown || expectError(answer, [-32001]).verdict === 'pass' ? works : nothing(answer);
}

export const rule: Rule = {
  id: 'STRM-01',
  level: 'MUST',
  title: 'Streaming methods work where the card promises streaming, and are refused elsewhere',
  remedy:
    'Implement SendStreamingMessage and SubscribeToTask, or do not declare streaming in the card and answer both with UnsupportedOperationError.',
  clause: '3.3.4 Capability Validation',
  clause0_3: '11.1.3 Optional Method Implementation',
  versions: ['1.0', '0.3'],
  kit: ['CORE-CAP-002'],
  probe: {
    unless: unlessNoCard,
    async run(port) {
      if (port.card.capabilities.streaming === true) {
        const sent = await served(port, 'SendStreamingMessage');
        // In 0.3 each method is optional, and message/stream is what the card promises.
        return port.version === '1.0' ? whole([sent, await served(port, 'SubscribeToTask')]) : sent;
      }
      // 0.3 has no error for it but that the method or the operation is not there.
      const codes = port.version === '1.0' ? [-32004] : [-32004, -32601];
      const id = crypto.randomUUID();
      const message = fromUser({ taskId: id });
      return whole([
        await expectRefusedStream(port, await port.stream('SubscribeToTask', { id }), codes, 'evenLacking'),
        await expectRefusedStream(port, await port.stream('SendStreamingMessage', { message }), codes, 'evenLacking'),
      ]);
    },
  },
};
