import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { grpcAddress } from '../grpc/address.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const wellKnown = /\/\.well-known\/agent(?:-card)?\.json$/;
/** Newest path first: that of 0.3 and 1.0, then that of 0.2 (A2A 1.0 §8.2, 0.2 §5.3). */
const cardPaths = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** True for an address with a scheme of gRPC. */
export const isGrpcScheme = (address: string): boolean => /^(grpcs?|dns):/i.test(address.trim());

/**
 * Parses the address of an agent as a person types it: a base URL, the URL of a card, the address of a gRPC service, or `host:port`, which
 * means http on this machine and https elsewhere.
 * @throws Problem `bad-url`
 */
export function parseAddress(address: string): URL {
  const typed = address.trim();
  const wrong = wrongScheme(typed);
  if (wrong !== undefined) throw new Problem('bad-url', wrong.sentence, { nextStep: wrong.nextStep });
  const text = isGrpcScheme(typed)
    ? grpcAddress(typed, 'http://localhost')
    : hasScheme.test(typed)
      ? typed
      : `${guessScheme(typed)}//${typed}`;
  if (typed === '' || !URL.canParse(text)) {
    throw bad(sentence('{0} is not a web address.', JSON.stringify(typed)));
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw bad(sentence('Agents use http:// or https://, not {0}//.', url.protocol));
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('bad-url', sentence('The address of an agent must not contain a user name or password.'), {
      nextStep: hint(
        sentence("Put credentials into the agent's headers instead."),
        "Give credentials with --header 'Name: value' instead.",
      ),
    });
  }
  url.hash = '';
  return url;
}

/** The address as it is requested; unchanged where it is not valid. */
export function askedAddress(written: string): string {
  try {
    return parseAddress(written).href;
  } catch (error) {
    if (error instanceof Problem) return written;
    throw error;
  }
}

function guessScheme(typed: string): 'http:' | 'https:' {
  const asHttp = `http://${typed}`;
  return URL.canParse(asHttp) && isLoopback(new URL(asHttp).hostname) ? 'http:' : 'https:';
}

function bad(what: ReturnType<typeof sentence>): Problem {
  return new Problem('bad-url', what, { nextStep: sentence('Enter an address such as https://agent.example.com or localhost:41241.') });
}

/** An address where the card may be. */
export interface CardPlace {
  readonly url: URL;
  /** True if only a card is expected there: any other answer is an error. */
  readonly cardOnly: boolean;
}

/** Most parent paths of an address that are tried besides its origin: each takes two more requests, which a slow agent makes long. */
const maxParents = 3;

/** For `/a/b/c`: `/a/b/c`, `/a/b` and `/a`, within the limit. */
function withParents(path: string): readonly string[] {
  const steps = path.split('/').slice(1);
  return Array.from({ length: Math.min(steps.length, 1 + maxParents) }, (_, up) => `/${steps.slice(0, steps.length - up).join('/')}`);
}

/**
 * Addresses where the agent's card may be, most likely first: the address itself, below it, below its parents (an endpoint such as
 * `/agents/one/rpc` may belong to a card at `/agents/one`), and at its origin.
 */
export function cardPlaces(url: URL): CardPlace[] {
  const base = url.pathname.replace(wellKnown, '').replace(/\/+$/, '');
  const named = /\.json$/.test(url.pathname);
  const itself = { url, cardOnly: named };
  const below = [...(named && !wellKnown.test(url.pathname) ? [] : withParents(base)), ''].flatMap(path =>
    cardPaths.map(cardPath => ({ url: new URL(path + cardPath, url.origin), cardOnly: true })),
  );
  // A bare origin is rarely the card itself.
  const places = url.pathname === '/' && url.search === '' ? [...below, itself] : [itself, ...below];
  return places.filter((place, index) => places.findIndex(other => other.url.href === place.url.href) === index);
}
