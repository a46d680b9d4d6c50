import type { Http } from '../../client/http/http.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import { maskedAddress, seenExchange, shownAnswer } from './look.ts';
import type { SeenExchange } from './signInReport.ts';

/** Most requests of one sign-in that are kept: a device polls every few seconds. */
const maxExchanges = 50;

/** Exchanges of a sign-in while it is examined. Credentials are masked. */
export class SignInTrace {
  readonly #seen = new Map<string, Exchange>();
  #authorization: SeenExchange | undefined;
  readonly #http: Pick<Http, 'request'>;

  constructor(http: Pick<Http, 'request'>) {
    this.#http = http;
  }

  /** The same connections, with a record of their exchanges. */
  readonly http: Pick<Http, 'request'> = {
    request: request => {
      const log: WireLog = {
        exchange: exchange => {
          if (this.#seen.has(exchange.id) || this.#seen.size < maxExchanges) this.#seen.set(exchange.id, exchange);
        },
        frames: () => {},
      };
      return this.#http.request({ ...request, log });
    },
  };

  /** The same prompts, with a record of the page in the browser and the address that it came back with. */
  prompts(prompts: SignInPrompts): SignInPrompts {
    return {
      ...prompts,
      openBrowser: address => {
        this.#authorization = { method: 'GET', url: maskedAddress(address), requestHeaders: [], headers: [], body: '' };
        return prompts.openBrowser(address);
      },
      redirects: async () => {
        const receiver = await prompts.redirects();
        return {
          uri: receiver.uri,
          close: () => receiver.close(),
          received: async (state, signal) => {
            const address = await receiver.received(state, signal);
            if (this.#authorization !== undefined)
              this.#authorization = { ...this.#authorization, status: 302, headers: [['location', maskedAddress(address.href)]] };
            return address;
          },
        };
      },
    };
  }

  /** The page that the browser was sent to; its answer is the address that the browser came back with. Undefined where none was opened. */
  get authorization(): SeenExchange | undefined {
    return this.#authorization;
  }

  /** Requests that got something, such as a client, a device code, or tokens. Those for documents are steps of their own. */
  get requests(): readonly SeenExchange[] {
    return [...this.#seen.values()].filter(({ request }) => request.method === 'POST').map(exchange => seenExchange(exchange, shownAnswer));
  }
}
