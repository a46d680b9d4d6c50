import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** One notification, to one webhook. */
export interface Notification {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Longest wait for an answer, in milliseconds (A2A 1.0 §4.3.3). */
const timeoutMs = 10_000;
/** Pauses before each further attempt, in milliseconds (A2A 1.0 §13.2). */
const pauses = [250, 1_000, 4_000];

/**
 * Sends a notification, and again after a pause where the webhook did not answer or said that it failed. Redirects are not followed. Never
 * rejects: nobody can be told.
 */
export async function notify(notification: Notification, signal: AbortSignal): Promise<void> {
  for (const pause of [...pauses, undefined]) {
    const status = await post(notification, signal);
    if ((status !== undefined && status < 500 && status !== 429) || pause === undefined || signal.aborted) return;
    try {
      await sleep(pause, undefined, { signal });
    } catch {
      // The server stops.
      return;
    }
  }
}

/** The status of the answer; undefined where none came. */
function post({ url, headers, body }: Notification, signal: AbortSignal): Promise<number | undefined> {
  return new Promise(resolve => {
    const send = url.startsWith('https:') ? secureRequest : request;
    const sent = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      timeout: timeoutMs,
      agent: false,
    });
    sent.once('response', response => {
      response.once('error', () => resolve(undefined)).resume();
      response.once('end', () => resolve(response.statusCode));
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.once('error', () => resolve(undefined));
    sent.once('close', () => resolve(undefined));
    sent.end(body);
  });
}
