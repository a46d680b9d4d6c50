import type { Headers } from '../../protocol/exchange.ts';
import { withConfigured } from '../http/configuredHeaders.ts';
import type { HttpRequest } from '../http/http.ts';
import type { HttpResponse } from '../http/httpResponse.ts';
import { withRedirects } from '../http/redirects.ts';
import type { Timeouts } from '../http/timeouts.ts';
import type { CallOptions, Endpoint } from './transport.ts';

/** An HTTP request in one binding, without what the agent's settings and sign-in add. */
interface AgentRequest {
  readonly method: HttpRequest['method'];
  readonly url: URL;
  /** Headers of the binding; those that the person configured replace them. */
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly timeouts: Timeouts;
  readonly operation: string;
  readonly protocolBinding: string;
  readonly protocolVersion: string;
}

/** Sends a request with the configured headers and the credentials of the person's sign-in. */
export async function sendToAgent({ http, headers, url }: Endpoint, request: AgentRequest, options: CallOptions): Promise<HttpResponse> {
  const { operation, protocolBinding, protocolVersion, timeouts } = request;
  return withRedirects(http, {
    method: request.method,
    url: await headers.addressed(request.url),
    headers: await withConfigured(request.headers, headers, url),
    secret: headers.secret,
    tls: headers.tls,
    body: request.body,
    ...timeouts,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    log: options.log,
    subject: {
      exchangeId: options.exchangeId,
      operation,
      protocolBinding,
      protocolVersion,
      satisfies: await headers.satisfies(url),
    },
  });
}
