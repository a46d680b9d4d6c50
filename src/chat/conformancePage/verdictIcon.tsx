import type { JSX } from 'preact';
import type { ShownVerdict } from '../host/conformanceMessages.ts';

const icons: Readonly<Record<ShownVerdict, string>> = {
  pass: 'pass',
  fail: 'error',
  warn: 'warning',
  disputed: 'law',
  inconclusive: 'question',
  'not-testable': 'circle-slash',
  'not-applicable': 'dash',
};

export const VerdictIcon = ({ verdict }: { readonly verdict: ShownVerdict }): JSX.Element => (
  <span class={`codicon codicon-${icons[verdict]} ${verdict}`} aria-hidden="true" />
);
