import { Problem, sentence } from '../protocol/problem.ts';
import { UnauthorizedProblem } from './agentError.ts';

/** What one place answered when it was asked for the card. */
export interface CardAttempt {
  /** Redirects followed. */
  readonly url: string;
  readonly status: number;
  /** `refused`: a status or media type that is no answer to this question. */
  readonly outcome: 'card' | 'refused' | 'html' | 'not-json' | 'not-a-card';
  /** True where nothing but a card is expected. */
  readonly cardOnly: boolean;
  /** `WWW-Authenticate` as received. */
  readonly challenge?: string;
  /** What was wrong with the text. */
  readonly problem?: Error;
  readonly source?: string;
}

const outcomes: Readonly<Record<CardAttempt['outcome'], string>> = {
  'card': 'agent card',
  'refused': '',
  'html': 'a web page',
  'not-json': 'not JSON',
  'not-a-card': 'JSON, but not an agent card',
};

const giveCardAddress = sentence('Give the address of the agent card itself, or start the agent if it is not running.');

/** Why none of the places had a card: the answer that says most about what is wrong. */
export function cardProblem(attempts: readonly CardAttempt[]): Problem {
  const details = attempts.map(({ url, status, outcome }) => `${status} ${url} ${outcomes[outcome]}`.trimEnd()).join('\n');
  const places = attempts.filter(attempt => attempt.cardOnly);
  const wrongCard = places.find(attempt => attempt.outcome === 'not-a-card');
  if (wrongCard !== undefined) {
    return new Problem('not-a-card', sentence('The JSON at {0} is not an agent card: it has neither supportedInterfaces nor url.', wrongCard.url), {
      nextStep: giveCardAddress,
      details: `${details}\n\n${excerpt(wrongCard)}`,
    });
  }
  const broken = places.find(attempt => attempt.outcome === 'not-json');
  if (broken !== undefined) {
    return new Problem('card-not-json', sentence('The agent card at {0} is not JSON: {1}', broken.url, broken.problem?.message ?? ''), {
      nextStep: sentence('Whoever runs the agent must correct the card.'),
      details: `${details}\n\n${excerpt(broken)}`,
    });
  }
  const refused = places.find(({ status }) => status === 401) ?? places.find(({ status }) => status === 403);
  if (refused !== undefined) return new UnauthorizedProblem(refused.status, refused.challenge, details);
  const page = attempts.find(attempt => attempt.outcome === 'html');
  if (page !== undefined) {
    return new Problem('html-instead-of-card', sentence('A web page came from {0} instead of an agent card.', page.url), {
      nextStep: giveCardAddress, details,
    });
  }
  return new Problem('no-card', sentence('No agent card was found in {0} places at {1}.', attempts.length, originOf(attempts)), {
    nextStep: giveCardAddress, details,
  });
}

const excerpt = ({ source = '' }: CardAttempt): string => source.slice(0, 2048);

function originOf([first]: readonly CardAttempt[]): string {
  return first === undefined ? '–' : new URL(first.url).origin;
}
