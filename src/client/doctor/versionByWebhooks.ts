import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { releases, versionOf } from '../../protocol/versions/index.ts';
import type { DiagnosisRequests } from './diagnosisRequests.ts';
import type { DiagnosisContext } from './diagnosisTarget.ts';
import { transportFor } from '../interfaces/transports.ts';

/**
 * Distinguishes versions with the same method name for GetTask by their method name for reading a webhook. Undefined where the claimed
 * version is kept: it is certain and not in doubt, the agent has its webhook method, or it has that of no other version.
 */
export async function versionByWebhooks(
  entry: AgentInterface,
  { detection, target }: DiagnosisContext,
  asking: DiagnosisRequests,
): Promise<AgentInterface | undefined> {
  const claimed = versionOf(entry.protocolVersion);
  const transport = transportFor(entry.protocolBinding);
  if (claimed === undefined || transport === undefined || (detection?.certainty === 'high' && target.versionRefused !== true))
    return undefined;
  const others = releases.filter(
    version =>
      version !== claimed &&
      transport.supports(version) &&
      version.methods.GetTask === claimed.methods.GetTask &&
      version.methods.GetTaskPushNotificationConfig !== claimed.methods.GetTaskPushNotificationConfig,
  );
  const names = new Set(others.map(({ methods }) => methods.GetTaskPushNotificationConfig));
  if (names.size === 0 || (await asking.knowsWebhooksOf(claimed, entry)) !== false) return undefined;
  for (const name of names) {
    const other = others.find(({ methods }) => methods.GetTaskPushNotificationConfig === name)!;
    if ((await asking.knowsWebhooksOf(other, entry)) === true) return { ...entry, protocolVersion: other.protocolVersion };
  }
  return undefined;
}
