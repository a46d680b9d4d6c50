import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { OAuthContext } from '../oauth/oauthFetch.ts';
import type { OAuthTokens } from '../oauth/oauthTokens.ts';
import type { SignInPlan } from '../signInPlan.ts';
import type { SeenExchange } from './signInReport.ts';
import type { SignInTrace } from './signInTrace.ts';

/** A harmless request to the agent, such as for a task that does not exist. */
export interface AskedAgent {
  /** Undefined where the agent answered, also with an error of A2A: it let the request through. */
  readonly problem: Problem | undefined;
  readonly exchanges: readonly SeenExchange[];
  /** True if the request carried credentials; undefined if unknown. */
  readonly carried?: boolean | undefined;
}

/** Members of a token that are examined. */
export type ShownToken = Pick<OAuthTokens, 'accessToken' | 'tokenType' | 'scopes' | 'issuer'>;

/** The token in the headers of a request; undefined without one. */
export function tokenIn(headers: Readonly<Record<string, string>> = {}): ShownToken | undefined {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const [tokenType, accessToken] = value?.split(' ') ?? [];
  return tokenType === undefined || accessToken === undefined ? undefined : { tokenType, accessToken, scopes: [] };
}

export interface ExplainedSignIn {
  readonly agentUrl: string;
  /** Undefined where the agent requires credentials for its card. */
  readonly card: AgentCard | undefined;
  /** Plan of the card; see `signInPlan`. */
  readonly plan: SignInPlan;
  readonly context: OAuthContext;
  /** Rejects with what is no `Problem`. */
  readonly ask: (signedIn: boolean) => Promise<AskedAgent>;
  /** Tokens of a kept sign-in, or new ones of a program (client credentials). Undefined without a sign-in; rejects with a `Problem`. */
  readonly tokens: () => Promise<ShownToken | undefined>;
  /** Exchanges of `tokens` and `refresh`. */
  readonly trace?: Pick<SignInTrace, 'authorization' | 'requests'>;
  /** Renews the kept tokens. Left out, that is not tried. Rejects with a `Problem`. */
  readonly refresh?: () => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Codes of answers that do not fit the request but show that the agent let it through: agents without tasks have no GetTask. */
const otherAnswers = ['unreadable-answer', 'empty-answer', 'other-task'];

/** HTTP statuses of servers without the operation, and of failures in it. A proxy uses others where it cannot reach the agent. */
const otherStatuses = [400, 404, 405, 406, 415, 422, 500, 501];

/** True where the agent let the request through, whatever it answered then. */
export const isLetThrough = ({ problem, exchanges }: AskedAgent): boolean =>
  problem === undefined ||
  otherAnswers.includes(problem.code) ||
  (problem.code === 'http-error' && otherStatuses.includes(exchanges.at(-1)?.status ?? 0));
