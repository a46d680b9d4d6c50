import * as vscode from 'vscode';
import type { CardVerifying } from '../../client/card/signatures/lazyCardVerifier.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { addTrustedSigner, removeTrustedSigner } from './trustedSigners.ts';
import { offerUndo } from '../platform/report.ts';
import { escapeIcons, escapeLinks, oneLine } from '../platform/untrustedText.ts';

/**
 * Lets the person trust the signer of a card, who names the address of the keys. Both steps are asked: nothing is fetched before the first
 * yes, and nothing is trusted before the second, which shows where the key is from and its fingerprint. Rejects with a `Problem`.
 * @param name of the agent, for the questions
 * @param text of the card as it was received
 */
export async function trustSigner(verifier: CardVerifying, name: string, text: string): Promise<void> {
  const report = await verifier.verify(text);
  const url = report?.signatures.find(({ verdict, keysUrl }) => verdict === 'untrusted-key' && keysUrl !== undefined)?.keysUrl;
  if (url === undefined)
    throw new Problem('no-signer-address', sentence('No signature of this card names an address for keys that are not trusted yet.'), {
      nextStep: sentence("Get the key from the agent's operator, and add it to the setting a2a.trustedSigningKeys."),
    });
  const fetchIt = vscode.l10n.t('Fetch Keys');
  const asked = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('The card of "{0}" says that the keys of its signer are at {1}. Fetch them?', oneLine(name), oneLine(url))),
    {
      modal: true,
      detail: vscode.l10n.t('The card chose this address. Fetching does not trust anything yet: you see the fingerprint of the key first.'),
    },
    fetchIt,
  );
  if (asked !== fetchIt) return;
  const offered = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Fetching keys from {0}…', oneLine(new URL(url).host)) },
    () => verifier.offeredKey(text),
  );
  const { origin, host } = new URL(offered.url);
  const [oneKey, address] = [vscode.l10n.t('Trust This Key'), vscode.l10n.t('Trust All Keys at This Address')];
  const chosen = await vscode.window.showWarningMessage(
    escapeLinks(vscode.l10n.t('The card of "{0}" was signed with a key of {1}. Trust it?', oneLine(name), origin)),
    {
      modal: true,
      detail: [
        vscode.l10n.t('Fingerprint (SHA-256, RFC 7638): {0}', offered.thumbprint),
        vscode.l10n.t('Key: {0}', escapeIcons(offered.keyId ?? '–')),
        vscode.l10n.t('Address: {0}', escapeIcons(offered.url)),
        '',
        vscode.l10n.t(
          "Compare the fingerprint with one that you got from the agent's operator. Cards signed with this key then count as theirs.",
        ),
      ].join('\n'),
    },
    oneKey,
    address,
  );
  if (chosen === undefined) return;
  const signer = await addTrustedSigner(host, chosen === oneKey ? { jwk: offered.jwk, from: offered.url } : { jwks: offered.url });
  offerUndo(
    vscode.l10n.t('Cards that "{0}" signed are verified from now on. You can rename it in the setting a2a.trustedSigningKeys.', signer),
    () => removeTrustedSigner(signer),
  );
}
