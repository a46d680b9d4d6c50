import { connect } from 'node:http2';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { emptyCard } from '../../protocol/card/emptyCard.ts';
import { collect, type Finding, findingSentence, type Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import type { SocketRoute } from '../http/connectionPool.ts';
import { timeLimits } from '../http/timeLimits.ts';

// Loaded when an address answers only over HTTP/2 or has a gRPC scheme: Node's HTTP/2 takes longer to load than all of ours for HTTP/1.1.

/** An address that may be a gRPC service, with the calls that discovery needs. Times are in milliseconds. */
export interface GrpcDiscovery {
  readonly url: URL;
  /** The address as the person typed it. */
  readonly typed: string;
  /** True where the person selected gRPC: an agent then needs no card. */
  readonly asked: boolean;
  /** The versions to try, in order. */
  readonly versions: readonly string[];
  /**
   * Gets the card by the method of that version; `note` adds findings to the exchange.
   * @throws Problem
   */
  card<Result>(protocolVersion: string, read: (card: unknown, note: Note) => Result, timeoutMs: number): Promise<Result>;
  /**
   * Reads an agent card.
   * @throws Problem
   */
  read(card: unknown, note: Note): AgentCard;
  /** Resolves to true if an agent of that version answers a request for a task. */
  supports(protocolVersion: string, timeoutMs: number): Promise<boolean>;
  /** The selector for the card's interface at this address; undefined if the card lists none there. */
  listed(card: AgentCard, protocolVersion: string): InterfaceSelector | undefined;
}

export interface GrpcFound {
  readonly card: AgentCard;
  readonly source: string;
  readonly findings: readonly Finding[];
  /** The interface of the card at this address. */
  readonly ownInterface: InterfaceSelector;
  /** See `ResolvedAgentCard`. */
  readonly noCard?: Problem;
}

const protocolBinding = 'GRPC';

/** An agent answers over gRPC but has no card; `wanted` is the setting for using it without one. */
export class GrpcWithoutCardProblem extends Problem {
  readonly wanted: InterfaceSelector;

  constructor(typed: string, protocolVersion: string, why: Problem) {
    const asked = `${protocolBinding} ${protocolVersion}`;
    super(
      'grpc-without-card',
      sentence('{0} is an A2A {1} agent over gRPC without an agent card. {2}', typed, protocolVersion, why.sentence),
      {
        nextStep:
          why.code === 'unauthorized'
            ? hint(
                sentence(
                  'Set its credentials, or set the interface {0} to use it without a card: "interface" in the agent\'s settings.',
                  asked,
                ),
                'Give its credentials with --header, or give the interface {0} with --interface to use it without a card.',
              )
            : hint(
                sentence(
                  'Give the address of its card, or set the interface {0} to use it without one: "interface" in the agent\'s settings.',
                  asked,
                ),
                'Give the address of its card, or give the interface {0} with --interface to use it without one.',
              ),
        cause: why,
      },
    );
    this.name = 'GrpcWithoutCardProblem';
    this.wanted = { protocolBinding, protocolVersion };
  }
}

/** Resolves to true for an HTTP/2 server (without TLS by prior knowledge). Sends only the HTTP/2 preface. */
export async function supportsHttp2(
  { origin, protocol, host, port }: URL,
  signal: AbortSignal | undefined,
  route: SocketRoute,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // Only the protocol is determined here, so the server's certificate need not be valid.
  const isSecure = protocol === 'https:';
  const socket = await route.tunnel(port === '' ? `${host}:${isSecure ? 443 : 80}` : host, signal).catch(() => null);
  if (socket === null) return false;
  const over = socket === undefined ? {} : isSecure ? { socket } : { createConnection: () => socket };
  const session = connect(origin, { rejectUnauthorized: false, ...over });
  const stop = AbortSignal.any([AbortSignal.timeout(timeLimits.question), ...(signal === undefined ? [] : [signal])]);
  stop.addEventListener('abort', () => resolve(false), { once: true });
  session
    .once('remoteSettings', () => resolve(true))
    .on('error', () => resolve(false))
    .once('close', () => resolve(false));
  return promise.finally(() => session.destroy());
}

/** Failures that would be the same for any request to the address. */
const final: readonly string[] = ['tls', 'unreachable', 'cancelled'];
/** Errors that only an agent answers. */
const ofAgents: readonly string[] = ['unauthorized', 'agent-error'];
/** Failures to return a card that may be those of an agent or of any other gRPC server. */
const maybe: readonly string[] = ['grpc-unimplemented', 'grpc-error', 'not-a-card', 'unreadable-answer'];

/**
 * Gets the card of an agent from its gRPC service: by the method of its protocol version (A2A 1.0 §3.1.11, 0.3 §7.10), else, if the person
 * selected gRPC, a card with only the address.
 * @throws GrpcWithoutCardProblem; ConnectionProblem `tls`, `unreachable`, `cancelled`; Problem `http2-instead-of-card` if no agent answers
 */
export async function cardOverGrpc(place: GrpcDiscovery): Promise<GrpcFound> {
  const { typed } = place;
  let broken: Problem | undefined;
  for (const protocolVersion of place.versions) {
    try {
      return await cardIn(protocolVersion, place);
    } catch (error) {
      if (!(error instanceof Problem) || final.includes(error.code)) throw error;
      const isAgent =
        ofAgents.includes(error.code) || (maybe.includes(error.code) && (await place.supports(protocolVersion, timeLimits.question)));
      const noCard = isAgent && new GrpcWithoutCardProblem(typed, protocolVersion, error);
      if (noCard && place.asked) return withoutCard(place, protocolVersion, noCard);
      if (noCard) throw noCard;
      broken ??= error;
    }
  }
  throw new Problem(
    'http2-instead-of-card',
    sentence('{0} answers only over HTTP/2, and not as an A2A agent over gRPC. An agent card is read over HTTP/1.1.', typed),
    {
      nextStep: nextStep(),
      details: broken?.message,
      cause: broken,
    },
  );
}

const nextStep = (): LocalizedMessage =>
  sentence(
    'Enter the address of the agent card: often another port of the same host. The card names the gRPC address with the binding {0}.',
    protocolBinding,
  );

/** Members that core requires and ProtoJSON leaves out when empty; `url` marks a card of 0.3. */
const elided: Readonly<Record<string, object>> = { '1.0': { supportedInterfaces: [] }, '0.3': { url: '', protocolVersion: '0.3' } };
const required = { name: '', description: '', version: '', capabilities: {}, defaultInputModes: [], defaultOutputModes: [], skills: [] };

const cardIn = (protocolVersion: string, place: GrpcDiscovery): Promise<GrpcFound> =>
  place.card(
    protocolVersion,
    (json, noteInExchange) => {
      const { findings, note } = collect();
      const members = isObject(json) ? json : {};
      const card = withAddress(place.read({ ...required, ...elided[protocolVersion], ...members }, note), place, protocolVersion);
      for (const finding of findings) noteInExchange(finding.rule, finding.pointer, findingSentence(finding));
      return {
        card,
        source: JSON.stringify(members, null, 2),
        findings,
        ownInterface: place.listed(card, protocolVersion) ?? { protocolBinding, protocolVersion },
      };
    },
    timeLimits.question,
  );

/** The card, with the address that it came from added where it is not listed: that address is known to answer. */
function withAddress(card: AgentCard, place: GrpcDiscovery, protocolVersion: string): AgentCard {
  const listed = card.supportedInterfaces.filter(({ url }) => url !== '');
  const whole = { ...card, supportedInterfaces: listed };
  return place.listed(whole, protocolVersion) !== undefined
    ? whole
    : { ...card, supportedInterfaces: [...listed, interfaceAt(place, protocolVersion)] };
}

const interfaceAt = ({ url }: GrpcDiscovery, protocolVersion: string): AgentCard['supportedInterfaces'][number] => ({
  url: url.origin,
  protocolBinding,
  protocolVersion,
});

/** A card with only the address. Every service has the streaming method; one that does not support it answers with an error. */
function withoutCard(place: GrpcDiscovery, protocolVersion: string, noCard: Problem): GrpcFound {
  const card: AgentCard = {
    ...emptyCard,
    name: place.url.host,
    supportedInterfaces: [interfaceAt(place, protocolVersion)],
    capabilities: { streaming: true },
  };
  return { card, source: JSON.stringify(card), findings: [], ownInterface: { protocolBinding, protocolVersion }, noCard };
}
