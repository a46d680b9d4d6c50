import { maskSplitSecrets } from '../../../protocol/secrets/jsonTexts.ts';
import { secretValues } from '../../terminal/output.ts';
import type { RunExchange } from './runAnswer.ts';
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
  text: shown(result.text),
  artifacts: result.artifacts?.map(({ addresses, ...artifact }) => ({
    ...artifact,
    artifactId: shown(artifact.artifactId),
    name: shown(artifact.name),
    ...(addresses !== undefined && { addresses: addresses.map(shown) }),
  })),
  exchanges: result.exchanges?.map(maskedExchange),
  ...(result.description !== undefined && { description: shown(result.description) }),
  ...(result.tags !== undefined && { tags: result.tags.map(shown) }),
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

/** Credentials of the request are masked already; values of the files and of the command line are not. */
export const maskedExchange = ({ exchange, frames }: RunExchange): RunExchange => ({
  exchange: {
    ...exchange,
    request: {
      ...exchange.request,
      url: shown(exchange.request.url),
      headers: exchange.request.headers.map(([name, value]) => [name, shown(value)]),
      body: shownBody(exchange.request.body),
      bytes: undefined,
    },
    ...(exchange.response !== undefined && {
      response: {
        ...exchange.response,
        headers: exchange.response.headers.map(([name, value]) => [name, shown(value)]),
        ...(exchange.response.body !== undefined && { body: shownBody(exchange.response.body) }),
        bytes: undefined,
      },
    }),
    ...(exchange.failure !== undefined && { failure: shown(exchange.failure), failureSentence: undefined }),
  },
  frames: frames.map(({ bytes: _bytes, ...frame }) => ({
    ...frame,
    data: shownBody(frame.data),
    ...(frame.around !== undefined && { around: frame.around.map(shown) }),
  })),
});

const shownBody = (body: string): string => maskSplitSecrets(secretValues.mask(body), text => secretValues.spansIn(text));

const shown = <T extends string | undefined>(text: T): T => (text === undefined ? text : (secretValues.mask(text) as T));
