import { secretValues } from '../../terminal/output.ts';
import type { RunFailure, RunResult } from './runResult.ts';
import type { Reporter } from './reporter.ts';

/**
 * The same reporter with secret values masked in the results. Fixed words of the run itself stay: a secret may equal one of them by chance.
 */
export const withoutSecrets = ({ result, end }: Reporter): Reporter => ({
  result: one => result(masked(one)),
  end: (results, summary) => end(results.map(masked), summary),
});

const masked = (result: RunResult): RunResult => ({
  ...result,
  name: shown(result.name),
  taskId: shown(result.taskId),
  agentSaid: shown(result.agentSaid),
  failures: result.failures.map(maskedFailure),
  findings: result.findings?.map(finding => ({ ...finding, pointer: shown(finding.pointer), message: shown(finding.message) })),
});

const maskedFailure = (failure: RunFailure): RunFailure => ({
  ...failure,
  message: shown(failure.message),
  nextStep: shown(failure.nextStep),
  expected: shown(failure.expected),
  actual: shown(failure.actual),
});

const shown = <T extends string | undefined>(text: T): T => (text === undefined ? text : (secretValues.mask(text) as T));
