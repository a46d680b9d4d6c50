import type { RuleId, RuleLevel } from '../../../protocol/ruleId.ts';
import type { PassiveCheck } from './passiveCheck.ts';
import type { Probe } from './probe.ts';

/** The protocol versions that rules are about. Drafts, and APIs that are not A2A, have none. */
export type RuleVersion = '1.0' | '0.3' | '0.2' | '0.1';

type RuleBinding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/**
 * A conformance rule: what the specification wants of an agent, and how that is checked.
 *
 * To add one: a file in the folder of its family that exports `rule`, then `A2A_WRITE=1 npm test -- unit --grep "tables of rules"`, which writes
 * the tables and `docs/conformance-rules.md`, and a decoy in `test/support/conformance/decoys/` that breaks this rule and no other. A passive
 * rule that looks at fewer answers than its family has a row in `exceptions` of `evidence.ts`, or silence counts as kept. A new family also
 * has a row in `familyWords` (`reports/checkWords.ts`).
 */
export interface Rule {
  readonly id: RuleId;
  readonly level: RuleLevel;
  /** A user-facing sentence; that of a "must not" says what is forbidden. */
  readonly title: string;
  /** How servers usually mend what breaks it, a user-facing sentence. */
  readonly remedy: string;
  /** Heading of its clause in the A2A 1.0 specification, with the number; of a rule that only 0.3 has, the number of the clause there. */
  readonly clause: string;
  /** Heading of its clause in the A2A 0.3 specification; undefined where that has no such rule. */
  readonly clause0_3?: string;
  readonly versions: readonly RuleVersion[];
  /** The bindings that it holds for; all where undefined. */
  readonly bindings?: readonly RuleBinding[];
  /** How it is checked on what comes anyway. */
  readonly passive?: PassiveCheck;
  /** Set where the code that reads answers notes deviations from it. */
  readonly whileReading?: true;
  /** How it is checked by asking the agent. */
  readonly probe?: Probe;
  /** Set where the probe makes the agent work. */
  readonly startsWork?: true;
  /** Set where the probe looks at tasks that others have begun. */
  readonly needsTasks?: true;
  /**
   * An address of internal networks that is registered as a webhook, shown to the person who is asked for permission. Such a rule starts
   * work, too.
   */
  readonly registers?: string;
  /** Set where the agent has to be given the address of a webhook. */
  readonly needsReceiver?: true;
  /** Set where one identity has to ask for what belongs to another. */
  readonly needsTwoIdentities?: true;
  /** Ids of the requirements of the official kit (`a2aproject/a2a-tck`, branch 1.0-dev) that it covers. */
  readonly kit: readonly string[];
  /**
   * The point on which the official texts disagree, a user-facing sentence: no agent fails for it. The check marks such findings as
   * disputed.
   */
  readonly disputed?: string;
}

/** True if the rule covers a protocol version over a binding; for cards, a version alone. */
export const holdsFor = (rule: Rule, version: string, binding?: string): boolean =>
  (rule.versions as readonly string[]).includes(version) &&
  (binding === undefined || rule.bindings === undefined || (rule.bindings as readonly string[]).includes(binding));

/** The section of the rule in the specification of a version: that of 1.0, or that of 0.3 for 0.3 and older. */
export const sectionOf = ({ clause, clause0_3 = clause }: Rule, version: RuleVersion): string =>
  (version === '1.0' ? clause : clause0_3).split(' ', 1)[0]!;

/** Where a rule is specified. */
interface Citation {
  readonly section: string;
  /** Set where that is not the specification of A2A 1.0. */
  readonly specification?: '0.3';
}

/** Where a rule is specified for an interface of that version: 0.3 and older have the text of 0.3, as far as it has the rule. */
export const citationOf = (rule: Rule, protocolVersion: string): Citation =>
  /^0\.[1-3]$/.test(protocolVersion) && rule.clause0_3 !== undefined
    ? { section: sectionOf(rule, '0.3'), specification: '0.3' }
    : { section: sectionOf(rule, '1.0') };

/** The address of the clause that the rule is from, in the published specification of a version. */
export function clauseOf({ clause, clause0_3 }: Rule, version: RuleVersion): string {
  const [tag, heading] = version === '1.0' || clause0_3 === undefined ? ['v1.0.1', clause] : ['v0.3.0', clause0_3];
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
  return `https://a2a-protocol.org/${tag}/specification/#${anchor}`;
}
