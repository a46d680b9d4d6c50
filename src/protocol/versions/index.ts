import { isObject } from '../json.ts';
import type { AgentCard } from '../card/agentCard.ts';
import { cardInCamelCase } from '../card/checks/memberNames.ts';
import { unwrappedCard } from '../card/unwrappedCard.ts';
import type { Exchange } from '../exchange.ts';
import type { Note } from '../finding.ts';
import { requireShallow } from '../json/nesting.ts';
import type { Operation, UnaryOperation, UnaryResults } from '../message/operations.ts';
import { Problem, sentence } from '../problem.ts';
import { inCamelCase, protoNames } from '../protoNames.ts';
import { quoted } from '../quoted.ts';
import type { StreamResponse } from '../message/streamResponse.ts';
import { detectAnswer } from './detectAnswer.ts';
import { detectCard } from './detectCard.ts';
import { isPlainChunk } from './shared/plainChunk.ts';
import { eventsIn } from './shared/readWrapped.ts';
import { v0_1 } from './v0_1/v0_1.ts';
import { v0_2 } from './v0_3/v0_2.ts';
import { v0_3 } from './v0_3/v0_3.ts';
import { v1_0 } from './v1_0.ts';
import { v1_0draft } from './v1_0draft.ts';
import { v1_0rc } from './v1_0rc.ts';
import type { Version } from './shared/version.ts';
import { vTaskRest } from './taskRest/vTaskRest.ts';

/**
 * All supported protocol versions: releases, newest first, then drafts and unofficial ones.
 *
 * To add one: a folder `vX_Y/` with its routes and, where it has another, its protobuf form, a row here, and its evidence in
 * `detectCard.ts` and `detectAnswer.ts`. The tests of round trip, tolerance, detection, fuzz, mock and client walk this table.
 */
export const versions: readonly Version[] = [v1_0, v0_3, v0_2, v0_1, v1_0rc, v1_0draft, vTaskRest];

/** The released versions. */
export const releases: readonly Version[] = versions.filter(({ protocolVersion }) => !protocolVersion.includes('-'));

/** The version for a Major.Minor or Major.Minor.Patch string (patch numbers are ignored, A2A 1.0 §3.6). */
export function versionOf(protocolVersion: string): Version | undefined {
  const [major, minor] = protocolVersion.split('.');
  return versions.find(version => [protocolVersion, `${major}.${minor ?? '0'}`].includes(version.protocolVersion));
}

/** The version that has a JSON-RPC method: `preferred` where it does, since versions share some names. */
export function versionWithMethod(method: string, preferred: Version): Version | undefined {
  const specified = ({ methods, unspecifiedOperations = [] }: Version): readonly string[] =>
    Object.entries(methods)
      .filter(([operation]) => !unspecifiedOperations.includes(operation as Operation))
      .map(([, name]) => name);
  return [preferred, ...versions].find(version => specified(version).includes(method));
}

/** Every form of every version, by its name in detection results. */
const forms: ReadonlyMap<string, Version> = new Map(
  versions.flatMap(version => [
    [version.protocolVersion, version] as const,
    ...(version.protoForm === undefined ? [] : [[`${version.protocolVersion}-proto`, version.protoForm] as const]),
  ]),
);
const nameOf: ReadonlyMap<Version, string> = new Map([...forms].map(([name, version]) => [version, name]));

/** The versions whose text chunks already have core shape. */
const plainChunks: ReadonlySet<Version> = new Set(['1.0', '1.0-rc', '1.0-draft'].flatMap(name => forms.get(name) ?? []));

/** The version or protobuf form (`0.3-proto`) with a name from detection. */
export const formOf = (name: string): Version | undefined => forms.get(name);

/** The version, in the form of the binding, that an exchange was in; undefined for one that is not in the table. */
export function versionFor({
  protocolBinding,
  protocolVersion,
}: Pick<Exchange, 'protocolBinding' | 'protocolVersion'>): Version | undefined {
  const version = versionOf(protocolVersion) ?? formOf(protocolVersion);
  return protocolBinding === 'JSONRPC' ? version : (version?.protoForm ?? version);
}

