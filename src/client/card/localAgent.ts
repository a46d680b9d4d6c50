import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { Problem } from '../../protocol/problem.ts';
import { parseJson } from '../http/parseJson.ts';
import type { Http } from '../http/http.ts';
import { readBounded } from './readBounded.ts';

/** An agent that answers on this machine. */
export interface LocalAgent {
  /** The name on its card: untrusted text. */
  readonly name: string;
  readonly url: string;
}

/** Longest wait for a program of this machine, in milliseconds. */
const longestWaitMs = 1_500;
/** Paths of cards since 0.3, and before. */
const paths = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/**
 * Asks a port of this machine for an agent card: two GET requests at most, without credentials, redirects or an entry in the wire log.
 * Undefined where none answers; never rejects for what a program there does.
 */
export async function localAgentAt(port: number, http: Http, signal: AbortSignal): Promise<LocalAgent | undefined> {
  for (const path of paths) {
    try {
      const card = await cardAt(new URL(`http://127.0.0.1:${port}${path}`), http, signal);
      if (card !== undefined) return { name: card.name, url: ownAddress(card, port) ?? `http://127.0.0.1:${port}` };
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }
  return undefined;
}

async function cardAt(url: URL, http: Http, signal: AbortSignal): Promise<AgentCard | undefined> {
  const response = await http.request({
    method: 'GET',
    url,
    headers: [
      ['Accept', 'application/json'],
      ['A2A-Version', '1.0'],
    ],
    headersTimeoutMs: longestWaitMs,
    bodyTimeoutMs: longestWaitMs,
    timeoutMs: longestWaitMs,
    signal,
    subject: { operation: 'AgentCard', protocolBinding: 'HTTP', protocolVersion: '1.0' },
  });
  const isCard = response.ok && !/html|event-stream/.test(response.mediaType ?? '');
  if (!isCard) {
    response.discard();
    response.record.end();
    return undefined;
  }
  const source = await response.text();
  response.record.end();
  const value = parseJson(source);
  return value === undefined ? undefined : readBounded(value, ignoreFindings, url.pathname);
}

/** The name of this machine that the card itself has for the port: any other would be another origin, which the person has to approve. */
function ownAddress({ supportedInterfaces }: AgentCard, port: number): string | undefined {
  const own = supportedInterfaces
    .filter(each => URL.canParse(each.url))
    .map(each => new URL(each.url))
    .find(url => url.protocol === 'http:' && isLoopback(url.hostname) && url.port === String(port));
  return own?.origin;
}
