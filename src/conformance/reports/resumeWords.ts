import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { interfaceTitle, type CheckReport } from '../checkReport.ts';
import { hasLost, type CutOutcome, type CutResult, type ResumedBy, type ResumeResult, type SentTwice } from '../resume/resumeReport.ts';
import type { Verdict } from '../rules/rule/verdict.ts';

export const resumeTitle = sentence('Streams Cut and Resumed');

/** Heads of the columns of a table of cuts. */
export const resumeColumns = [
  sentence('Cut After Event'),
  sentence('Resumed With'),
  sentence('Outcome'),
] as const satisfies readonly LocalizedMessage[];

const resumedBy: Readonly<Record<ResumedBy, LocalizedMessage>> = {
  subscribed: sentence('{0}', 'SubscribeToTask'),
  asked: sentence('{0}', 'GetTask'),
  refused: sentence('nothing: both were refused'),
  uncut: sentence('not cut: the stream ended before'),
};

const outcomes: Readonly<Record<CutOutcome, LocalizedMessage>> = {
  same: sentence('same'),
  lost: sentence('lost'),
  repeated: sentence('repeated'),
  differs: sentence('differs'),
  'never ended': sentence('never ended'),
};

/** A cut for people, and the verdict in whose color it is shown. */
interface ResumeRow {
  readonly after: number;
  readonly how: LocalizedMessage;
  readonly outcome: LocalizedMessage;
  readonly details?: LocalizedMessage;
  readonly verdict: Extract<Verdict, 'pass' | 'fail' | 'warn'>;
}

/** The cuts over one interface, for people. */
interface ResumeSection {
  readonly interface: string;
  readonly rows: readonly ResumeRow[];
  readonly remarks: readonly LocalizedMessage[];
}

export const resumeSections = ({ resume = [], interfaces }: Pick<CheckReport, 'resume' | 'interfaces'>): readonly ResumeSection[] =>
  resume.map(result => ({
    interface: interfaceTitle(interfaces[result.interface]!),
    rows: result.cuts.map(rowOf),
    remarks: remarksOn(result),
  }));

const rowOf = (cut: CutResult): ResumeRow => ({
  after: cut.after,
  how: resumedBy[cut.how],
  outcome: outcomes[cut.outcome],
  ...(cut.details !== undefined && { details: cut.details }),
  verdict: cut.outcome === 'same' ? 'pass' : hasLost(cut) ? 'fail' : 'warn',
});

function remarksOn({ obstacle, isSteady, remark, sentTwice }: ResumeResult): readonly LocalizedMessage[] {
  return [
    obstacle,
    isSteady
      ? undefined
      : sentence(
          'Two uncut runs differed, so different content proves nothing: states and numbers of artifacts are compared, and each stream with the answer to GetTask.',
        ),
    remark,
    sentTwice && sentTwiceSentence(sentTwice),
  ].filter(each => each !== undefined);
}

function sentTwiceSentence({ outcome, details = sentence('{0}', '-') }: SentTwice): LocalizedMessage {
  switch (outcome) {
    case 'same task':
      return sentence('The same message sent twice: answered with the same task.');
    case 'second task':
      return sentence(
        'The same message sent twice: a second task began, so a client that sends again after a failure gets the work twice.',
      );
    case 'message':
      return sentence('The same message sent twice: answered with a message.');
    case 'refused':
      return sentence('The same message sent twice: refused the second time. {0}', details);
  }
}

/** One line of a cut: `lost: Missing: "two "`. */
export const outcomeOfRow = ({ outcome, details }: Pick<ResumeRow, 'outcome' | 'details'>): LocalizedMessage =>
  details === undefined ? outcome : sentence('{0}: {1}', outcome, details);
