import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import type { Http } from '../../../src/client/http/http.ts';
import { trustIn } from '../../../src/client/http/origin.ts';
import type { CheckReport } from '../../../src/conformance/checkReport.ts';
import { ExchangeRecorder } from '../../../src/conformance/exchangeRecorder.ts';
import { runCheck, type CheckOptions } from '../../../src/conformance/runCheck.ts';

/** Fetches the card of the agent at an address and runs the suite on it, without work unless that is allowed. */
export async function checkRun(
  url: string,
  http: Http,
  more: Partial<CheckOptions> = {},
  headers: Record<string, string> = {},
): Promise<CheckReport> {
  const recorder = new ExchangeRecorder();
  const { card, cardUrl, agentUrl, source, findings } = await resolveAgentCard(url, { http, headers, log: recorder });
  return runCheck({
    http,
    card,
    cardUrl,
    agentUrl,
    findings,
    recorder,
    headers,
    cardJson: JSON.parse(source) as Record<string, unknown>,
    trust: trustIn(new URL(agentUrl), new Set(), headers),
    allowWork: false,
    signal: new AbortController().signal,
    ...more,
  });
}
