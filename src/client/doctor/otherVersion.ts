import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import { sentence } from '../../protocol/problem.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import { diagnosis, type Diagnosis } from './diagnosis.ts';
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
