import type { AgentCard } from '../../card/agentCard.ts';
import type { Note } from '../../finding.ts';
import { isObject } from '../../json.ts';
import type { SecurityScheme } from '../../card/securityScheme.ts';
import { AgentCard0_1 } from './agentCard0_1.ts';
import { optionalString } from '../shared/fields.ts';
import { readCard0_3 } from '../v0_3/readCard0_3.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A 0.1 card in core shape. Each name in its list of schemes becomes a scheme; any one of them is sufficient. */
export function readCard0_1(card: Fields, note: Note): AgentCard {
  const { authentication } = card;
  const read = readCard0_3(card, note, AgentCard0_1, '0.1');
  // Some cards have the names in place of the object that should contain them.
  const names = schemeNames(isObject(authentication) ? authentication['schemes'] : authentication);
  if (names.length === 0) return read;
  const credentials = isObject(authentication) ? optionalString(authentication, 'credentials', '/authentication', note) : undefined;
  return {
    ...read,
    securitySchemes: Object.fromEntries(names.map(name => [name, schemeOf(name, credentials)])),
    securityRequirements: names.map(name => ({ schemes: { [name]: { list: [] } } })),
  };
}

/** Some samples have a single name instead of a list. */
function schemeNames(schemes: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(schemes) ? schemes : [schemes];
  return list.filter(name => typeof name === 'string' && name !== '' && name !== '__proto__') as string[];
}

/** A scheme of which the card has only the name. 0.1 (§5.5) leaves the rest to `credentials`, a text in any format, often JSON. */
function schemeOf(name: string, credentials: string | undefined): SecurityScheme {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (plain === 'oauth2') return { oauth2SecurityScheme: { flows: {} } };
  if (plain !== 'apikey') return { httpAuthSecurityScheme: { scheme: plain === 'jwt' ? 'Bearer' : name } };
  const fields = parsed(credentials);
  const place = (['header', 'query', 'cookie'] as const).find(candidate => candidate === fields['in']) ?? 'header';
  return { apiKeySecurityScheme: { location: place, name: typeof fields['name'] === 'string' ? fields['name'] : 'X-API-Key' } };
}

function parsed(credentials: string | undefined): Fields {
  try {
    const value: unknown = JSON.parse(credentials ?? '');
    return isObject(value) ? value : {};
  } catch {
    // Any text is allowed; only JSON can be read.
    return {};
  }
}