/** Notes names of protocol buffers, which are read like those of JSON. */
const noteName =
  (note: Note) =>
  (pointer: string, name: string, right: string): void =>
    note('CARD-15', pointer, sentence('"{0}" should be written in camelCase: "{1}".', name, right));

/** An answer with the members' names of JSON. */
function named(value: unknown, note: Note): unknown {
  requireShallow(value);
  return inCamelCase(value, protoNames, noteName(note));
}

/** The version of an answer: the one that its shape indicates, else the one of the request. */
function detect(value: unknown, spoken: Version, note: Note): Version {
  const detected = isObject(value) ? detectAnswer(value) : undefined;
  const form = nameOf.get(spoken) ?? spoken.protocolVersion;
  if (detected === undefined || detected.versions.includes(form)) return spoken;
  const [likeliest = ''] = detected.versions;
  const found = forms.get(likeliest);
  if (found === undefined) return spoken;
  note('VER-04', '', sentence('The answer has the shape of A2A {0}, but {1} was used: {2}.', likeliest, form, detected.evidence.message), {
    shape: found.protocolVersion,
  });
  return found;
}

/** @throws Problem `unreadable-answer`, `nested-too-deeply` */
export function readResult<O extends UnaryOperation>(operation: O, result: unknown, spoken: Version, note: Note): UnaryResults[O] {
  const answer = named(result, note);
  return detect(answer, spoken, note).readResult(operation, answer, note);
}

/**
 * Reads an event of a stream. One that holds several tasks, messages and updates is read as one event for each, in the order in which they
 * stand.
 * @throws Problem `unreadable-answer`, `nested-too-deeply`
 */
export function readStreamResponses(event: unknown, spoken: Version, note: Note): readonly StreamResponse[] {
  if (plainChunks.has(spoken) && isPlainChunk(event)) return [event];
  const answer = named(event, note);
  return eventsIn(answer, note).map(one => detect(one, spoken, note).readStreamResponse(one, note));
}

/** The first event of `readStreamResponses`. */
export const readStreamResponse = (event: unknown, spoken: Version, note: Note): StreamResponse =>
  readStreamResponses(event, spoken, note)[0]!;

/** Fault of a card whose member for the agent's address has another type; undefined for any other card. */
function wrongAddress({ supportedInterfaces, url }: Readonly<Record<string, unknown>>): Problem | undefined {
  const what =
    (supportedInterfaces ?? undefined) !== undefined
      ? sentence('{0} should be a list, not {1}.', 'supportedInterfaces', quoted(supportedInterfaces))
      : (url ?? undefined) !== undefined
        ? sentence('{0} should be a string, not {1}.', 'url', quoted(url))
        : undefined;
  if (what === undefined) return undefined;
  return new Problem('wrong-card-address', what, { nextStep: sentence("The agent's operator must correct the card.") });
}

/**
 * Reads an agent card of any version into core (1.0) shape.
 * @param place path or address of the card; its file name is used where the card does not decide.
 * @throws Problem `not-a-card` where the value has nothing of an agent card, `nested-too-deeply`
 */
export function readAgentCard(value: unknown, note: Note, place?: string): AgentCard {
  requireShallow(value);
  const card = cardInCamelCase(unwrappedCard(value), noteName(note));
  const detected = isObject(card) ? detectCard(card, place) : undefined;
  if (!isObject(card) || detected === undefined) {
    const wrong = isObject(card) ? wrongAddress(card) : undefined;
    if (wrong !== undefined) throw wrong;
    throw new Problem('not-a-card', sentence('This JSON is not an agent card: it has neither supportedInterfaces nor url.'), {
      nextStep: sentence('Enter the address of the agent card, usually …/.well-known/agent-card.json.'),
    });
  }
  const version = versionOf(detected.shape);
  if (version === undefined) throw new Error(`a card of a generation that is not in the table: ${detected.shape}`);
  return version.readCard(card, note);
}
