import { ignoreFindings } from '../protocol/finding.ts';
import { requireShallowJson } from '../protocol/json/nesting.ts';
import { readAgentCard } from '../protocol/versions/index.ts';
import { writeCard0_3, type CardLoss } from '../protocol/versions/v0_3/writeCard0_3.ts';

interface ConvertedCard {
  readonly text: string;
  /** Content that the other version cannot express. */
  readonly losses: readonly CardLoss[];
}

/**
 * Converts a card to the other version. Interfaces keep their protocol version: the converted card describes the same agent.
 * @param card the JSON value of a card of any version
 * @throws Problem `not-a-card`, `json-too-deep`
 */
export function convertCard(card: unknown, to: '1.0' | '0.3'): ConvertedCard {
  requireShallowJson(card);
  const core = readAgentCard(card, ignoreFindings);
  const { card: written, losses } = to === '1.0' ? { card: core, losses: signatureLoss(card) } : writeCard0_3(core);
  return { text: `${JSON.stringify(written, null, 2)}\n`, losses };
}

/** A signature is computed over the original card and is invalid after conversion. */
const signatureLoss = (card: unknown): CardLoss[] =>
  typeof card === 'object' && card !== null && 'signatures' in card ? [{ pointer: '/signatures', reason: 'signatures' }] : [];
