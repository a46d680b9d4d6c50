import { lookup } from 'node:dns/promises';
import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { Http } from '../http/http.ts';
import { timeLimits } from '../http/timeLimits.ts';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import type { WireLog } from '../wireLog/wireLog.ts';
import { DiagnosisRequests } from './diagnosisRequests.ts';
import { otherVersions } from './candidates.ts';
import { diagnoseCard } from './cardDiagnoses.ts';
import { diagnosis, type Diagnosis } from './diagnosis.ts';
import { diagnosisContextOf, type DiagnosisContext, type DiagnosisTarget } from './diagnosisTarget.ts';
import { diagnosisWithoutFix, mismatches, type InterfaceFacts } from './mismatches.ts';
import { useInterface } from './suggestedFixes.ts';
import { ReplyMemory } from './replyMemory.ts';
import { messagesOfOtherVersion, messagesOnly, otherVersion } from './versionDiagnoses.ts';

export interface CardDiagnoserOptions {
  readonly http: Http;
  /** Records the exchanges of the diagnosis. */
  readonly log?: WireLog;
  /** Longest time of one diagnosis, in milliseconds. */
  readonly timeoutMs?: number;
  /** The current time in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Resolves a host name; rejects with the code `ENOTFOUND` where it is unknown. */
  readonly lookUp?: (hostname: string) => Promise<unknown>;
}

/** Part that agents use. */
export type CardDoctor = Pick<CardDiagnoser, 'examine' | 'supportedVersion' | 'forgetFailures'>;

/** Most requests of one diagnosis. */
const maxRequests = 16;

/** Diagnoses where a card does not match its agent, and suggests fixes. */
export class CardDiagnoser {
  readonly #options: CardDiagnoserOptions;
  readonly #memory: ReplyMemory;

  constructor(options: CardDiagnoserOptions) {
    this.#options = options;
    this.#memory = new ReplyMemory(options.now);
  }

  /**
   * All diagnoses, those of the card itself first. Sends a few requests that change nothing (reading a task that does not exist) to
   * approved origins only, for at most five seconds. Rejects only because of a defect in our code.
   */
  async examine(target: DiagnosisTarget): Promise<readonly Diagnosis[]> {
    const context = diagnosisContextOf(target);
    const requests = this.#requests(target);
    const ofReplies = context.usedInterface === undefined ? [] : await this.#ofReplies(context, context.usedInterface, requests);
    // The agent's replies are more reliable than the open places of its card.
    const ofCard = diagnoseCard(context).filter(({ finding: { pointer } }) => !ofReplies.some(found => found.finding.pointer === pointer));
    return [...(await this.#tried(ofCard, context, requests)), ...ofReplies];
  }

  /** The version to use where the card is unclear about it; undefined where the card is clear or nothing better is known. */
  async supportedVersion(
    target: DiagnosisTarget,
  ): Promise<{ readonly claimed: AgentInterface; readonly supported: AgentInterface } | undefined> {
    const context = diagnosisContextOf(target);
    const { usedInterface, detection } = context;
    const { url, protocolVersion } = target.wanted;
    if (usedInterface === undefined || detection?.certainty !== 'low' || url !== undefined || protocolVersion !== undefined)
      return undefined;
    const requests = this.#requests(target);
    const found = await requests.findVersion(usedInterface, supported => otherVersions(usedInterface, context, supported));
    return found === undefined || found === usedInterface ? undefined : { claimed: usedInterface, supported: found };
  }

  /** Forgets failures, so that the next diagnosis asks again: the cause may have been fixed. */
  forgetFailures(): void {
    this.#memory.forgetFailures();
  }

  #requests(target: DiagnosisTarget): DiagnosisRequests {
    const { http, log, timeoutMs = timeLimits.diagnosis } = this.#options;
    return new DiagnosisRequests({
      target,
      http: target.connection === undefined ? http : http.for(target.connection),
      memory: this.#memory,
      signal: AbortSignal.timeout(timeoutMs),
      limit: maxRequests,
      ...(log && { log }),
    });
  }

  /** Fixes for problems of the card itself refer to the interface in use: they are suggested only if it answers. */
  async #tried(
    found: readonly Diagnosis[],
    { usedInterface }: DiagnosisContext,
    requests: DiagnosisRequests,
  ): Promise<readonly Diagnosis[]> {
    if (found.every(({ suggestedFix }) => suggestedFix === undefined)) return found;
    const works = usedInterface !== undefined && (await requests.findWorking(usedInterface, () => [])) !== undefined;
    return works ? found : found.map(({ suggestedFix: _, ...bare }) => bare);
  }

  /** Diagnoses from what the interface in use replies. */
  async #ofReplies(context: DiagnosisContext, entry: AgentInterface, requests: DiagnosisRequests): Promise<Diagnosis[]> {
    const {
      pointer,
      target: { wanted, versionRefused },
    } = context;
    const reply = await requests.ask(entry);
    if (reply?.kind === 'supported') {
      if (versionRefused !== true || (await requests.takesMessages(entry)) !== false) return [];
      const other = await messagesOfOtherVersion(context, entry, [], requests);
      return other === undefined ? [] : [other];
    }
    if (reply?.kind === 'other-version') {
      const settled = await requests.findWorking(entry, supported => otherVersions(entry, context, supported));
      if (settled !== undefined) return [otherVersion(context, entry, settled)];
    }
    const partly = reply === undefined ? undefined : await messagesOnly(context, entry, reply, requests);
    if (partly !== undefined) return [partly];
    const symptom: InterfaceFacts = { context, entry, reply, hostIsKnown: await this.#isKnown(entry.url, requests.signal) };
    for (const { rule, member, matches, instead, sentence } of mismatches) {
      if (!matches(symptom)) continue;
      for (const candidate of instead(symptom)) {
        const found = await requests.findWorking(candidate, supported => otherVersions(candidate, context, supported));
        if (found === undefined) continue;
        return [{ ...diagnosis(rule, pointer(member), 'error', sentence(symptom, found), useInterface(found, entry)), unanswered: entry }];
      }
    }
    const result = diagnosisWithoutFix(symptom);
    // If the address from the person cannot be reached, connecting to it reports that.
    if (result === undefined || (reply?.kind === 'unreachable' && wanted.url !== undefined)) return [];
    const [rule, member, what] = result;
    // An agent without one operation may have the others.
    const isPartial = reply?.kind === 'other-version' && reply.lacks === true;
    return [
      isPartial
        ? diagnosis(rule, pointer(member), 'warning', what)
        : { ...diagnosis(rule, pointer(member), 'error', what), unanswered: entry },
    ];
  }

  /** False for a host name that does not exist; true also if the lookup takes too long. */
  async #isKnown(url: string, signal: AbortSignal): Promise<boolean> {
    const hostname = URL.canParse(url) ? new URL(url).hostname : '';
    if (hostname === '' || isLoopback(hostname) || hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return true;
    const { lookUp = lookup } = this.#options;
    const tooLong = Promise.withResolvers<boolean>();
    const onAbort = (): void => tooLong.resolve(true);
    if (signal.aborted) return true;
    signal.addEventListener('abort', onAbort, { once: true });
    const found = lookUp(hostname).then(
      () => true,
      (error: unknown) => (error as { readonly code?: string }).code !== 'ENOTFOUND',
    );
    return Promise.race([found, tooLong.promise]).finally(() => signal.removeEventListener('abort', onAbort));
  }
}
