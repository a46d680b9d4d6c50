import * as vscode from 'vscode';
import type { SignatureReport, SignatureVerdict } from '../../client/card/signatures/signatureReport.ts';
import type { ShownSignature } from '../../chat/host/cardMessages.ts';
import { translate } from '../platform/report.ts';

const kinds: Readonly<Record<SignatureVerdict, ShownSignature['kind']>> = {
  valid: 'good',
  partial: 'warning',
  invalid: 'bad',
  'expired-key': 'bad',
  'keys-unavailable': 'unknown',
  'untrusted-key': 'unknown',
  'unknown-key': 'unknown',
  unsupported: 'warning',
  malformed: 'warning',
};

/** The signatures of a card for its page; undefined for a card without. */
export function shownSignatures(report: SignatureReport | undefined): readonly ShownSignature[] | undefined {
  if (report === undefined) return undefined;
  const { signatures, problems, verdict, message } = report;
  const shown = signatures.map(
    (each): ShownSignature => ({
      kind: kinds[each.verdict],
      text: translate(each.message),
      notes: [
        ...each.notes.map(translate),
        ...(each.key === undefined ? [] : [vscode.l10n.t('Fingerprint of the key: {0}', each.key.thumbprint)]),
      ],
      canTrust: each.verdict === 'untrusted-key' && each.keysUrl !== undefined,
    }),
  );
  const others = [...(signatures.length === 0 ? [message] : []), ...problems];
  return [
    ...shown,
    ...others.map(
      (each): ShownSignature => ({
        kind: kinds[signatures.length === 0 ? verdict : 'malformed'],
        text: translate(each),
        notes: [],
        canTrust: false,
      }),
    ),
  ];
}
