import type { ServerResponse } from 'node:http';

/** Answers a subscription in place of the agent. */
export type Comeback = (back: ServerResponse) => void;

const refuses =
  (status: number, headers: Record<string, string> = {}, body = '{"error":"no"}'): Comeback =>
  back =>
    void back.writeHead(status, headers).end(body);
/** Past HTTP. */
const raw =
  (text: string): Comeback =>
  back => {
    back.socket?.write(text);
    back.socket?.destroySoon();
  };
const stream = (text: string): Comeback => refuses(200, { 'content-type': 'text/event-stream' }, text);

/** Ways in which the first attempt to listen again fails, by what follows "and then". */
export const comebacks = {
  'closed without an answer': back => void back.socket?.destroy(),
  'reset without an answer': back => void back.socket?.resetAndDestroy(),
  'an error of the server': refuses(500),
  'a gateway without its server': refuses(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'),
  'not now': refuses(503, { 'retry-after': '0' }),
  'too many requests': refuses(429, { 'retry-after': '0' }),
  'no such path': refuses(404),
  'no content': refuses(204, {}, ''),
  'a redirect to another origin': refuses(302, { location: 'http://localhost:1/elsewhere' }),
  'a page': refuses(200, { 'content-type': 'text/html' }, '<h1>Please sign in</h1>'),
  'a head that is too large': refuses(200, { 'content-type': 'text/event-stream', 'x-large': 'x'.repeat(100_000) }),
  'a head that is none': raw('HELLO\r\n\r\n'),
  'half a head': raw('HTTP/1.1 200 OK\r\nContent-Ty'),
  'an empty stream': stream(''),
  'comments alone': stream(': ping\n\n: ping\n\n'),
  'half an event': stream('data: {"jsonrpc":"2.0","id":1,"resu'),
} as const satisfies Record<string, Comeback>;
