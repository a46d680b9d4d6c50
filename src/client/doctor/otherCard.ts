import { isDeepStrictEqual } from 'node:util';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { otherCardPlace } from '../card/agentAddress.ts';
import { readBounded } from '../card/readBounded.ts';
import { configuredHeaders, withConfigured } from '../http/configuredHeaders.ts';
import type { Http } from '../http/http.ts';
import { parseJson } from '../http/parseJson.ts';
import { timeLimits } from '../http/timeLimits.ts';
import { untilCanceled } from '../http/timeouts.ts';
import type { WireLog } from '../wireLog/wireLog.ts';
import { diagnosis, type Diagnosis } from './diagnosis.ts';
import { mayAsk, type DiagnosisTarget } from './diagnosisTarget.ts';

/** What the cards of one agent must agree on in all protocol versions. */
const facts: Readonly<Record<string, (card: AgentCard) => unknown>> = {
  name: card => card.name,
  version: card => card.version,
  skills: card => card.skills.map(({ id }) => id).sort(),
};

/** Compares with the card at the other well-known address (A2A 1.0 §8.2, 0.2 §5.3), if there is one. Reports differences. */
export async function otherCard(target: DiagnosisTarget, http: Http, signal: AbortSignal, log?: WireLog): Promise<Diagnosis[]> {
  const { card, cardUrl, source } = target.resolved;
  const place = otherCardPlace(new URL(cardUrl));
  if (place === undefined || !mayAsk(target, place.href)) return [];
  const other = await fetchCard(place, target.headers, http, signal, log);
  if (other === undefined || other.source === source) return [];
  const differing = Object.entries(facts)
    .filter(([, fact]) => !isDeepStrictEqual(fact(card), fact(other.card)))
    .map(([name]) => name);
  if (differing.length === 0) return [];
  return [
    diagnosis(
      'CARD-02',
      '',
      'warning',
      sentence(
        'There is another card at {0}, and it says something else about: {1}. The one at {2} is used.',
        place.href,
        differing.join(', '),
        cardUrl,
      ),
    ),
  ];
}

async function fetchCard(
  url: URL,
  headers: DiagnosisTarget['headers'],
  http: Http,
  signal: AbortSignal,
  log: WireLog | undefined,
): Promise<{ readonly card: AgentCard; readonly source: string } | undefined> {
  const configured = configuredHeaders(headers);
  try {
    const response = await http.request({
      method: 'GET',
      url,
      headers: await withConfigured([['Accept', 'application/json']], configured, url),
      secret: configured.secret,
      tls: configured.tls,
      ...untilCanceled,
      timeoutMs: timeLimits.question,
      signal,
      log,
      subject: { operation: 'AgentCard', protocolBinding: 'HTTP', protocolVersion: '1.0' },
    });
    if (!response.ok || response.mediaType === 'text/event-stream') {
      response.discard();
      response.record.end();
      return undefined;
    }
    const source = await response.text().finally(() => response.record.end());
    const value = parseJson(source);
    return value === undefined ? undefined : { card: readBounded(value, ignoreFindings, url.pathname), source };
  } catch (error) {
    // The absence of a second card is not a problem.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
