import { isObject } from '../json.ts';
import type { AgentCard } from '../agentCard.ts';
import type { Note } from '../finding.ts';
import type { UnaryOperation, UnaryResults } from '../operations.ts';
import { Problem, sentence } from '../problem.ts';
import type { StreamResponse } from '../streamResponse.ts';
import { v0_3 } from './v0_3.ts';
import { v1_0 } from './v1_0.ts';
import type { Version } from './version.ts';

/** Every generation the workbench speaks, newest first. Adding one is adding a row. */
export const versions: readonly Version[] = [v1_0, v0_3];

/** The generation of a Major.Minor or Major.Minor.Patch string (patch numbers do not matter, A2A 1.0 §3.6). */
export function versionOf(protocolVersion: string): Version | undefined {
  const [major, minor] = protocolVersion.split('.');
  return versions.find(version => version.protocolVersion === `${major}.${minor ?? '0'}`);
}

/** Which generation an answer really is of: what it shows of itself, else what was spoken. */
function detect(value: unknown, spoken: Version, note: Note): Version {
  if (!isObject(value) || spoken.recognises(value)) return spoken;
  const found = versions.find(version => version !== spoken && version.recognises(value));
  if (found === undefined) return spoken;
  note('VER-04', '', `The answer has the shape of A2A ${found.protocolVersion}, but ${spoken.protocolVersion} was spoken.`);
  return found;
}

export function readResult<O extends UnaryOperation>(operation: O, result: unknown, spoken: Version, note: Note): UnaryResults[O] {
  return detect(result, spoken, note).readResult(operation, result, note);
}

export function readStreamResponse(event: unknown, spoken: Version, note: Note): StreamResponse {
  return detect(event, spoken, note).readStreamResponse(event, note);
}

/**
 * Reads an agent card of any generation into core (1.0) shape.
 * @throws Problem `not-a-card` when the value has nothing of an agent card.
 */
export function readAgentCard(value: unknown, note: Note): AgentCard {
  const card = isObject(value) && isObject(value['result']) && 'jsonrpc' in value ? value['result'] : value;
  const version = isObject(card) ? versions.find(candidate => candidate.recognisesCard(card)) : undefined;
  if (!isObject(card) || version === undefined) {
    throw new Problem('not-a-card', sentence('This JSON is not an agent card: it has neither supportedInterfaces nor url.'), {
      nextStep: sentence('Give the address of the agent card, usually …/.well-known/agent-card.json.'),
    });
  }
  return version.readCard(card, note);
}
