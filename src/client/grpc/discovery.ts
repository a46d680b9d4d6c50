import { connect } from 'node:http2';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { collect, type Finding, type Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { longestWait } from '../http/longestWait.ts';

// A bundle of its own, loaded when an address answers only over HTTP/2 or has a gRPC scheme: it recognizes problems by their codes.

/** The address of what may be a gRPC service, and what can be done there. Times are in milliseconds. */
export interface GrpcPlace {
  readonly url: URL;
  /** The address as the person wrote it. */
  readonly typed: string;
  /** The person asks explicitly for gRPC: an agent need not have a card then. */
  readonly asked: boolean;
  /** The versions to try, in order. */
  readonly versions: readonly string[];
  /** Gets the card by the method that the version has for it; `note` writes to the exchange. @throws Problem */
  card<Result>(protocolVersion: string, read: (card: unknown, note: Note) => Result, timeoutMs: number): Promise<Result>;
  /** Makes an agent card of what came. @throws Problem */
  read(card: unknown, note: Note): AgentCard;
  /** Whether an agent of that version answers when it is asked for a task. */
  speaks(protocolVersion: string, timeoutMs: number): Promise<boolean>;
  /** How to ask for the interface of the card at this address; undefined if the card lists none there. */
  listed(card: AgentCard, protocolVersion: string): InterfaceSelector | undefined;
}

export interface GrpcFound {
  readonly card: AgentCard;
  readonly source: string;
  readonly findings: readonly Finding[];
  /** The interface of the card at this address. */
  readonly spoken: InterfaceSelector;
}

const protocolBinding = 'GRPC';

/** An agent answers over gRPC and gives no card: what to ask for to use it without one. */
export class GrpcWithoutCardProblem extends Problem {
  readonly wanted: InterfaceSelector;

  constructor(typed: string, protocolVersion: string, why: Problem) {
    const asked = `${protocolBinding} ${protocolVersion}`;
    super(
      'grpc-without-card',
      sentence('{0} is an A2A {1} agent over gRPC that gives no agent card. {2}', typed, protocolVersion, why.sentence),
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

/** Whether a server of HTTP/2 is there (without TLS by prior knowledge). Sends nothing but the preface. */
export function speaksHttp2({ origin }: URL, signal: AbortSignal | undefined): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // Finding out the protocol needs no trust in the server.
  const session = connect(origin, { rejectUnauthorized: false });
  const stop = AbortSignal.any([AbortSignal.timeout(longestWait.question), ...(signal === undefined ? [] : [signal])]);
  stop.addEventListener('abort', () => resolve(false), { once: true });
  session
    .once('remoteSettings', () => resolve(true))
    .on('error', () => resolve(false))
    .once('close', () => resolve(false));
  return promise.finally(() => session.destroy());
}

/** Failures after which nothing can be had at the address, whatever is asked. */
const final: readonly string[] = ['tls', 'unreachable', 'cancelled'];
/** Refusals that only an agent gives. */
const ofAgents: readonly string[] = ['unauthorized', 'agent-error'];
/** Failures to give a card that an agent, but also any other gRPC server, may cause. */
const maybe: readonly string[] = ['grpc-unimplemented', 'grpc-error', 'not-a-card', 'unreadable-answer'];

/**
 * The card of an agent at the address of its gRPC service, read over gRPC: by the method that its protocol version has for it (A2A 1.0
 * §3.1.11, 0.3 §7.10), or else a card with nothing but the address if a person asks explicitly for gRPC.
 * @throws GrpcWithoutCardProblem; ConnectionProblem `tls`, `unreachable`, `cancelled`; Problem `http2-instead-of-card` if no agent answers.
 */
export async function cardOverGrpc(place: GrpcPlace): Promise<GrpcFound> {
  const { typed } = place;
  let broken: Problem | undefined;
  for (const protocolVersion of place.versions) {
    try {
      return await cardIn(protocolVersion, place);
    } catch (error) {
      if (!(error instanceof Problem) || final.includes(error.code)) throw error;
      const isAgent =
        ofAgents.includes(error.code) || (maybe.includes(error.code) && (await place.speaks(protocolVersion, longestWait.question)));
      if (isAgent && place.asked) return withoutCard(place, protocolVersion);
      if (isAgent) throw new GrpcWithoutCardProblem(typed, protocolVersion, error);
      broken ??= error;
    }
  }
  throw new Problem(
    'http2-instead-of-card',
    sentence('{0} answers over HTTP/2 alone, and not as an A2A agent over gRPC. An agent card is read over HTTP/1.1.', typed),
    {
      nextStep: nextStep(),
      details: broken?.message,
      cause: broken,
    },
  );
}

const nextStep = (): LocalizedMessage =>
  sentence(
    'Give the address of the agent card: often another port of the same host. The card names the gRPC address with the binding {0}.',
    protocolBinding,
  );

/** Members that ProtoJSON leaves out of a card because they are empty, and core requires; `url` identifies a card of 0.3. */
const elided: Readonly<Record<string, object>> = { '1.0': { supportedInterfaces: [] }, '0.3': { url: '', protocolVersion: '0.3' } };
const required = { name: '', description: '', version: '', capabilities: {}, defaultInputModes: [], defaultOutputModes: [], skills: [] };

const cardIn = (protocolVersion: string, place: GrpcPlace): Promise<GrpcFound> =>
  place.card(
    protocolVersion,
    (json, noteInExchange) => {
      const { findings, note } = collect();
      const came = isObject(json) ? json : {};
      const card = withAddress(place.read({ ...required, ...elided[protocolVersion], ...came }, note), place, protocolVersion);
      for (const { rule, pointer, message } of findings) noteInExchange(rule, pointer, message);
      return {
        card,
        source: JSON.stringify(came, null, 2),
        findings,
        spoken: place.listed(card, protocolVersion) ?? { protocolBinding, protocolVersion },
      };
    },
    longestWait.question,
  );

/** The card with the address it came from added if it does not list that: it is known to answer. */
function withAddress(card: AgentCard, place: GrpcPlace, protocolVersion: string): AgentCard {
  const listed = card.supportedInterfaces.filter(({ url }) => url !== '');
  const whole = { ...card, supportedInterfaces: listed };
  return place.listed(whole, protocolVersion) !== undefined
    ? whole
    : { ...card, supportedInterfaces: [...listed, interfaceAt(place, protocolVersion)] };
}

const interfaceAt = ({ url }: GrpcPlace, protocolVersion: string): AgentCard['supportedInterfaces'][number] => ({
  url: url.origin,
  protocolBinding,
  protocolVersion,
});

/** A card with nothing but the address. Every service has the method that streams; one that does not support it says so when it is called. */
function withoutCard(place: GrpcPlace, protocolVersion: string): GrpcFound {
  const card: AgentCard = {
    name: place.url.host,
    description: '',
    version: '',
    supportedInterfaces: [interfaceAt(place, protocolVersion)],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  return { card, source: JSON.stringify(card, null, 2), findings: [], spoken: { protocolBinding, protocolVersion } };
}
