import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a webhook answers, to see what an agent then does. */
export type Rehearsal =
  /** With success. */
  | { readonly kind: 'accept' }
  /** With HTTP 500, so many times; then with success. */
  | { readonly kind: 'error'; readonly times: number }
  /** With a redirect to another path of the receiver, where nothing is. */
  | { readonly kind: 'redirect' }
  /** Not at all: the agent has to give up by itself. */
  | { readonly kind: 'silent' }
  /** With success after so many milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number };

/** Longest silence, in milliseconds: an agent that never gives up keeps no connection for ever. */
const longestSilence = 10 * 60_000;

/** Answers without a body: nothing of a request is repeated. */
export const answer = (response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void => {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-length': '0', 'cache-control': 'no-store', ...headers }).end();
};

/** True where a delivery is answered with success, so that it counts as delivered. */
export const accepts = (rehearsal: Rehearsal, rehearsed: number): boolean =>
  rehearsal.kind === 'accept' || rehearsal.kind === 'slow' || (rehearsal.kind === 'error' && rehearsed >= rehearsal.times);

/** The rehearsal that decides an answer; undefined where the answer is the true one, as after the last of several errors. */
export const rehearsedAnswer = (rehearsal: Rehearsal, answered: boolean): Exclude<Rehearsal, { readonly kind: 'accept' }> | undefined =>
  rehearsal.kind === 'accept' || (rehearsal.kind === 'error' && answered) ? undefined : rehearsal;

/** Answers as it is rehearsed. @param signal aborted when the receiver stops or the agent is gone */
export async function rehearse(response: ServerResponse, rehearsal: Rehearsal, isAccepted: boolean, signal: AbortSignal): Promise<void> {
  const pause = rehearsal.kind === 'slow' ? rehearsal.ms : rehearsal.kind === 'silent' ? longestSilence : 0;
  if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => {});
  if (signal.aborted || rehearsal.kind === 'silent') return void response.destroy();
  if (rehearsal.kind === 'redirect') answer(response, 307, { location: '/moved' });
  else answer(response, isAccepted ? 200 : 500);
}
