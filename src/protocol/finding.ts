import type { RuleId } from './rules/index.ts';

/** Where an agent's bytes depart from what its protocol generation says. Reading went on all the same. */
export interface Finding {
  readonly rule: RuleId;
  /** RFC 6901 pointer into the object that was read; `""` is the whole. */
  readonly pointer: string;
  /** What was found, in English; may quote the agent, so it is untrusted text. */
  readonly message: string;
}

/** Receives findings while something is read. */
export type Note = (rule: RuleId, pointer: string, message: string) => void;

/** A `Note` for readers who do not ask for findings. */
export const unnoted: Note = () => {};

/** Most findings kept for one read, so that a hostile answer cannot grow them without bound. */
export const maxFindings = 100;

export function collect(): { readonly note: Note; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  return {
    findings,
    note: (rule, pointer, message) => {
      if (findings.length < maxFindings) findings.push({ rule, pointer, message });
    },
  };
}
