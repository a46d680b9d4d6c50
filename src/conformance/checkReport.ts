import type { Exchange, Frame } from '../protocol/exchange.ts';
import type { LocalizedMessage } from '../protocol/problem.ts';
import type { RuleId, RuleLevel } from '../protocol/ruleId.ts';
import type { ResumeResult } from './resume/resumeReport.ts';
import type { Verdict } from './rules/rule/verdict.ts';

/** An interface of the agent's card. */
export interface CheckedInterface {
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly url: string;
  /** Why nothing was checked over it; undefined for one that was. */
  readonly obstacle?: LocalizedMessage;
  /** A note on the interface, such as that few rules cover its version. */
  readonly remark?: LocalizedMessage;
  /** Set where nothing answered at its address any more. */
  readonly isGone?: true;
  /** Set where no answer was of use: each was a failure that says nothing of A2A, such as HTTP 500, or could not be read. */
  readonly isFailing?: true;
}

/** The verdict on one rule over one interface, with what it rests on. */
export interface CheckResult {
  readonly rule: RuleId;
  /** Index among the interfaces of the report. */
  readonly interface: number;
  readonly level: RuleLevel;
  /** Section in the specification of the interface's version. */
  readonly section: string;
  /** Address of the clause. */
  readonly clause: string;
  /** The requirement of the clause; for a "must not", what it forbids. A user-facing sentence. */
  readonly title: string;
  readonly verdict: Verdict;
  readonly why: LocalizedMessage;
  /** How servers usually mend it; set where something is to be mended. */
  readonly remedy?: LocalizedMessage;
  /** Id of the exchange that it rests on. */
  readonly exchangeId?: string;
  /** Number of the event that it rests on, in a stream. */
  readonly frame?: number;
  /** RFC 6901 pointer into the body or the event's data. */
  readonly pointer?: string;
  /** Where the value stands in the body or the event's data: bytes of UTF-8, from and to (exclusive). */
  readonly bytes?: readonly [from: number, to: number];
}

/** An exchange of a run, with the events of its stream. Both are cut at the bounds of `ExchangeRecorder`. */
export interface CheckExchange {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
}

/** How a run ended: all was asked; the person stopped it; it was to end with the first failure; it reached a bound (`checkBounds`). */
export type CheckEnd = 'complete' | 'stopped' | 'bailed' | 'requests' | 'time';

/** A run of the conformance suite: plain JSON, as the history keeps it. */
export interface CheckReport {
  readonly format: 1;
  readonly agent: { readonly name: string; readonly version: string; readonly url: string; readonly cardUrl: string };
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly end: CheckEnd;
  /** How many verdicts are missing since the run ended before; undefined where none is, and in reports that did not count them. */
  readonly unchecked?: number;
  /** Set where the agent could not be reached any more over an interface. */
  readonly isGone?: true;
  /** Set where the agent answered nothing over an interface but that it wants credentials. */
  readonly isLocked?: true;
  /** Set where no answer over an interface was of use. */
  readonly isFailing?: true;
  /** Where push notifications of the agent were received, such as `http://127.0.0.1:4711`; undefined where no rule needed that. */
  readonly receivedAt?: string;
  /** True if checks that start tasks were included. */
  readonly allowWork: boolean;
  readonly interfaces: readonly CheckedInterface[];
  /** In the order of the interfaces, and within one in that of the rules: one for each rule that holds, unless the run was stopped. */
  readonly results: readonly CheckResult[];
  /** Those that results rest on, in the order in which they began. */
  readonly exchanges: readonly CheckExchange[];
  /** Streams that were cut, by interface; undefined where none was to be. */
  readonly resume?: readonly ResumeResult[];
}

/** True if nothing could be decided over some interface: there was no answer, or refusals and failures alone. */
export const isUndecided = ({ isGone, isLocked, isFailing }: Pick<CheckReport, 'isGone' | 'isLocked' | 'isFailing'>): boolean =>
  isGone === true || isLocked === true || isFailing === true;

/** How an interface is called. */
export const interfaceTitle = ({ protocolBinding, protocolVersion, url }: CheckedInterface): string =>
  `${protocolBinding} ${protocolVersion} ${url}`;

/** The part of a rule's id before the number: `CORE`. */
export const familyOf = (rule: string): string => rule.replace(/-\d+$/, '');

/** Rules that the card alone keeps or breaks. */
export const isOfCard = (rule: string): boolean => rule.startsWith('CARD-') || rule.startsWith('SIGN-');

/** True for rules that the card, or refusals, decide. CARD-07, the support of an interface, needs answers. */
export const decidedWithoutAnswers = (rule: string): boolean => rule !== 'CARD-07' && ['CARD', 'SIGN', 'AUTH'].includes(familyOf(rule));

export const isMust = (level: RuleLevel): boolean => level === 'MUST' || level === 'MUST NOT';
