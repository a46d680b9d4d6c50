import { createHash } from 'node:crypto';
import type { Exchange } from '../../protocol/exchange.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, decodeOptional, encode, encodeOptional } from './jsonText.ts';

type Response = NonNullable<Exchange['response']>;

/** From this many code units on an answer counts as long. It is more than the list of exchanges reads of a body. */
const leastOfLong = 32 * 1024;

/** SQL for the bytes of an answer, counted only for the last exchange that refers to it. For `exchanges x`. */
export const answerBytes = `coalesce((SELECT octet_length(n.content) FROM answers n WHERE n.id = x.answer
  AND NOT EXISTS (SELECT 1 FROM exchanges later WHERE later.answer = x.answer AND later.id > x.id)), 0)`;

/** The difference between two answers with the same content: the id of the request (JSON-RPC 2.0 §5), and its place in the body. */
type Own = readonly [at: number, id: string];

interface LongAnswer {
  readonly content: string;
  readonly own: Own | undefined;
}

/** How much of a request is searched for its id, in code units. */
const beginning = 256;

/** Undefined for an answer that is not long. */
function longAnswerOf({ request, response }: Exchange): LongAnswer | undefined {
  const { body, bytes } = response ?? {};
  if ((body?.length ?? 0) + (bytes?.length ?? 0) < leastOfLong) return undefined;
  const id = /"id":"([\w-]{36})"/.exec(request.body.slice(0, beginning))?.[1];
  const at = id === undefined ? undefined : body?.indexOf(id);
  if (body === undefined || id === undefined || at === undefined || at < 0) return { content: encode({ body, bytes }), own: undefined };
  return { content: encode({ body: body.slice(0, at) + body.slice(at + id.length), bytes }), own: [at, id] };
}

const hashOf = ({ content }: LongAnswer): string => createHash('sha256').update(content).digest('base64');

/** The same for all long answers with the same content; undefined for one that is not long. */
export function longAnswerHash(exchange: Exchange): string | undefined {
  const answer = longAnswerOf(exchange);
  return answer && hashOf(answer);
}

/** Columns of `exchanges`. */
export interface AnswerColumns {
  readonly answer: number | null;
  readonly own: string | null;
}

/** The table `answers`. Writes are called inside a transaction. */
export class LongAnswers {
  readonly #known: Query<{ id: number }>;
  readonly #insert: Query;
  readonly #content: Query<{ content: string }>;

  constructor(database: Database) {
    this.#known = database.prepare('SELECT id FROM answers WHERE hash = ?');
    this.#insert = database.prepare('INSERT INTO answers (hash, content) VALUES (?, ?)');
    this.#content = database.prepare('SELECT content FROM answers WHERE id = ?');
  }

  /** The exchange without its answer if that is long, and where the answer is stored. */
  keep(exchange: Exchange): AnswerColumns & { readonly exchange: Exchange } {
    const long = longAnswerOf(exchange);
    if (long === undefined || exchange.response === undefined) return { exchange, answer: null, own: null };
    const hash = hashOf(long);
    const answer = this.#known.get(hash)?.id ?? Number(this.#insert.run(hash, long.content).lastInsertRowid);
    const { body: _body, bytes: _bytes, ...response } = exchange.response;
    return { exchange: { ...exchange, response }, answer, own: encodeOptional(long.own) };
  }

  /** The exchange with its answer. */
  withAnswer(exchange: Exchange, { answer, own }: AnswerColumns): Exchange {
    const content = answer === null ? undefined : this.#content.get(answer)?.content;
    if (content === undefined || exchange.response === undefined) return exchange;
    const { body, bytes } = decode<Pick<Response, 'body' | 'bytes'>>(content);
    const [at, id] = decodeOptional<Own>(own) ?? [0, ''];
    return {
      ...exchange,
      response: withoutUndefined({ ...exchange.response, body: body && body.slice(0, at) + id + body.slice(at), bytes }),
    };
  }
}
