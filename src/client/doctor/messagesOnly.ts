import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence } from '../../protocol/problem.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { otherBindings, otherVersions } from './candidates.ts';
import type { DiagnosisRequests } from './diagnosisRequests.ts';
import { diagnosis, type Diagnosis } from './diagnosis.ts';
import type { DiagnosisContext } from './diagnosisTarget.ts';
import { otherVersion } from './otherVersion.ts';
import type { Reply } from '../interfaces/probe.ts';
import { useInterface } from './suggestedFixes.ts';

/**
 * Diagnoses an agent that accepts messages but cannot return tasks. Says what works, and suggests an interface that supports both, if there
 * is one.
 */
export async function messagesOnly(
  context: DiagnosisContext,
  entry: AgentInterface,
  reply: Reply,
  asking: DiagnosisRequests,
): Promise<Diagnosis | undefined> {
  const isPath = reply.kind === 'nothing-there' && entry.protocolBinding !== 'JSONRPC';
  if (reply.kind !== 'other-version' && !isPath) return undefined;
  if ((await asking.takesMessages(entry)) !== true)
    return reply.kind === 'other-version' ? messagesOfAnother(context, entry, reply, asking) : undefined;
  const others = context.offered
    .map(offer => offer.interface)
    .filter(
      other =>
        other.url !== entry.url || other.protocolBinding !== entry.protocolBinding || other.protocolVersion !== entry.protocolVersion,
    );
  const remedy = await firstThatWorks([...others, ...otherBindings(entry)], asking);
  return diagnosis(
    'CARD-07',
    '',
    'warning',
    sentence(
      'The agent answers messages in A2A {0} at {1} and does not have {2}: its tasks cannot be looked up, listened to again or checked after a lost connection.',
      versionOf(entry.protocolVersion)?.protocolVersion ?? entry.protocolVersion,
      entry.url,
      'GetTask',
    ),
    remedy === undefined ? undefined : useInterface(remedy, entry),
  );
}

async function messagesOfAnother(
  context: DiagnosisContext,
  entry: AgentInterface,
  reply: Reply & { readonly kind: 'other-version' },
  asking: DiagnosisRequests,
): Promise<Diagnosis | undefined> {
  for (const { protocolVersion, methods } of otherVersions(entry, context, reply.supported)) {
    // The same method name has already been tried.
    if (methods.SendMessage === versionOf(entry.protocolVersion)?.methods.SendMessage) continue;
    const other = { ...entry, protocolVersion };
    if ((await asking.takesMessages(other)) === true) return otherVersion(context, entry, other);
  }
  return undefined;
}

async function firstThatWorks(candidates: readonly AgentInterface[], asking: DiagnosisRequests): Promise<AgentInterface | undefined> {
  for (const candidate of candidates) {
    const found = await asking.findWorking(candidate, () => []);
    if (found !== undefined) return found;
  }
  return undefined;
}
