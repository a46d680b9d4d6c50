import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { minimalCard } from '../../../../src/mock/minimalCard.ts';
import { isObject } from '../../../../src/protocol/json.ts';

/** A request in JSON-RPC; empty where it is none. */
interface Asked {
  readonly method: string;
  readonly message: Members;
  readonly params: Members;
  /** How many requests of this method came before. */
  readonly before: number;
}

/** A JSON-RPC response, the results in the events of a stream, or bytes, which may be made from the id of the request. */
type Reply =
  | { readonly result: unknown }
  | { readonly error: object }
  | { readonly events: readonly object[] }
  | { readonly body: string | ((id: unknown) => string); readonly type?: string; readonly status?: number };

/** A command in which `URL` is the agent's address, or a request file for `a2a run`; and what comes of it. */
export interface Try {
  readonly command: readonly string[] | object;
  readonly status: number;
  readonly out?: string | RegExp;
  readonly err?: RegExp;
}

/** A server that does what a public thread tells of, in a shape of its own, and what the terminal program makes of it. */
export interface Report {
  readonly version?: '1.0' | '0.3';
  /** Members of the card beside those of the smallest one. */
  readonly card?: Members | ((url: string) => Members);
  /** What comes in the place of any card. */
  readonly front?: Reply;
  readonly answer?: (asked: Asked) => Reply;
  readonly tries: readonly Try[];
}

type Members = Readonly<Record<string, unknown>>;
const unknown: Reply = { error: { code: -32601, message: 'Method not found' } };
const members = (value: unknown): Members => (isObject(value) ? value : {});

function request(body: string): Members {
  try {
    return members(JSON.parse(body));
  } catch {
    return {};
  }
}

/** The server of a report; it answers what the report says nothing of as a method that it does not know. */
export function serverOf({ version = '1.0', card = {}, front, answer = () => unknown }: Report): RequestListener {
  const asked: unknown[] = [];
  return (incoming, response) => {
    const write = (reply: Reply, id?: unknown): void => {
      const [type, written] =
        'body' in reply
          ? [reply.type, typeof reply.body === 'string' ? reply.body : reply.body(id)]
          : 'events' in reply
            ? ['text/event-stream', reply.events.map(result => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join('')]
            : ['application/json', JSON.stringify({ jsonrpc: '2.0', id, ...reply })];
      response.writeHead('body' in reply ? (reply.status ?? 200) : 200, type === undefined ? {} : { 'content-type': type });
      response.end(written);
    };
    void text(incoming).then(body => {
      const { method, id, params } = request(body);
      if (incoming.method !== 'GET') {
        const before = asked.filter(name => name === method).length;
        asked.push(method);
        write(answer({ method: String(method), params: members(params), message: members(members(params)['message']), before }), id);
      } else if (front !== undefined) write(front);
      else if (incoming.url !== '/.well-known/agent-card.json') write({ body: '', status: 404 });
      else {
        const url = `http://${incoming.headers.host}/rpc`;
        const own = typeof card === 'function' ? card(url) : card;
        write({ body: JSON.stringify({ ...minimalCard(url, version), ...own }), type: 'application/json' });
      }
    });
  };
}
