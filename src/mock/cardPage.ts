import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Step } from './script.ts';

/** A card with the headers that caches need (A2A 1.0 §8.6). It is asked for each time, since it may change at any time. */
export class CardPage {
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

/** By ETag alone: a date has whole seconds, and a card that is being written changes more often. */
const isNamed = (named: string | undefined, etag: string): boolean =>
  named !== undefined && (named.trim() === '*' || named.split(',').some(one => one.trim().replace(/^W\//, '') === etag));
