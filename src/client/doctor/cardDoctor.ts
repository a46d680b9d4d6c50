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
import { versionByWebhooks } from './versionByWebhooks.ts';
import { messagesOnly } from './messagesOnly.ts';
import { diagnosisWithoutFix, mismatches, type InterfaceFacts } from './mismatches.ts';
import { otherVersion } from './otherVersion.ts';
import { useInterface } from './suggestedFixes.ts';
import { ReplyMemory } from './replyMemory.ts';
import { otherCard } from './otherCard.ts';

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

/** What agents ask of it. */
export type CardDoctor = Pick<CardDiagnoser, 'examine' | 'versionSpoken' | 'forgetFailures'>;

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
    const asking = this.#asking(target);
    const [spoken, other] = await Promise.all([
      context.usedInterface === undefined ? [] : this.#askSpoken(context, context.usedInterface, asking),
      otherCard(target, this.#httpFor(target), asking.signal, this.#options.log),
    ]);
    // What the agent's replies show is more reliable than what the card leaves open.
    const ofCard = diagnoseCard(context).filter(({ finding: { pointer } }) => !spoken.some(found => found.finding.pointer === pointer));
    return [...(await this.#tried(ofCard, context, asking)), ...spoken, ...other];
  }

  /** The version to use where the card is unclear about it; undefined where the card is clear or nothing better is known. */
  async versionSpoken(target: DiagnosisTarget): Promise<{ readonly claimed: AgentInterface; readonly spoken: AgentInterface } | undefined> {
    const context = diagnosisContextOf(target);
    const { usedInterface, detection } = context;
    const { url, protocolVersion } = target.wanted;
    if (usedInterface === undefined || detection?.certainty !== 'low' || url !== undefined || protocolVersion !== undefined)
      return undefined;
    const asking = this.#asking(target);
    const settled = await asking.findVersion(usedInterface, supported => otherVersions(usedInterface, context, supported));
    const found = settled === undefined ? undefined : ((await versionByWebhooks(settled, context, asking)) ?? settled);
    return found === undefined || found === usedInterface ? undefined : { claimed: usedInterface, spoken: found };
  }

  /** Forgets failures, so that the next diagnosis asks again: the cause may have been fixed. */
  forgetFailures(): void {
    this.#memory.forgetFailures();
  }

  #httpFor({ connection }: DiagnosisTarget): Http {
    return connection === undefined ? this.#options.http : this.#options.http.for(connection);
  }

  #asking(target: DiagnosisTarget): DiagnosisRequests {
    const { log, timeoutMs = timeLimits.diagnosis } = this.#options;
    return new DiagnosisRequests({
      target,
      http: this.#httpFor(target),
      memory: this.#memory,
      signal: AbortSignal.timeout(timeoutMs),
      limit: maxRequests,
      ...(log && { log }),
    });
  }

  /** Fixes for problems of the card itself refer to the interface in use: they are suggested only if it answers. */
  async #tried(found: readonly Diagnosis[], { usedInterface }: DiagnosisContext, asking: DiagnosisRequests): Promise<readonly Diagnosis[]> {
    if (found.every(({ suggestedFix }) => suggestedFix === undefined)) return found;
    const works = usedInterface !== undefined && (await asking.findWorking(usedInterface, () => [])) !== undefined;
    return works ? found : found.map(({ suggestedFix: _, ...bare }) => bare);
  }

  async #askSpoken(context: DiagnosisContext, entry: AgentInterface, asking: DiagnosisRequests): Promise<Diagnosis[]> {
    const {
      pointer,
      target: { wanted },
    } = context;
    const reply = await asking.ask(entry);
    if (reply?.kind === 'speaks') {
      const other = await versionByWebhooks(entry, context, asking);
      return other === undefined || (await asking.takesMessages(other)) === false ? [] : [otherVersion(context, entry, other)];
    }
    if (reply?.kind === 'other-version') {
      const settled = await asking.findWorking(entry, supported => otherVersions(entry, context, supported));
      if (settled !== undefined) return [otherVersion(context, entry, settled)];
    }
    const partly = reply === undefined ? undefined : await messagesOnly(context, entry, reply, asking);
    if (partly !== undefined) return [partly];
    const symptom: InterfaceFacts = { context, entry, reply, hostIsKnown: await this.#isKnown(entry.url, asking.signal) };
    for (const { rule, member, matches, instead, sentence } of mismatches) {
      if (!matches(symptom)) continue;
      for (const candidate of instead(symptom)) {
        const found = await asking.findWorking(candidate, supported => otherVersions(candidate, context, supported));
        if (found !== undefined) return [diagnosis(rule, pointer(member), 'error', sentence(symptom, found), useInterface(found, entry))];
      }
    }
    const result = diagnosisWithoutFix(symptom);
    // If the address from the person cannot be reached, connecting to it reports that.
    if (result === undefined || (reply?.kind === 'unreachable' && wanted.url !== undefined)) return [];
    const [rule, member, what] = result;
    // What lacks one operation may well do the others.
    const severity = reply?.kind === 'other-version' && reply.lacks === true ? 'warning' : 'error';
    return [diagnosis(rule, pointer(member), severity, what)];
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
