import type { ZodType } from 'zod';
import { isObject } from '../../json.ts';
import type { AgentCard, AgentInterface } from '../../card/agentCard.ts';
import type { Note } from '../../finding.ts';
import { items, withUnknownMembers, optionalString, optionalStrings, withoutUndefined } from '../shared/fields.ts';
import { readCapabilities, readProvider, readSkills } from '../shared/normalizeCard.ts';
import { readSecurity } from '../shared/readSecurity.ts';
import { cardRule, schemaIssue } from '../shared/schemaIssue.ts';

type Fields = Readonly<Record<string, unknown>>;
const ignore: Note = () => {};
const text = (from: Fields, name: string): string | undefined => optionalString(from, name, '', ignore);

/** Members that are converted to others. */
const converted = new Set([
  'protocolVersion',
  'url',
  'preferredTransport',
  'additionalInterfaces',
  'supportedInterfaces',
  'security',
  'securitySchemes',
  'securityRequirements',
  'supportsAuthenticatedExtendedCard',
  'authentication',
  'signatures',
  'name',
  'description',
  'version',
  'provider',
  'documentationUrl',
  'iconUrl',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
]);

/**
 * A card from before 1.0 in core shape: `url` and `additionalInterfaces` become `supportedInterfaces`, security takes the 1.0 form.
 * Signatures are left out, since they are over the original card and would not verify. Members that are not in the schema are kept
 * unchanged.
 * @param protocolVersion version of the interfaces where the card has none.
 */
export function readCard0_3(card: Fields, note: Note, schema: ZodType, protocolVersion: string): AgentCard {
  const strict = schema.safeParse(card);
  for (const issue of strict.error?.issues ?? []) {
    const pointer = issue.path.map(step => `/${String(step)}`).join('');
    note(cardRule(pointer), pointer, schemaIssue(issue, card));
  }
  return withUnknownMembers(card, converted, {
    name: text(card, 'name') ?? 'Unnamed agent',
    description: text(card, 'description') ?? '',
    version: text(card, 'version') ?? '',
    supportedInterfaces: readInterfaces(card, protocolVersion),
    provider: readProvider(card['provider']),
    documentationUrl: text(card, 'documentationUrl'),
    iconUrl: text(card, 'iconUrl'),
    capabilities: withoutUndefined({
      ...readCapabilities(card['capabilities']),
      extendedAgentCard: card['supportsAuthenticatedExtendedCard'] === true ? true : undefined,
    }),
    ...readSecurity(card),
    defaultInputModes: optionalStrings(card, 'defaultInputModes') ?? ['text/plain'],
    defaultOutputModes: optionalStrings(card, 'defaultOutputModes') ?? ['text/plain'],
    skills: readSkills(card['skills']),
  });
}

/** `url` uses `preferredTransport`, or JSON-RPC where that is missing. Additional interfaces that repeat it are left out (0.3 §5.6). */
function readInterfaces(card: Fields, otherwise: string): AgentInterface[] {
  const protocolVersion = (text(card, 'protocolVersion') || otherwise).split('.').slice(0, 2).join('.');
  const all = [
    { url: text(card, 'url') ?? '', protocolBinding: text(card, 'preferredTransport') ?? 'JSONRPC', protocolVersion },
    ...items(card['additionalInterfaces'])
      .filter(isObject)
      .map(entry => ({ url: text(entry, 'url') ?? '', protocolBinding: text(entry, 'transport') ?? 'JSONRPC', protocolVersion })),
  ];
  return all.filter(
    (entry, index) =>
      entry.url !== '' && all.findIndex(other => other.url === entry.url && other.protocolBinding === entry.protocolBinding) === index,
  );
}
