import { AgentClient } from '../client/agentClient.ts';
import { resolveAgentCard, type ResolvedAgentCard } from '../client/agentCardResolver.ts';
import { chooseInterface } from '../client/agentInterface.ts';
import type { Http } from '../client/http.ts';
import type { WireLog } from '../client/wireLog.ts';
import { parseWantedInterface, type WantedInterface } from '../protocol/wantedInterface.ts';
import type { Values } from './options.ts';
import { UsageError } from './usage.ts';

/** Everything a command needs; one process runs one command. */
export interface Terminal {
  readonly values: Values;
  readonly http: Http;
  readonly signal: AbortSignal;
  readonly log: WireLog;
}

export const resolve = ({ values, http, signal, log }: Terminal, url: string): Promise<ResolvedAgentCard> =>
  resolveAgentCard(url, { http, signal, log, headers: headersOf(values) });

export async function connect(terminal: Terminal, url: string): Promise<AgentClient> {
  const { values, http } = terminal;
  // The card is on its way to something else here: only what the command is about is printed raw.
  const wanted = wantedBy(values);
  const { card, cardUrl, agentUrl } = await resolve({ ...terminal, log: silent }, url);
  return new AgentClient({
    card, http, agentUrl, headers: headersOf(values),
    chosen: chooseInterface(card, cardUrl, wanted, 'options'),
    extensions: values.extension ?? [],
    // What a person wrote is approved by that.
    approvedOrigins: new Set([...originsOf(values), ...(wanted.url === undefined ? [] : [new URL(wanted.url).origin])]),
  });
}

/** @throws UsageError */
export function wantedBy({ 'interface': text, 'protocol-version': protocolVersion }: Values): WantedInterface {
  const wanted = text === undefined ? {} : parseWantedInterface(text);
  if (wanted === undefined || (wanted.url !== undefined && !URL.canParse(wanted.url))) {
    throw new UsageError(`--interface wants a binding, a version, an address, or several of them, such as 'GRPC 1.0', not ${JSON.stringify(text?.slice(0, 60))}.`);
  }
  return { ...wanted, ...(protocolVersion !== undefined && { protocolVersion }) };
}

/** The origins that may have requests and headers besides the agent's own, as `URL.origin` writes them. @throws UsageError */
export function originsOf({ 'allow-origin': origins = [] }: Values): readonly string[] {
  return origins.map(origin => {
    if (/^https?:\/\//i.test(origin) && URL.canParse(origin)) return new URL(origin).origin;
    throw new UsageError(`--allow-origin wants an origin such as https://agents.example, not ${JSON.stringify(origin.slice(0, 60))}.`);
  });
}

export const silent: WireLog = { exchange() {}, frames() {} };

export function headersOf({ header }: Values): Record<string, string> {
  return Object.fromEntries((header ?? []).map(line => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new UsageError(`--header wants 'Name: value', not ${JSON.stringify(line.slice(0, 20))}.`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  }));
}
