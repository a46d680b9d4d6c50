import { AgentClient } from '../../client/agentClient.ts';
import { resolveAgentCard, type ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { chooseInterface, type SelectionSource } from '../../client/interfaces/agentInterface.ts';
import { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import { parseAddress } from '../../client/card/agentAddress.ts';
import type { RequestAuthentication } from '../../client/http/requestAuthentication.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Http } from '../../client/http/http.ts';
import { type Trust, trustIn } from '../../client/http/origin.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { parseInterfaceSelector, isEmptySelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { AgentHeaders } from '../../model/agents/agentHeaders.ts';
import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import { escapedBraces } from '../../request/template/template.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import { settingsFile } from '../../request/values/settingsFile.ts';
import { folderValues } from './folderValues.ts';
import { readHeader } from './headerOptions.ts';
import type { FolderAllowance } from './folderAllowance.ts';
import type { Values } from './options.ts';
import type { NamedAgent } from './namedAgent.ts';
import type { Recordings } from './recordings.ts';
import { tlsOf, tlsOptions } from './tlsOptions.ts';
import { UsageError } from './usage.ts';
import type { IdNames } from './printer.ts';
import { quoted, type Host, type Output } from './output.ts';
import { inTerminal } from '../../protocol/problem.ts';

/** Everything that a command needs. */
export interface Terminal {
  readonly host: Host;
  readonly output: Output;
  readonly values: Values;
  readonly http: Http;
  /** Aborted when the command is interrupted; the reason is the exit status. */
  readonly signal: AbortSignal;
  /** Aborted when waiting ends; the reason is a `Problem`. */
  readonly giveUp: AbortSignal;
  readonly log: WireLog;
  /** Set where the command records what is on the wire. */
  readonly recordings?: Recordings | undefined;
  /** Signs requests in; absent where a command does not. @param of what is requested */
  readonly authentication?: (url: string, identity?: string, of?: 'card' | 'request') => RequestAuthentication;
  /** The origins of the command's secrets: each secret goes to the origin alone that it is first sent to. */
  readonly origins: SecretOrigins;
  /** Permissions for agents that the settings of a folder define. */
  readonly allowance: FolderAllowance;
  /** The agent of the settings that the command is about; absent where it is about an address. */
  readonly agent?: NamedAgent | undefined;
  /** The agent that the command is about, as it was typed: an address or a name. */
  readonly typedAgent?: string | undefined;
  /** The cards of this command by the addresses of their agents. */
  readonly cards?: Map<string, AgentCard>;
  /** Short forms of ids; whole ids where it is absent. */
  readonly ids?: IdNames;
}

export async function resolve(terminal: Terminal, url: string): Promise<ResolvedAgentCard> {
  const { values, http, signal, log, authentication } = terminal;
  const own = headersOf(terminal);
  const headers =
    authentication === undefined || values.identity === 'none'
      ? own
      : own.signedIn(authentication(parseAddress(url).href, values.identity, 'card'));
  const resolved = await resolveAgentCard(url, { http, signal, log, headers, wanted: selectorOf(values) });
  for (const entry of resolved.card.supportedInterfaces) terminal.output.secrets.addAddress(entry.url);
  terminal.cards?.set(resolved.agentUrl, resolved.card);
  return resolved;
}

/** The interface that the options or the settings select; without such, the one that the address itself uses. */
export function selectionOf(
  values: Values,
  { ownInterface }: ResolvedAgentCard,
): { readonly wanted: InterfaceSelector; readonly source: SelectionSource } {
  const wanted = selectorOf(values);
  if (isEmptySelector(wanted) && ownInterface !== undefined) return { wanted: ownInterface, source: 'address' };
  return { wanted, source: values.settingsInterface === undefined ? 'options' : 'settings' };
}

export async function connect(terminal: Terminal, url: string): Promise<AgentClient> {
  // Fetching the card is only a step here: `--raw` prints only the command's own answer.
  const resolved = await resolve({ ...terminal, log: noLog }, url);
  const { agentUrl, card, noCard, source } = resolved;
  terminal.recordings?.commandIsFor({ url: agentUrl, ...(noCard === undefined && { name: card.name, source }) });
  const client = clientOf(terminal, resolved);
  if (resolved.noCard !== undefined)
    terminal.output.printError(quoted(`${inTerminal(resolved.noCard.sentence)} ${inTerminal(client.chosen.reason)}`));
  return client;
}

/** @throws Problem where no interface of the card can be used */
export function clientOf(terminal: Terminal, resolved: ResolvedAgentCard): AgentClient {
  const { values, http } = terminal;
  const wanted = selectorOf(values);
  const { card, cardUrl, agentUrl, noCard } = resolved;
  const choice = selectionOf(values, resolved);
  return new AgentClient({
    // Without a card, streaming is what the person asks for.
    card: noCard === undefined ? card : { ...card, capabilities: { streaming: values.stream === true } },
    http,
    agentUrl,
    headers: signedIn(terminal, agentUrl),
    chosen: chooseInterface(card, cardUrl, choice.wanted, { source: choice.source, trust: trustOf(terminal, wanted, agentUrl) }),
    extensions: values.extension ?? [],
    approvedOrigins: approvedOriginsOf(values, wanted),
  });
}

/** Origins that the person approved, by option or by typing an address. */
export const approvedOriginsOf = (values: Values, { url }: InterfaceSelector): ReadonlySet<string> =>
  new Set([...originsOf(values), ...(url === undefined ? [] : [new URL(url).origin])]);

/** Origins to which the options allow requests. */
export const trustOf = (terminal: Terminal, wanted: InterfaceSelector, agentUrl: string): Trust =>
  trustIn(new URL(agentUrl), approvedOriginsOf(terminal.values, wanted), headersOf(terminal));

/** @throws UsageError */
export function selectorOf({ interface: text, 'protocol-version': protocolVersion, settingsInterface = {} }: Values): InterfaceSelector {
  const wanted = text === undefined ? settingsInterface : parseInterfaceSelector(text);
  if (wanted === undefined || (wanted.url !== undefined && !URL.canParse(wanted.url))) {
    throw new UsageError(
      `--interface must have a binding, a version, an address, or several of these, such as 'GRPC 1.0', not ${JSON.stringify(text?.slice(0, 60))}.`,
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
    throw new UsageError(`--allow-origin must be an origin such as https://agents.example, not ${JSON.stringify(origin.slice(0, 60))}.`);
  });
}

/** The headers of the options with the sign-in at the agent. `--identity none` sends without one. */
export function signedIn(terminal: Terminal, agentUrl: string): ConfiguredHeaders {
  const { values, authentication } = terminal;
  const own = headersOf(terminal);
  return authentication === undefined || values.identity === 'none' ? own : own.signedIn(authentication(agentUrl, values.identity));
}

export const noLog: WireLog = { exchange() {}, frames() {} };

/** The headers of the options, and those of the settings where the command names an agent of them: an option replaces a setting. */
function headersOf(terminal: Terminal): ConfiguredHeaders {
  const { values, agent } = terminal;
  const headers = Object.fromEntries((values.header ?? []).map(line => readHeader(line)));
  if (agent !== undefined) return settingsHeaders(terminal, agent, headers);
  return new ConfiguredHeaders(Object.keys(headers), async () => headers, { tls: tlsOf(terminal) });
}

/**
 * The headers and certificates of an agent in the settings, with those of the command line, which come first. `{{$secret NAME}}` is the
 * environment variable A2A_SECRET_NAME, as for `a2a run`.
 */
function settingsHeaders(terminal: Terminal, { name, settings }: NamedAgent, given: Readonly<Record<string, string>>): ConfiguredHeaders {
  const { host, output, origins, allowance } = terminal;
  const own = tlsOptions(terminal);
  const tls = own ?? settings.tls;
  const literal = Object.fromEntries(Object.entries(given).map(([header, value]) => [header, escapedBraces(value)]));
  const names = new Set(Object.keys(given).map(header => header.toLowerCase()));
  const written = Object.entries(settings.headers ?? {}).filter(([header]) => !names.has(header.toLowerCase()));
  return new AgentHeaders(
    name,
    {
      ...settings,
      headers: { ...Object.fromEntries(written), ...literal },
      ...(tls !== undefined && { tls }),
      tlsOfPerson: own !== undefined,
    },
    {
      env: variable => host.env[variable],
      secret: async secret => host.env[secretVariable(secret)],
      onUse: (header, value, secret) =>
        secret ? output.secrets.add(value) : output.secrets.addConfigured({ [header]: value }, () => false),
      origins: folderValues(origins, allowance),
      file: (path, { base }) => settingsFile(path, { base }),
    },
  ).configured;
}
