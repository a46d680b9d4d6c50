import { resolveAgentCard } from '../client/card/agentCardResolver.ts';
import type { ConfiguredHeaders } from '../client/http/configuredHeaders.ts';
import type { Http } from '../client/http/http.ts';
import type { Trust } from '../client/http/origin.ts';
import type { InterfaceSelector } from '../protocol/card/interfaceSelector.ts';
import type { RuleId } from '../protocol/ruleId.ts';
import type { Made } from './rules/rule/probe.ts';
import type { CheckReport } from './checkReport.ts';
import type { OpenWebhook } from './checkWebhook.ts';
import { ExchangeRecorder } from './exchangeRecorder.ts';
import { runCheck, type CheckOptions } from './runCheck.ts';
import { signatureCheck } from './signatureCheck.ts';
import type { SuiteProgress } from './suite.ts';
import { registeredBy, workingRules, workPrompts, type WorkPrompt } from './workPrompts.ts';
import { resumeMessages, withResume } from './withResume.ts';

interface CheckedAgentOptions {
  readonly http: Http;
  readonly url: string;
  readonly cardHeaders: ConfiguredHeaders;
  readonly headers: ConfiguredHeaders;
  readonly trust: Trust;
  readonly wanted?: InterfaceSelector | undefined;
  readonly prompts: Readonly<Partial<Record<Made, string>>>;
  readonly signal: AbortSignal;
  readonly rules?: ReadonlySet<RuleId>;
  /** Whom the person trusts to sign cards, as `a2a.trustedSigningKeys` has them. */
  readonly trusted: () => unknown;
}

/** An agent whose card was fetched to check it. */
export interface CheckedAgent {
  /** Rules that make it work. */
  readonly working: readonly RuleId[];
  /** Addresses of internal networks that are registered as webhooks for that. */
  readonly registered: readonly string[];
  /** How often a message is sent, at most, where streams are cut as well; 0 where no stream is. */
  readonly resumeMessages: number;
  /** The messages that would be sent for that. */
  readonly prompts: readonly WorkPrompt[];
  /** Rejects as `runCheck`. @param prompts instead of those that are known */
  run(options: {
    readonly allowWork: boolean;
    /** True to cut streams as well, which sends messages. */
    readonly resume?: boolean;
    readonly prompts?: Readonly<Partial<Record<Made, string>>>;
    /** The receiver of push notifications, for rules that need one. */
    readonly openWebhook?: OpenWebhook;
    readonly onProgress: (progress: SuiteProgress) => void;
    /** See `CheckOptions.onContext`. */
    readonly onContext?: (contextId: string) => void;
  }): Promise<CheckReport>;
}

/** Fetches the card of an agent that is to be checked. Rejects with the `Problem`s of `resolveAgentCard`. */
export async function checkedAgent({
  url,
  cardHeaders,
  wanted,
  prompts,
  rules,
  trusted,
  ...access
}: CheckedAgentOptions): Promise<CheckedAgent> {
  const { http, signal } = access;
  const recorder = new ExchangeRecorder();
  const resolved = await resolveAgentCard(url, { http, signal, headers: cardHeaders, log: recorder, wanted });
  const { card, cardUrl, agentUrl, source, findings } = resolved;
  const noCard = resolved.noCard !== undefined;
  const working = workingRules({ card, cardUrl, noCard }, rules, false);
  return {
    working,
    resumeMessages: resumeMessages({ card, cardUrl, noCard, trust: access.trust }),
    registered: registeredBy(working),
    prompts: workPrompts(card, prompts),
    run: async ({ allowWork, resume = false, prompts: given = prompts, openWebhook, onProgress, onContext }) => {
      const options: CheckOptions = {
        ...access,
        card,
        noCard,
        cardUrl,
        agentUrl,
        findings,
        recorder,
        cardJson: JSON.parse(source) as Record<string, unknown>,
        allowWork,
        signature: signatureCheck(http, resolved, trusted),
        prompts: Object.fromEntries(workPrompts(card, given).map(({ made, text }) => [made, [{ text }]])),
        openWebhook,
        onProgress,
        onContext,
        ...(rules !== undefined && { rules }),
      };
      const report = await runCheck(options);
      return resume ? withResume(options, report) : report;
    },
  };
}
