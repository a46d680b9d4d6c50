import { maxNesting } from '../../protocol/json/depth.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { noHeaders, type ConfiguredHeaders } from '../http/configuredHeaders.ts';
import { nextSteps, UnauthorizedProblem } from '../transport/agentError.ts';
import { withSentCredentials } from '../transport/refusedCredentials.ts';

/** The answer from one address where the card was requested. */
export interface CardAttempt {
  /** Address after redirects. */
  readonly url: string;
  readonly status: number;
  /** `refused`: a status or media type that a card does not have. */
  readonly outcome: 'card' | 'refused' | 'html' | 'not-json' | 'not-a-card';
  /** True if only a card is expected there. */
  readonly cardOnly: boolean;
  /** `WWW-Authenticate` as received. */
  readonly challenge?: string;
  /** Fault of the content. */
  readonly problem?: Error;
  /** The beginning of what came instead of a card. */
  readonly source?: string;
}

const outcomes: Readonly<Record<CardAttempt['outcome'], string>> = {
  card: 'agent card',
  refused: '',
  html: 'a web page',
  'not-json': 'not JSON',
  'not-a-card': 'JSON, but not an agent card',
};

const giveCardAddress = sentence('Enter the address of the agent card itself, or start the agent if it is not running.');

/** The same, for an address that may be an endpoint without a card. */
const sayInterface = (url: URL): LocalizedMessage =>
  hint(
    sentence(
      'Enter the address of the agent card itself, or start the agent if it is not running. An endpoint without a card is used if "interface" in the agent\'s settings has "url", "protocolBinding" and "protocolVersion".',
      url.href,
    ),
    "Enter the address of the agent card itself, or start the agent if it is not running. An endpoint without a card is used with --interface 'JSONRPC 1.0 {0}'.",
  );

/** Address and headers of the requests for the card. */
interface AskedWith {
  readonly headers: ConfiguredHeaders;
  /** The address of the agent, whose origin alone gets the headers. */
  readonly url: URL;
}

/**
 * Problem for an agent without a card at any address, from the answer that explains the cause best.
 * @param typed the address as the person typed it
 */
export async function cardProblem(attempts: readonly CardAttempt[], typed: string, { headers, url }: AskedWith): Promise<Problem> {
  const problem = problemOf(attempts, typed, url);
  if (!(problem instanceof UnauthorizedProblem)) return problem;
  // Headers do not go to where redirects lead.
  const isOwn = attempts.every(({ status, url: at }) => (status !== 401 && status !== 403) || new URL(at).origin === url.origin);
  return withSentCredentials(problem, { headers: isOwn ? headers : noHeaders, url });
}

function problemOf(attempts: readonly CardAttempt[], typed: string, agentUrl: URL): Problem {
  const details = attempts.map(({ url, status, outcome }) => `${status} ${url} ${outcomes[outcome]}`.trimEnd()).join('\n');
  const places = attempts.filter(attempt => attempt.cardOnly);
  const wrongCard = places.find(attempt => attempt.outcome === 'not-a-card');
  if (wrongCard?.problem instanceof Problem && wrongCard.problem.code === 'nested-too-deeply') {
    return new Problem(
      'not-a-card',
      sentence('The agent card at {0} exceeds the limit of {1} nesting levels.', wrongCard.url, maxNesting),
      {
        nextStep: sentence("The agent's operator must correct the card."),
        details: `${details}\n\n${excerpt(wrongCard)}`,
      },
    );
  }
  if (
    wrongCard?.problem instanceof Problem &&
    (wrongCard.problem.code === 'too-large' || wrongCard.problem.code === 'wrong-card-address')
  ) {
    return new Problem('not-a-card', sentence('The agent card at {0} cannot be read. {1}', wrongCard.url, wrongCard.problem.sentence), {
      nextStep: sentence("The agent's operator must correct the card."),
      details: `${details}\n\n${excerpt(wrongCard)}`,
    });
  }
  if (wrongCard !== undefined) {
    return new Problem(
      'not-a-card',
      sentence('The JSON at {0} is not an agent card: it has neither supportedInterfaces nor url.', wrongCard.url),
      {
        nextStep: giveCardAddress,
        details: `${details}\n\n${excerpt(wrongCard)}`,
      },
    );
  }
  const broken = places.find(attempt => attempt.outcome === 'not-json');
  if (broken !== undefined) {
    return new Problem('card-not-json', sentence('The agent card at {0} is not JSON: {1}', broken.url, broken.problem?.message ?? ''), {
      nextStep: sentence("The agent's operator must correct the card."),
      details: `${details}\n\n${excerpt(broken)}`,
    });
  }
  const refused = [401, 403].flatMap(status => attempts.filter(attempt => attempt.status === status))[0];
  if (refused !== undefined) return unauthorized(refused, details);
  const page = attempts.find(attempt => attempt.outcome === 'html');
  if (page !== undefined) {
    return new Problem('html-instead-of-card', sentence('{0} returned a web page instead of an agent card.', page.url), {
      nextStep: sayInterface(agentUrl),
      details,
    });
  }
  // Endpoints without GET refuse it in many ways, so for the address itself only a server failure counts.
  const failed = places.find(({ status }) => ![404, 410].includes(status) && status >= 300) ?? attempts.find(({ status }) => status >= 500);
  if (failed !== undefined) {
    const { status } = failed;
    const words = firstLine(failed.source);
    return new Problem(
      'no-card',
      words === undefined
        ? sentence('The server answered the request for the agent card with HTTP {0}.', status)
        : sentence('The server answered the request for the agent card with HTTP {0}: {1}', status, words),
      {
        nextStep: (status === 405 ? undefined : nextSteps[status]) ?? sayInterface(agentUrl),
        details: `${details}\n\n${excerpt(failed)}`.trimEnd(),
      },
    );
  }
  return new Problem('no-card', sentence('No agent card found at {1} ({0} locations tried).', attempts.length, typed), {
    nextStep: sayInterface(agentUrl),
    details,
  });
}

/** Uses the challenge of the server, or without one the text of its answer. */
function unauthorized({ status, challenge, source }: CardAttempt, details: string): UnauthorizedProblem {
  const words = firstLine(source)?.replace(/[.。]+$/, '');
  return new UnauthorizedProblem(
    status,
    challenge,
    details,
    words === undefined || (status === 401 && challenge !== undefined) ? {} : { words },
  );
}

/** Longest quotation of an answer, in characters. */
const maxLineLength = 200;

/** The beginning of an answer: the title of a web page, or one line of JSON. Undefined if it contains no words. */
function firstLine(body = ''): string | undefined {
  const start = body.slice(0, 4096).trimStart();
  const text = /<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? (/^[{[]/.test(start) ? start : start.split(/[\r\n]/, 1)[0]!);
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const characters = [...line];
  return line === '' ? undefined : characters.length > maxLineLength ? `${characters.slice(0, maxLineLength).join('')}…` : line;
}

const excerpt = ({ source = '' }: CardAttempt): string => source.slice(0, 2048);
