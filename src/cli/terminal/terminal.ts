import { AgentClient } from '../../client/agentClient.ts';
import { resolveAgentCard, type ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { chooseInterface, type SelectionSource } from '../../client/interfaces/agentInterface.ts';
import { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import type { Http } from '../../client/http/http.ts';
import { type Trust, trustIn } from '../../client/http/origin.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { parseInterfaceSelector, isEmptySelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { readHeader } from './headerOptions.ts';
import type { Values } from './options.ts';
import { tlsOf } from './tlsOptions.ts';
import { UsageError } from './usage.ts';

/** What every command needs; one process runs one command. */
export interface Terminal {
  readonly values: Values;
  readonly http: Http;
  /** Aborted when the command is interrupted; the reason is the exit status. */
  readonly signal: AbortSignal;
  /** Aborted when waiting ends; the reason is a `Problem`. */
  readonly giveUp: AbortSignal;
  readonly log: WireLog;
}

export const resolve = ({ values, http, signal, log }: Terminal, url: string): Promise<ResolvedAgentCard> =>
  resolveAgentCard(url, { http, signal, log, headers: headersOf(values), wanted: selectorOf(values) });

/** The interface that the options select; without such options, the one that the address itself uses. */
export const selectionOf = (
  wanted: InterfaceSelector,
  { ownInterface }: ResolvedAgentCard,
): { readonly wanted: InterfaceSelector; readonly asker: SelectionSource } =>
  isEmptySelector(wanted) && ownInterface !== undefined ? { wanted: ownInterface, asker: 'address' } : { wanted, asker: 'options' };

export async function connect(terminal: Terminal, url: string): Promise<AgentClient> {
  const { values, http } = terminal;
  // Fetching the card is only a step here: `--raw` prints only the command's own answer.
  const wanted = selectorOf(values);
  const resolved = await resolve({ ...terminal, log: noLog }, url);
  const { card, cardUrl, agentUrl } = resolved;
  const choice = selectionOf(wanted, resolved);
  return new AgentClient({
    card,
    http,
    agentUrl,
    headers: headersOf(values),
    chosen: chooseInterface(card, cardUrl, choice.wanted, { asker: choice.asker, trust: trustOf(values, wanted, agentUrl) }),
    extensions: values.extension ?? [],
    approvedOrigins: approvedOriginsOf(values, wanted),
  });
}

/** An address typed by the user is approved. */
export const approvedOriginsOf = (values: Values, { url }: InterfaceSelector): ReadonlySet<string> =>
  new Set([...originsOf(values), ...(url === undefined ? [] : [new URL(url).origin])]);

/** Origins to which the options allow requests. */
export const trustOf = (values: Values, wanted: InterfaceSelector, agentUrl: string): Trust =>
  trustIn(new URL(agentUrl), approvedOriginsOf(values, wanted), headersOf(values));

/** @throws UsageError */
export function selectorOf({ interface: text, 'protocol-version': protocolVersion }: Values): InterfaceSelector {
  const wanted = text === undefined ? {} : parseInterfaceSelector(text);
  if (wanted === undefined || (wanted.url !== undefined && !URL.canParse(wanted.url))) {
    throw new UsageError(
      `--interface wants a binding, a version, an address, or several of them, such as 'GRPC 1.0', not ${JSON.stringify(text?.slice(0, 60))}.`,
    );
  }
  return { ...wanted, ...(protocolVersion !== undefined && { protocolVersion }) };
}

/**
 * Origins of `--allow-origin`, which may get requests and headers besides the agent's own; as `URL.origin` writes them. @throws UsageError
 */
export function originsOf({ 'allow-origin': origins = [] }: Values): readonly string[] {
  return origins.map(origin => {
    if (/^https?:\/\//i.test(origin) && URL.canParse(origin)) return new URL(origin).origin;
    throw new UsageError(`--allow-origin wants an origin such as https://agents.example, not ${JSON.stringify(origin.slice(0, 60))}.`);
  });
}

export const noLog: WireLog = { exchange() {}, frames() {} };

function headersOf(values: Values): ConfiguredHeaders {
  const headers = Object.fromEntries((values.header ?? []).map(line => readHeader(line)));
  return new ConfiguredHeaders(Object.keys(headers), async () => headers, { tls: tlsOf(values) });
}
