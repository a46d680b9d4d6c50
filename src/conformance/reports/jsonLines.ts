import { jsonEscape, replaceControls, replaceInvisible } from '../../protocol/hiddenCharacters.ts';
import { inTerminal } from '../../protocol/problem.ts';
import { interfaceTitle, type CheckEnd, type CheckReport } from '../checkReport.ts';
import { evidenceFor } from './checkEvidence.ts';
import type { CutResult, ResumeResult } from '../resume/resumeReport.ts';
import { boundRemark } from './checkWords.ts';

/** A result for programs: the exchange that it rests on stands in it, `null` where there is none. */
interface CheckLine {
  readonly rule: string;
  readonly interface: string;
  readonly level: string;
  readonly section: string;
  readonly verdict: string;
  readonly why: string;
  readonly exchange: object | null;
}

/** The last line of a run that reached a bound: which, and why it is not complete. */
interface CheckEndLine {
  readonly end: CheckEnd;
  readonly why: string;
}

/** The streams that were cut over one interface, with sentences instead of templates. */
interface CheckResumeLine {
  readonly interface: string;
  readonly resume: object;
}

/** One object for each rule and interface, one for each interface whose streams were cut, and one more where the run reached a bound. */
export function checkLines(report: CheckReport): readonly (CheckLine | CheckResumeLine | CheckEndLine)[] {
  const ended = boundRemark(report);
  const resume = (report.resume ?? []).map(({ interface: index, ...result }) => ({
    interface: interfaceTitle(report.interfaces[index]!),
    resume: withSentences(result),
  }));
  return [...resultLines(report), ...resume, ...(ended === undefined ? [] : [{ end: report.end, why: inTerminal(ended) }])];
}

const detailed = <Has extends Pick<CutResult, 'details'>>({ details, ...rest }: Has) => ({
  ...rest,
  ...(details !== undefined && { details: inTerminal(details) }),
});

const withSentences = ({ obstacle, remark, cuts, sentTwice, ...rest }: Omit<ResumeResult, 'interface'>): object => ({
  ...rest,
  ...(obstacle !== undefined && { obstacle: inTerminal(obstacle) }),
  ...(remark !== undefined && { remark: inTerminal(remark) }),
  cuts: cuts.map(detailed),
  ...(sentTwice !== undefined && { sentTwice: detailed(sentTwice) }),
});

const resultLines = (report: CheckReport): readonly CheckLine[] =>
  report.results.map(result => {
    const { rule, interface: index, level, section, clause, title, verdict, why, remedy, pointer, bytes } = result;
    const evidence = evidenceFor(report, result);
    return {
      rule,
      interface: interfaceTitle(report.interfaces[index]!),
      level,
      section,
      verdict,
      why: inTerminal(why),
      title,
      clause,
      ...(remedy !== undefined && { remedy: inTerminal(remedy) }),
      ...(pointer !== undefined && { pointer }),
      ...(bytes !== undefined && { bytes }),
      exchange:
        evidence === undefined
          ? null
          : {
              ...evidence.exchange,
              failureSentence: undefined,
              ...(evidence.frames.length > 0 && { frames: evidence.frames }),
              ...(evidence.frame !== undefined && { frame: evidence.frame }),
            },
    };
  });

/** The same as text, one a line, with invisible characters as JSON escapes. */
export const checkLinesText = (report: CheckReport): string =>
  checkLines(report)
    .map(line => `${replaceInvisible(replaceControls(JSON.stringify(line), jsonEscape), jsonEscape)}\n`)
    .join('');
