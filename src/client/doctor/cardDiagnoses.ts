import { sentence } from '../../protocol/problem.ts';
import { webAddress } from '../interfaces/offeredInterface.ts';
import { isUnspecified } from '../http/origin.ts';
import { diagnosis, type Diagnosis } from './diagnosis.ts';
import type { DiagnosisContext } from './diagnosisTarget.ts';
import { useAddress } from './suggestedFixes.ts';

/** Examines only the card. */
type CardDiagnosis = (context: DiagnosisContext) => Diagnosis | undefined;

/**
 * Diagnoses from the card alone. `card/checks/` examines the text of cards that are edited here.
 *
 * To add one: a row here, or in `mismatches.ts` where the agent has to be asked; a case of `test/component/client/doctor.test.ts`.
 */
const cardDiagnoses: readonly CardDiagnosis[] = [unspecifiedAddress, relativeAddress, openVersion];

export function diagnoseCard(context: DiagnosisContext): Diagnosis[] {
  return cardDiagnoses.map(diagnose => diagnose(context)).filter(found => found !== undefined);
}

function unspecifiedAddress({ entry, target, pointer }: DiagnosisContext): Diagnosis | undefined {
  if (entry === undefined || target.wanted.url !== undefined) return undefined;
  const declared = webAddress(entry.declaredUrl, entry.interface.protocolBinding, target.resolved.cardUrl);
  if (!URL.canParse(declared) || !isUnspecified(new URL(declared))) return undefined;
  const { url } = entry.interface;
  return diagnosis(
    'CARD-06',
    pointer('url'),
    'warning',
    sentence(
      'The card gives the address {0}, which servers listen on but clients cannot connect to. {1} was used instead.',
      entry.declaredUrl,
      url,
    ),
    useAddress(entry.interface),
  );
}

function relativeAddress({ entry, target, pointer }: DiagnosisContext): Diagnosis | undefined {
  if (entry === undefined || target.wanted.url !== undefined) return undefined;
  if (URL.canParse(webAddress(entry.declaredUrl, entry.interface.protocolBinding, target.resolved.cardUrl))) return undefined;
  return diagnosis(
    'CARD-06',
    pointer('url'),
    'warning',
    sentence(
      'The card gives the address {0}, which is incomplete. {1} was used instead.',
      JSON.stringify(entry.declaredUrl),
      entry.interface.url,
    ),
    useAddress(entry.interface),
  );
}

/** For a card whose protocol version is unclear; the agent's answers may show it. */
function openVersion({ detection, usedInterface, target }: DiagnosisContext): Diagnosis | undefined {
  if (detection?.certainty !== 'low' || usedInterface === undefined || target.wanted.protocolVersion !== undefined) return undefined;
  return diagnosis(
    'CARD-05',
    detection.evidence.pointer,
    'information',
    sentence(
      'The card does not say clearly which protocol version the agent supports ({0}), so {1} was assumed.',
      detection.evidence.message,
      detection.version,
    ),
  );
}
