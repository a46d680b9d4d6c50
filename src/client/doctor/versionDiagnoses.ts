import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence } from '../../protocol/problem.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { Reply } from '../interfaces/probe.ts';
import { otherBindings, otherVersions } from './candidates.ts';
import { diagnosis, type Diagnosis } from './diagnosis.ts';
import type { DiagnosisRequests } from './diagnosisRequests.ts';
import type { DiagnosisContext } from './diagnosisTarget.ts';
import { useInterface } from './suggestedFixes.ts';

/** Diagnosis for an agent that uses another version than its card says. */
export function otherVersion({ pointer }: DiagnosisContext, entry: AgentInterface, found: AgentInterface): Diagnosis {
  const claimed = versionOf(entry.protocolVersion)?.protocolVersion ?? entry.protocolVersion;
  return diagnosis(
    'CARD-07',
    pointer('protocolVersion'),
    'error',
    sentence('The card says A2A {0} for {1}, but the agent uses {2}.', claimed, entry.url, found.protocolVersion),
    useInterface(found, entry),
  );
}

/** Diagnosis for an agent that accepts messages in a version with another method for them than the card's. */
export async function messagesOfOtherVersion(
  context: DiagnosisContext,
  entry: AgentInterface,
  supported: readonly string[],
  requests: DiagnosisRequests,
): Promise<Diagnosis | undefined> {
  for (const { protocolVersion, methods } of otherVersions(entry, context, supported)) {
    // The same method name has already been tried.
    if (methods.SendMessage === versionOf(entry.protocolVersion)?.methods.SendMessage) continue;
    const other = { ...entry, protocolVersion };
    if ((await requests.takesMessages(other)) === true) return otherVersion(context, entry, other);
  }
  return undefined;
}

/**
 * Diagnosis for an agent that accepts messages but cannot return tasks, with an interface that supports both, if there is one.
 * @param reply the reply to the request for a task
 */
export async function messagesOnly(
  context: DiagnosisContext,
  entry: AgentInterface,
  reply: Reply,
  requests: DiagnosisRequests,
): Promise<Diagnosis | undefined> {
  const isPath = reply.kind === 'nothing-there' && entry.protocolBinding !== 'JSONRPC';
  if (reply.kind !== 'other-version' && !isPath) return undefined;
  if ((await requests.takesMessages(entry)) !== true)
    return reply.kind === 'other-version' ? messagesOfOtherVersion(context, entry, reply.supported, requests) : undefined;
  const others = context.offered
    .map(offer => offer.interface)
    .filter(
      other =>
        other.url !== entry.url || other.protocolBinding !== entry.protocolBinding || other.protocolVersion !== entry.protocolVersion,
    );
  const remedy = await firstThatWorks([...others, ...otherBindings(entry)], requests);
  return diagnosis(
    'CARD-07',
    '',
    'warning',
    sentence(
      'The agent answers messages in A2A {0} at {1} but does not have {2}: its tasks cannot be read, subscribed to again, or checked after a lost connection.',
      versionOf(entry.protocolVersion)?.protocolVersion ?? entry.protocolVersion,
      entry.url,
      'GetTask',
    ),
    remedy === undefined ? undefined : useInterface(remedy, entry),
  );
}

async function firstThatWorks(candidates: readonly AgentInterface[], requests: DiagnosisRequests): Promise<AgentInterface | undefined> {
  for (const candidate of candidates) {
    const found = await requests.findWorking(candidate, () => []);
    if (found !== undefined) return found;
  }
  return undefined;
}
