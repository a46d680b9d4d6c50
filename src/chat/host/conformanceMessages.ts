import * as z from 'zod';
import type { Verdict } from '../../conformance/rules/rule/verdict.ts';

/**
 * A result as the page shows it; texts are translated.
 *
 * To show more of a result: a member here, what fills it in `workbench/conformance/shownRun.ts`, its looks in
 * `chat/conformancePage/matrix.tsx`.
 */
export interface ShownResult {
  readonly rule: string;
  readonly title: string;
  readonly level: string;
  readonly section: string;
  readonly family: string;
  /** Index among the interfaces. */
  readonly interface: number;
  readonly verdict: Verdict;
  readonly why: string;
  readonly remedy?: string;
  /** Set where the run before had another verdict. */
  readonly change?: 'fixed' | 'new' | 'other';
  readonly before?: Verdict;
  readonly hasExchange: boolean;
  /** Set where the only reason is that the agent did not answer; one remark covers all of them. */
  readonly isUnanswered?: true;
}

/** Streams of one interface that were cut; texts are translated. */
export interface ShownResume {
  readonly interface: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly after: number;
    readonly how: string;
    readonly outcome: string;
    readonly details?: string;
    /** Gives the icon and its color. */
    readonly verdict: Verdict;
  }[];
  readonly remarks: readonly string[];
}

export interface ShownCounts {
  readonly title: string;
  readonly counts: Readonly<Record<Verdict, number>>;
}

/** A run of the suite. */
export interface ShownRun {
  readonly id: number;
  readonly when: string;
  /** Remarks about the run as a whole. */
  readonly remarks: readonly string[];
  /** "2 fixed, 1 new", with the time of the run it is compared with. */
  readonly comparison?: string;
  readonly interfaces: readonly { readonly title: string; readonly short: string; readonly remark?: string }[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly levels: readonly ShownCounts[];
  readonly families: readonly (ShownCounts & { readonly key: string })[];
  readonly results: readonly ShownResult[];
  /** Undefined where no stream was to be cut. */
  readonly resume?: readonly ShownResume[];
}

/** Deviations from one rule in ordinary traffic. */
export interface ShownDeviation {
  readonly rule: string;
  readonly title: string;
  readonly level: string;
  readonly count: number;
  readonly last: string;
  readonly message: string;
  readonly exchangeId: string;
}

/** Sent by the host each time something of the page changes. */
export interface ConformanceView {
  readonly type: 'view';
  /** To restore the page after a reload. */
  readonly agent: string;
  /** Set while a check runs. */
  readonly progress?: { readonly done: number; readonly total: number; readonly what: string };
  readonly run?: ShownRun;
  /** The runs that are kept, the newest first. */
  readonly runs: readonly { readonly id: number; readonly label: string }[];
  readonly deviations: readonly ShownDeviation[];
  /** Set where VS Code has a chat for *Fix with Chat*. */
  readonly offersFix?: true;
  /** Names of verdicts, translated. */
  readonly verdicts: Readonly<Record<Verdict, string>>;
  readonly strings: Readonly<Record<string, string>>;
}

/** The exchange that a result rests on. */
export interface EvidenceView {
  readonly type: 'evidence';
  readonly run: number;
  readonly index: number;
  readonly request: string;
  /** The received text, cut around the decisive value. */
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  /** Status, and which bytes are marked. */
  readonly status: string;
  readonly bytes?: string;
}

/** Sent by the page to the host. */
export const ConformancePageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['ready', 'check', 'stop', 'export']) }),
  /** Shows another run. */
  z.object({ type: z.literal('show'), run: z.int() }),
  /** `clause` opens the clause of a result in the browser; `fix` fills its evidence into the chat of VS Code. */
  z.object({ type: z.literal(['evidence', 'clause', 'fix']), run: z.int(), index: z.int().min(0) }),
  z.object({ type: z.literal('exchange'), id: z.string().max(200) }),
]);
export type ConformancePageMessage = z.infer<typeof ConformancePageMessage>;
