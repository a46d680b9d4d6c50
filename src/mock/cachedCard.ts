import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Step } from './script.ts';

/** Serves a card with caching headers (A2A 1.0 §8.6). The card is evaluated for each request, since it may change at any time. */
export class CachedCard {
  #text = '';
  #since = new Date();

  turn(card: unknown, asked: IncomingHttpHeaders): readonly Step[] {
    const text = JSON.stringify(card) ?? 'null';
    if (text !== this.#text) [this.#text, this.#since] = [text, new Date()];
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const headers = {
      'cache-control': 'public, max-age=0, must-revalidate',
      etag,
      'last-modified': this.#since.toUTCString(),
      vary: 'A2A-Version',
    };
    return isNamed(asked['if-none-match'], etag) ? [{ status: 304, headers }] : [{ status: 200, headers }, { json: card }];
  }
}

/** Compares ETags only: `Last-Modified` has a resolution of a second, and a card that is being edited changes more often. */
const isNamed = (named: string | undefined, etag: string): boolean =>
  named !== undefined && (named.trim() === '*' || named.split(',').some(one => one.trim().replace(/^W\//, '') === etag));
