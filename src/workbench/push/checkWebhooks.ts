import type { OpenWebhook } from '../../conformance/checkWebhook.ts';
import type { PushReceiver } from '../../model/notifications/pushReceiver.ts';
import { sentence } from '../../protocol/problem.ts';
import { externalAddress, mayForward } from './confirmations.ts';

/**
 * The receiver for a conformance check of an agent. For an agent on another machine the person is asked once whether VS Code may forward
 * the port, where it can; elsewhere the webhook keeps its loopback address, which the check treats as out of the agent's reach.
 */
export function checkWebhooks(receiver: PushReceiver, agentName: string): OpenWebhook {
  let allowed: Promise<boolean> | undefined;
  return async ({ isNear, protocolVersion, onNotification, onEnd }) => {
    if (!isNear && !(await (allowed ??= mayForward(agentName))))
      return sentence('The port of the push notification receiver was not forwarded, so the agent cannot reach it.');
    return receiver.lend({
      protocolVersion,
      onEnd,
      ...(!isNear && { origin: externalAddress }),
      onDelivery: ({ at, headers, body, status }) => onNotification({ at, headers, body, status }),
    });
  };
}
