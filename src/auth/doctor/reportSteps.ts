import type { LocalizedMessage } from '../../protocol/problem.ts';
import { causes } from './causes.ts';
import type { FoundCause } from './metadataChecks.ts';
import type { ExplainedStep, LikelyCause, SignInReport, SignInStepId } from './signInReport.ts';

/** Steps and causes of a report as they are found. */
export class ReportSteps {
  readonly #steps: ExplainedStep[] = [];
  readonly #causes: (LikelyCause & { readonly weight: number })[] = [];

  add(
    id: SignInStepId,
    verdict: ExplainedStep['verdict'],
    what: LocalizedMessage,
    more: Partial<Pick<ExplainedStep, 'facts' | 'exchanges'>> = {},
  ): void {
    this.#steps.push({ id, verdict, sentence: what, facts: [], exchanges: [], ...more });
  }

  cause(step: SignInStepId, { id, args = [] }: FoundCause): void {
    if (this.#causes.some(known => known.id === id)) return;
    const { weight, what, remedy } = causes[id];
    this.#causes.push({ id, step, sentence: what(...args), remedy, weight });
  }

  result(): Pick<SignInReport, 'steps' | 'isAccepted' | 'causes'> {
    const ranked = this.#causes.toSorted((one, other) => other.weight - one.weight);
    const steps = this.#steps;
    const isAccepted =
      steps.every(({ verdict }) => verdict !== 'failed') && steps.some(({ id, verdict }) => id === 'use' && verdict === 'ok');
    return { steps, isAccepted, causes: ranked.map(({ weight: _, ...cause }) => cause) };
  }
}

export const causeSentence = ({ id, args = [] }: FoundCause): LocalizedMessage => causes[id].what(...args);
