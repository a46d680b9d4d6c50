import type { Output } from '../../terminal/output.ts';
import type { RunFailure, RunResult } from './runResult.ts';
import type { Reporter } from './reporter.ts';

/**
 * The same reporter with secret values masked in the results. Fixed words of the run itself stay: a secret may equal one of them by chance.
 */
export const withoutSecrets = ({ result, end }: Reporter, output: Output): Reporter => ({
  result: one => result(masked(one, output)),
  end: (results, summary) =>
    end(
      results.map(one => masked(one, output)),
      summary,
    ),
});

const masked = (result: RunResult, output: Output): RunResult => ({
  ...result,
  name: output.mask(result.name),
  taskId: output.mask(result.taskId),
  agentSaid: output.mask(result.agentSaid),
  text: output.mask(result.text),
  artifacts: result.artifacts?.map(({ addresses, ...artifact }) => ({
    ...artifact,
    artifactId: output.mask(artifact.artifactId),
    name: output.mask(artifact.name),
    ...(addresses !== undefined && { addresses: addresses.map(output.mask) }),
  })),
  exchanges: result.exchanges?.map(one => output.maskedExchange(one)),
  ...(result.description !== undefined && { description: output.mask(result.description) }),
  ...(result.tags !== undefined && { tags: result.tags.map(output.mask) }),
  failures: result.failures.map(one => maskedFailure(one, output)),
  findings: result.findings?.map(finding => ({ ...finding, pointer: output.mask(finding.pointer), message: output.mask(finding.message) })),
});

const maskedFailure = (failure: RunFailure, { mask }: Output): RunFailure => ({
  ...failure,
  message: mask(failure.message),
  nextStep: mask(failure.nextStep),
  expected: mask(failure.expected),
  actual: mask(failure.actual),
});
