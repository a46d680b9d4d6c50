import { existsSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { lazyCardVerifier } from '../../client/card/signatures/lazyCardVerifier.ts';
import { keysAddress } from '../../client/card/signatures/signers.ts';
import { inTerminal } from '../../protocol/problem.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';

/** The keys of `--trusted-key`, as the setting `a2a.trustedSigningKeys` has them. @throws UsageError */
export const trustedKeysOf = ({ host, values }: Pick<Terminal, 'host' | 'values'>): Readonly<Record<string, object>> =>
  Object.fromEntries((values['trusted-key'] ?? []).map(key => [key, signerOf(key, host.cwd())]));

/**
 * Prints the state of a card's signatures on standard error. False where keys were named with `--trusted-key` and none of them signed the
 * whole card.
 */
export async function reportSignatures(
  { http, output }: Pick<Terminal, 'http' | 'output'>,
  { source, original }: ResolvedAgentCard,
  trusted: Readonly<Record<string, object>>,
): Promise<boolean> {
  const report = source.includes('"signatures"')
    ? await lazyCardVerifier({ http, trusted: () => trusted }).verify(original?.() ?? source)
    : undefined;
  const asked = Object.keys(trusted).length > 0;
  if (report === undefined) {
    if (asked) output.printError('Signature: the card is not signed.');
    return !asked;
  }
  const { signatures, problems, message, verdict } = report;
  for (const each of signatures.length === 0 ? [{ message, notes: [] }] : signatures)
    for (const line of [each.message, ...each.notes]) output.printError(`Signature: ${inTerminal(line)}`);
  for (const problem of problems) output.printError(`Signature: ${inTerminal(problem)}`);
  if (!asked) output.printError('Signature: name the key that you trust with --trusted-key to have it verified.');
  return !asked || verdict === 'valid';
}

/** A key of the command line, whose relative path is from the working directory. @throws UsageError */
function signerOf(key: string, cwd: string): object {
  if (!/^https?:\/\//i.test(key)) {
    const file = resolvePath(cwd, key);
    // With a card that has no signature, a missing file would go unnoticed.
    if (!existsSync(file)) throw new UsageError(`--trusted-key names a file that does not exist: ${file}`);
    return { file };
  }
  if (keysAddress(key) !== undefined) return { jwks: key };
  throw new UsageError('--trusted-key must be a file or an https URL (http only on this machine).');
}
