import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Comeback } from './comebacks.ts';
import { type Fault, faults, type StreamEnd } from './faults.ts';

/** What shall happen to the stream that answers one message. */
export interface Plan {
  readonly fault: Fault;
  /** So many events come before it. */
  readonly at: number;
  /** How many events there are. */
  readonly count: number;
  /** What happens to the subscriptions that follow, one after the other; those after them are as the agent has them. */
  readonly later?: readonly Later[];
  /** The client is back: a subscription has brought its first event, or it has asked for the task; where its way back was spoilt, afterwards. */
  readonly onBack: (by: 'subscription' | 'question') => void;
}

/** What happens to a subscription: it is answered by somebody else, or spoilt after so many events of its own. */
export type Later = { readonly comeback: Comeback } | { readonly fault: Fault; readonly at: number };

interface Story extends Plan {
  /** Requests that carry the message. */
  posts: number;
  subscriptions: number;
}

const isSend = /SendMessage|SendStreamingMessage|message\/(send|stream)|\/message:(send|stream)/;
const isSubscribe = /SubscribeToTask|tasks\/resubscribe|:subscribe/;

/**
 * Stands before a web server. A message that names a plan has it done to the stream that answers it; everything else passes. A plan's
 * name is in the message's text, as `story name@…`.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #stories = new Map<string, Story>();
  readonly #storyOfTask = new Map<string, Story>();

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.#target = target;
  }

  static async open(target: string): Promise<FaultProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultProxy(server, new URL(target));
    server.on('request', (near: IncomingMessage, back: ServerResponse) => void proxy.#pass(near, back).catch(() => back.destroy()));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Instead of what was planned for it before. */
  plan(name: string, plan: Plan): void {
    this.#stories.set(name, { ...plan, posts: this.posts(name), subscriptions: 0 });
  }

  /** How many requests carried the message. */
  posts(name: string): number {
    return this.#stories.get(name)?.posts ?? 0;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(near: IncomingMessage, back: ServerResponse): Promise<void> {
    const body = await buffer(near);
    const text = body.toString();
    const what = `${near.url} ${/"method":"([^"]+)"/.exec(text)?.[1] ?? ''}`;
    const story = this.#stories.get(/story ([^@"]+)@/.exec(text)?.[1] ?? '');
    if (story !== undefined && isSend.test(what)) story.posts++;

    const subscribed = isSubscribe.test(what) ? this.#askedFor(`${near.url} ${text}`) : undefined;
    const later = subscribed === undefined ? undefined : laterOf(subscribed, subscribed.subscriptions++);
    if (later !== undefined && 'comeback' in later) return later.comeback(back);

    const far = ask({
      host: this.#target.hostname,
      port: this.#target.port,
      method: near.method,
      path: near.url,
      headers: { ...near.headers, host: this.#target.host },
    });
    back.on('close', () => far.destroy());
    far.end(body);
    const [answer] = (await once(far, 'response')) as [IncomingMessage];
    back.socket?.setNoDelay(true);
    if (!String(answer.headers['content-type']).startsWith('text/event-stream')) {
      // The card names addresses: the proxy's own from here on.
      const whole = (await buffer(answer)).toString().replaceAll(this.#target.origin, new URL(this.url).origin);
      const { 'content-length': _length, 'transfer-encoding': _encoding, etag: _tag, ...headers } = answer.headers;
      back.writeHead(answer.statusCode ?? 500, headers).end(whole);
      const asked = isSend.test(what) ? undefined : this.#askedFor(`${near.url} ${text}`);
      if (asked !== undefined && (!spoilsComeback(asked) || asked.subscriptions > 0)) asked.onBack('question');
      return;
    }
    if (story?.fault.headless !== true) {
      back.writeHead(answer.statusCode ?? 200, answer.headers);
      back.flushHeaders();
    }
    const to = streamEnd(back);
    if (story !== undefined && isSend.test(what)) await this.#spoil(answer, story, to);
    else await this.#subscription(answer, subscribed, later, to);
    to.end();
  }

  #askedFor(text: string): Story | undefined {
    for (const [taskId, story] of this.#storyOfTask) if (text.includes(taskId)) return story;
    return undefined;
  }

  async #spoil(answer: IncomingMessage, story: Story, to: StreamEnd): Promise<void> {
    const earlier: Buffer[] = [];
    for await (const event of events(answer)) {
      const index = earlier.length;
      if (index === 0) this.#storyOfTask.set(taskIdOf(event), story);
      story.fault.pass(event, story.at, to, { index, earlier, last: index === story.count - 1 });
      earlier.push(event);
    }
  }

  async #subscription(
    answer: IncomingMessage,
    story: Story | undefined,
    later: Extract<Later, { fault: Fault }> | undefined,
    to: StreamEnd,
  ): Promise<void> {
    const earlier: Buffer[] = [];
    for await (const event of events(answer)) {
      const index = earlier.length;
      if (later === undefined) to.write(event);
      else later.fault.pass(event, later.at, to, { index, earlier, last: false });
      earlier.push(event);
      if (index === 0 && !endsAtOnce(later)) story?.onBack('subscription');
    }
  }
}

const spoilsComeback = ({ fault, later = [] }: Plan): boolean => fault.comeback !== undefined || later.length > 0;

/** What happens to the subscription of that number. */
function laterOf({ fault, later = [] }: Plan, index: number): Later | undefined {
  if (fault.comeback !== undefined) return index === 0 ? { comeback: fault.comeback } : undefined;
  if (fault.twice === true && index === 0) return { fault: faults['reset between events'], at: 1 };
  return later[index];
}

/** The first event of the subscription is the last that arrives of it. */
const endsAtOnce = (later: Extract<Later, { fault: Fault }> | undefined): boolean =>
  later?.fault.cut !== undefined && later.at + (later.fault.inside === true ? 1 : 0) <= 1;

/** Server-sent events as the bytes they are. */
async function* events(answer: IncomingMessage): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      yield rest.subarray(0, end + 2);
      rest = rest.subarray(end + 2);
    }
  }
  if (rest.length > 0) yield rest;
}

/** Of a stream's first event, which is the task. */
function taskIdOf(event: Buffer): string {
  interface Told {
    readonly result?: Told;
    readonly task?: Told;
    readonly id?: string;
  }
  const told = JSON.parse(/^data: ?(.*)$/m.exec(event.toString())?.[1] ?? '{}') as Told;
  const result = told.result ?? told;
  return (result.task ?? result).id ?? '';
}

/** An answer's end to which nothing more is written once it is cut. */
function streamEnd(back: ServerResponse): StreamEnd {
  let over = false;
  const once = (work: () => void) => (): void => {
    if (over) return;
    over = true;
    work();
  };
  return {
    write: bytes => void (over || back.write(bytes)),
    end: once(() => back.end()),
    // What was written before shall arrive before.
    close: once(() => back.socket?.destroySoon()),
    reset: once(() => setTimeout(() => back.socket?.resetAndDestroy(), 5)),
    stall: once(() => {}),
    garble: once(() => {
      back.socket?.write('no chunk\r\n');
      back.socket?.destroySoon();
    }),
  };
}
