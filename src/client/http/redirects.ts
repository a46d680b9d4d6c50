import { hint, Problem, sentence } from '../../protocol/problem.ts';
import type { Http, HttpRequest } from './http.ts';
import type { HttpResponse } from './httpResponse.ts';

const maxRedirects = 5;

/**
 * Sends a request and follows 307 and 308 within the same origin: only these keep method and body, and mean that the first request had no
 * effect. Each hop is an exchange of its own.
 * @throws Problem `redirected` for any other redirect, with its target
 */
export async function withRedirects(http: Http, request: HttpRequest): Promise<HttpResponse> {
  let next = request;
  for (let hop = 1; ; hop++) {
    const response = await http.request(next);
    if (response.status < 300 || response.status > 399) return response;
    response.discard();
    const target = response.redirect;
    const followed =
      target !== undefined && [307, 308].includes(response.status) && target.origin === request.url.origin && hop <= maxRedirects;
    const problem = followed ? undefined : redirected(response, target);
    response.record.end(problem);
    problem?.cameWith(response.status);
    if (problem !== undefined) throw problem;
    next = { ...next, url: target!, subject: { ...request.subject, exchangeId: `${response.record.id}/${hop}` } };
  }
}

/** The problem for a redirect that is not followed. */
export function redirected({ status, record }: HttpResponse, target: URL | undefined): Problem {
  if (target === undefined) {
    return new Problem('redirected', sentence('The agent answered HTTP {0}, a redirect without a usable target.', status));
  }
  return new Problem(
    'redirected',
    sentence('The agent redirects this request to {1} (HTTP {0}).', status, record.credentials.mask(target.href)),
    {
      nextStep: hint(
        sentence("If you trust that address, set it as the agent's interface."),
        'If you trust that address, give it as that of the agent, or as its --interface.',
      ),
    },
  );
}

/** The problem for an agent card at an address with TLS that is redirected to one without: who is in between could replace the card. */
export const downgraded = ({ record }: HttpResponse, target: URL): Problem =>
  new Problem(
    'redirected',
    sentence(
      'The agent card is redirected to {0}, which has no TLS: anyone in between could change the card.',
      record.credentials.mask(target.href),
    ),
    {
      nextStep: sentence("Ask the agent's operator to redirect to an https:// address, or use the http:// address itself if you trust it."),
    },
  );
