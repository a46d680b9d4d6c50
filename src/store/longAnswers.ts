import { createHash } from 'node:crypto';
import type { Exchange } from '../protocol/exchange.ts';
import type { Database, Query } from './database.ts';
import { decode, encode } from './jsonText.ts';

type Response = NonNullable<Exchange['response']>;
type Content = Pick<Response, 'body' | 'bytes'>;

/**
 * The schema's step to long answers that are kept once: an agent that is asked again and again tells the same again and again. An answer
 * goes with the last exchange that has it.
 */
export const longAnswers = `
  CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of content
    content TEXT NOT NULL      -- body and bytes of a response
  ) STRICT;
  ALTER TABLE exchanges ADD COLUMN answer INTEGER REFERENCES answers; -- what is not in body
  CREATE INDEX exchanges_by_answer ON exchanges (answer) WHERE answer IS NOT NULL;
  CREATE TRIGGER answers_gone AFTER DELETE ON exchanges
    WHEN OLD.answer IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exchanges WHERE answer = OLD.answer) BEGIN
    DELETE FROM answers WHERE id = OLD.answer;
  END;
  CREATE TRIGGER answers_changed AFTER UPDATE OF answer ON exchanges
    WHEN OLD.answer IS NOT NULL AND OLD.answer IS NOT NEW.answer AND NOT EXISTS (SELECT 1 FROM exchanges WHERE answer = OLD.answer) BEGIN
    DELETE FROM answers WHERE id = OLD.answer;
  END;
`;

/** An answer of so many code units is long. More than the list of exchanges reads of a body. */
export const leastOfLong = 32 * 1024;

/** The length of what one exchange alone keeps of its answer, or keeps last, in bytes. Of `exchanges x`. */
export const answerBytes = `coalesce((SELECT octet_length(n.content) FROM answers n WHERE n.id = x.answer
  AND NOT EXISTS (SELECT 1 FROM exchanges later WHERE later.answer = x.answer AND later.id > x.id)), 0)`;

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

  /** The exchange without its answer where that is long, and the row id of the answer. */
  keep(exchange: Exchange): { readonly exchange: Exchange; readonly answer: number | null } {
    if (exchange.response === undefined) return { exchange, answer: null };
    const { body, bytes, ...response } = exchange.response;
    if ((body?.length ?? 0) + (bytes?.length ?? 0) < leastOfLong) return { exchange, answer: null };
    const content = encode({ body, bytes } satisfies { [K in keyof Required<Content>]: Content[K] | undefined });
    const hash = createHash('sha256').update(content).digest('base64');
    const answer = this.#known.get(hash)?.id ?? Number(this.#insert.run(hash, content).lastInsertRowid);
    return { exchange: { ...exchange, response }, answer };
  }

  /** The exchange with the answer of that row. */
  withAnswer(exchange: Exchange, answer: number | null): Exchange {
    const content = answer === null ? undefined : this.#content.get(answer)?.content;
    if (content === undefined || exchange.response === undefined) return exchange;
    return { ...exchange, response: { ...exchange.response, ...decode<Content>(content) } };
  }
}
