import { hint, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Verdict } from '../../protocol/rules/rule/probe.ts';
import type { RuleLevel } from '../../protocol/rules/rule/rule.ts';
import type { CheckEnd, CheckReport } from '../checkReport.ts';

/** Writes a sentence in the language of the report. */
export type Say = (message: LocalizedMessage) => string;

/** Verdicts for people. */
export const verdictWords: Readonly<Record<Verdict, LocalizedMessage>> = {
  pass: sentence('passed'),
  fail: sentence('failed'),
  warn: sentence('warning'),
  disputed: sentence('disputed'),
  inconclusive: sentence('inconclusive'),
  'not-testable': sentence('not testable'),
  'not-applicable': sentence('not applicable'),
};

/** Why a run is not complete; undefined where it is. */
const endWords: Readonly<Record<CheckEnd, LocalizedMessage | undefined>> = {
  complete: undefined,
  stopped: sentence('The check was stopped: only a part of the rules was checked.'),
  bailed: sentence('The check ended with the first failure, as it was told to.'),
};

const goneWords = sentence('The agent could not be reached any more: what was left is inconclusive.');
const lockedWords = hint(
  sentence('The agent asks for credentials before it answers anything: sign in, and check it again.'),
  'The agent asks for credentials before it answers anything: sign in with "a2a auth login", or give them with --header.',
);

/** What is to be known of a run as a whole: how it ended, and what could not be asked. */
export const remarksOn = ({ end, isGone, isLocked }: Pick<CheckReport, 'end' | 'isGone' | 'isLocked'>): readonly LocalizedMessage[] =>
  [endWords[end], isGone === true ? goneWords : undefined, isLocked === true ? lockedWords : undefined].filter(each => each !== undefined);

/** Before the title of a rule that says what is forbidden; `""` for any other. */
export const forbidden = (level: RuleLevel): string => (level.endsWith(' NOT') ? `${level}: ` : '');

/** What families of rules are about, by what their ids begin with. */
export const familyWords: Readonly<Record<string, LocalizedMessage>> = {
  CARD: sentence('Agent card'),
  SIGN: sentence('Signatures of the card'),
  EXT: sentence('Protocol extensions'),
  EXTCARD: sentence('Extended card'),
  AUTH: sentence('Authentication'),
  VER: sentence('Versions'),
  RPC: sentence('JSON-RPC'),
  HTTP: sentence('HTTP+JSON'),
  GRPC: sentence('gRPC'),
  DATA: sentence('Data'),
  CORE: sentence('Messages and tasks'),
  LIST: sentence('Lists of tasks'),
  STRM: sentence('Streams'),
  PUSH: sentence('Push notifications'),
  'TASK-AUTH': sentence('Authorization of tasks'),
  TEN: sentence('Tenants'),
  EQ: sentence('Equal interfaces'),
};
