import { hint, listOf, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { RuleLevel } from '../../protocol/ruleId.ts';
import { checkBounds } from '../checkLimit.ts';
import { interfaceTitle, type CheckReport, type CheckResult } from '../checkReport.ts';
import { countsOf, inconclusiveMusts, leftOutSentence, lostSentence, unanswered, unansweredSentence } from '../checkSummary.ts';
import { type Verdict, verdictOrder } from '../rules/rule/verdict.ts';

/** Writes a sentence in the language of the report. */
export type Say = (message: LocalizedMessage) => string;

/** Verdicts for people. */
export const verdictWords: Readonly<Record<Verdict, LocalizedMessage>> = {
  pass: sentence('passed'),
  fail: sentence('failed'),
  warn: sentence('warning'),
  disputed: sentence('disputed'),
  inconclusive: sentence('inconclusive'),
  'not-testable': sentence('not tested'),
  'not-applicable': sentence('not applicable'),
};

/** After their number. */
export const verdictsWord = (verdict: Verdict, count: number): LocalizedMessage =>
  verdict === 'warn' && count !== 1 ? sentence('warnings') : verdictWords[verdict];

/** Before the title of a rule that says what is forbidden; `""` for any other. */
export const forbidden = (level: RuleLevel): string => (level.endsWith(' NOT') ? `${level}: ` : '');

/** How many rules have which verdict, the worst first: "2 failed, 6 passed". */
export function verdictLine({ results }: Pick<CheckReport, 'results'>, say: Say): string {
  const counts = countsOf(results);
  const told = verdictOrder.filter(verdict => counts[verdict] > 0);
  return told.length === 0
    ? say(sentence('Nothing was checked'))
    : say(listOf(told.map(verdict => sentence('{0} {1}', counts[verdict], verdictsWord(verdict, counts[verdict])))));
}

/** Headings of a failure in a report for people: the requirement, or what is forbidden, and the answer. */
export const failureWords = {
  wanted: (level: RuleLevel): LocalizedMessage => (forbidden(level) === '' ? sentence('Expected') : sentence('Must not occur')),
  came: sentence('Received'),
  remedy: sentence('How to fix it'),
  clause: sentence('Specification'),
} as const;

/** Where in what came a result is decided: the event of a stream, counted from 1, and a JSON pointer; undefined for the answer as a whole. */
export function placeWords({ frame, pointer = '' }: Pick<CheckResult, 'frame' | 'pointer'>): LocalizedMessage | undefined {
  const event = frame === undefined ? undefined : sentence('event {0} of the stream', frame + 1);
  if (pointer === '') return event;
  return event === undefined ? sentence('at {0}', pointer) : sentence('{0}, at {1}', event, pointer);
}

/** Why a run is not complete; undefined for one that is. */
export function endRemark({
  end,
  results,
  unchecked = 0,
}: Pick<CheckReport, 'end' | 'results' | 'unchecked'>): LocalizedMessage | undefined {
  const missing = [unchecked, results.length + unchecked] as const;
  switch (end) {
    case 'complete':
      return undefined;
    case 'stopped':
      return unchecked === 0
        ? sentence('The check was stopped: only some of the rules were checked.')
        : sentence('The check was stopped: {0} of {1} verdicts are missing.', ...missing);
    case 'bailed':
      return unchecked === 0
        ? sentence('The check ended with the first failure, as requested.')
        : sentence('The check ended with the first failure, as requested: {0} of {1} verdicts are missing.', ...missing);
    case 'requests':
      return hint(
        sentence(
          'The check stopped at the limit of {0} requests: {1} of {2} verdicts are missing. Run fewer rules at a time in the Test Explorer.',
          checkBounds.requests,
          ...missing,
        ),
        'The check stopped at the limit of {0} requests: {1} of {2} verdicts are missing. Check less at a time, with --rules or --interface.',
      );
    case 'time':
      return hint(
        sentence(
          'The check stopped at the limit of {0} minutes: {1} of {2} verdicts are missing. Run fewer rules at a time in the Test Explorer.',
          checkBounds.ms / 60_000,
          ...missing,
        ),
        'The check stopped at the limit of {0} minutes: {1} of {2} verdicts are missing. Check less at a time, with --rules or --interface.',
      );
  }
}

/** The remark for programs, which get bounds alone; undefined for any other end. */
export const boundRemark = (report: CheckReport): LocalizedMessage | undefined =>
  report.end === 'requests' || report.end === 'time' ? endRemark(report) : undefined;

/** Reasons why a run is not complete. */
export function checkRemarks(report: CheckReport): readonly LocalizedMessage[] {
  const { isGone, receivedAt, interfaces } = report;
  const ended = endRemark(report);
  const remarks: LocalizedMessage[] = ended === undefined ? [] : [ended];
  const silent = unanswered(report);
  const silences = interfaces.flatMap((entry, index) => {
    const said = unansweredSentence(silent, index);
    return said === undefined ? [] : [sentence('{0}: {1}', interfaceTitle(entry), said)];
  });
  remarks.push(...silences);
  if (isGone === true && silences.length === 0)
    remarks.push(sentence('The agent could no longer be reached: the remaining rules are inconclusive.'));
  const lost = lostSentence(report);
  if (lost !== undefined) remarks.push(lost);
  const leftOut = leftOutSentence(report);
  if (leftOut !== undefined) remarks.push(leftOut);
  const unknown = inconclusiveMusts(report);
  if (unknown > 0)
    remarks.push(
      unknown === 1
        ? sentence('1 MUST is inconclusive: the check cannot say whether the agent keeps it.')
        : sentence('{0} MUSTs are inconclusive: the check cannot say whether the agent keeps them.', unknown),
    );
  if (receivedAt !== undefined)
    remarks.push(sentence('The agent was given {0} as the address for push notifications of the check.', receivedAt));
  return remarks;
}

/** The subjects of families of rules, by the prefix of their ids. */
export const familyWords: Readonly<Record<string, LocalizedMessage>> = {
  CARD: sentence('Agent card'),
  SIGN: sentence('Card signatures'),
  EXT: sentence('Protocol extensions'),
  EXTCARD: sentence('Extended card'),
  AUTH: sentence('Authentication'),
  VER: sentence('Versions'),
  RPC: sentence('JSON-RPC'),
  HTTP: sentence('HTTP+JSON'),
  GRPC: sentence('gRPC'),
  DATA: sentence('Data'),
  CORE: sentence('Messages and tasks'),
  LIST: sentence('Task lists'),
  STRM: sentence('Streams'),
  PUSH: sentence('Push notifications'),
  'TASK-AUTH': sentence('Task authorization'),
  TEN: sentence('Tenants'),
  EQ: sentence('Equal interfaces'),
};
