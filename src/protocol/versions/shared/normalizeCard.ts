import type { ZodError } from 'zod';
import { isObject } from '../../json.ts';
import type { AgentCard, AgentInterface, AgentSkill } from '../../card/agentCard.ts';
import type { Note } from '../../finding.ts';
import { items, optionalObject, optionalString, optionalStrings, withoutUndefined } from './fields.ts';
import { readRequirements, readSecurity } from './readSecurity.ts';
import { cardRule, schemaIssue } from './schemaIssue.ts';
import { sentence } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;

const ignore: Note = () => {};
const text = (from: Fields, name: string): string | undefined => optionalString(from, name, '', ignore);

/**
 * Reads a 1.0 card that breaks its schema: readable members are kept and each deviation is noted. Members that are not in the schema are
 * kept unchanged.
 * @param protocolVersion for interfaces without one.
 */
export function normalizeCard(card: Fields, error: ZodError, note: Note, protocolVersion: string): AgentCard {
  for (const issue of error.issues) {
    const pointer = issue.path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    note(cardRule(pointer), pointer, schemaIssue(issue, card));
  }
  return withoutUndefined({
    ...card,
    name: text(card, 'name') ?? 'Unnamed agent',
    description: text(card, 'description') ?? '',
    version: text(card, 'version') ?? '',
    supportedInterfaces: readInterfaces(card, note, protocolVersion),
    provider: readProvider(card['provider']),
    documentationUrl: text(card, 'documentationUrl'),
    iconUrl: text(card, 'iconUrl'),
    capabilities: readCapabilities(card['capabilities']),
    securitySchemes: undefined,
    securityRequirements: undefined,
    ...readSecurity(card),
    defaultInputModes: optionalStrings(card, 'defaultInputModes') ?? ['text/plain'],
    defaultOutputModes: optionalStrings(card, 'defaultOutputModes') ?? ['text/plain'],
    skills: readSkills(card['skills']),
    signatures: undefined,
  });
}

/** An interface without an address cannot be used. Where no interface has one, the card's own address is tried. */
function readInterfaces(card: Fields, note: Note, protocolVersion: string): AgentInterface[] {
  const listed = items(card['supportedInterfaces']);
  const hasAddress = (entry: unknown): entry is Fields => isObject(entry) && (text(entry, 'url') ?? '').trim() !== '';
  if (!listed.some(hasAddress)) return listed.filter(isObject).map(entry => readInterface(entry, protocolVersion));
  listed.forEach((entry, index) => {
    if (!hasAddress(entry)) note('CARD-05', `/supportedInterfaces/${index}`, sentence('The interface has no address; it was left out.'));
  });
  return listed.filter(hasAddress).map(entry => readInterface(entry, protocolVersion));
}

function readInterface(entry: Fields, protocolVersion: string): AgentInterface {
  return withoutUndefined({
    url: text(entry, 'url') ?? '',
    protocolBinding: text(entry, 'protocolBinding') ?? text(entry, 'transport') ?? 'JSONRPC',
    protocolVersion: text(entry, 'protocolVersion') ?? protocolVersion,
    tenant: text(entry, 'tenant'),
  });
}

export function readProvider(value: unknown): AgentCard['provider'] {
  if (!isObject(value)) return undefined;
  return { organization: text(value, 'organization') ?? '', url: text(value, 'url') ?? '' };
}

export function readCapabilities(value: unknown): AgentCard['capabilities'] {
  if (!isObject(value)) return {};
  const flag = (name: string): boolean | undefined => (typeof value[name] === 'boolean' ? value[name] : undefined);
  return withoutUndefined({
    streaming: flag('streaming'),
    pushNotifications: flag('pushNotifications'),
    extendedAgentCard: flag('extendedAgentCard'),
    extensions: Array.isArray(value['extensions'])
      ? value['extensions'].filter(isObject).map(extension =>
          withoutUndefined({
            uri: text(extension, 'uri') ?? '',
            description: text(extension, 'description'),
            required: extension['required'] === true ? true : undefined,
            params: optionalObject(extension, 'params'),
          }),
        )
      : undefined,
  });
}

export function readSkills(value: unknown): AgentSkill[] {
  return items(value)
    .filter(isObject)
    .map((skill, index) =>
      withoutUndefined({
        id: text(skill, 'id') ?? `skill-${index}`,
        name: text(skill, 'name') ?? text(skill, 'id') ?? `Skill ${index + 1}`,
        description: text(skill, 'description') ?? '',
        tags: optionalStrings(skill, 'tags') ?? [],
        examples: optionalStrings(skill, 'examples'),
        inputModes: optionalStrings(skill, 'inputModes'),
        outputModes: optionalStrings(skill, 'outputModes'),
        securityRequirements: readRequirements(skill),
      }),
    );
}
