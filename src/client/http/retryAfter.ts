import type { HttpResponse } from './httpResponse.ts';

/** Wait before the next request in an answer of HTTP 429 or 503 (RFC 9110 §10.2.3), in milliseconds; undefined where there is none. */
export function retryAfter({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const text = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
