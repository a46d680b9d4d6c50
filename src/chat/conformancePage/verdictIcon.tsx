import type { JSX } from 'preact';
import type { Verdict } from '../../conformance/rules/rule/verdict.ts';

const icons: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'error',
  warn: 'warning',
  disputed: 'law',
  inconclusive: 'question',
  'not-testable': 'circle-slash',
  'not-applicable': 'dash',
};

export const VerdictIcon = ({ verdict }: { readonly verdict: Verdict }): JSX.Element => (
  <span class={`codicon codicon-${icons[verdict]} ${verdict}`} aria-hidden="true" />
);
