/**
 * Words of a tree item's `contextValue`, which is a list of them: the kind of item, then what can be done with it. The manifest's `when`
 * clauses match them as `\bword\b`; a test compares the two.
 */
const contextFlags = [
  'agent',
  'configured',
  'own',
  'foreign',
  'locked',
  'unlocked',
  'secured',
  'secret',
  'plain',
  'card',
  'extended',
  'extensions',
  'fixable',
  'changed',
  'signer',
  'mistaken',
  'unconfigured',
  'sample',
  'address',
  'context',
  'task',
  'active',
  'interrupted',
  'artifact',
  'versions',
  'revisions',
] as const;
type ContextFlag = (typeof contextFlags)[number];

export function contextValue(...flags: readonly (ContextFlag | false | undefined)[]): string {
  return flags.filter(flag => typeof flag === 'string').join(' ');
}

/** `contextValue` of a test's message that *Fix with Chat* takes. */
export const fixableMessage = 'a2a';

/** The same of one about an answer that *Update Snapshot* takes, too. */
export const snapshotMessage = 'a2a-snapshot';
