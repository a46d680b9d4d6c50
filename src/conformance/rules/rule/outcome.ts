import { errorNames } from '../../../protocol/errors.ts';
import type { Exchange } from '../../../protocol/exchange.ts';
import { isObject } from '../../../protocol/json.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import type { RuleId } from '../../../protocol/ruleId.ts';
import { isSend } from '../../../protocol/message/operations.ts';
import type { Fields } from './passiveCheck.ts';
import type { ProbeAnswer, ProbeResult } from './probe.ts';
import { findingSentence } from '../../../protocol/finding.ts';

const howOf = ({ status, binding, headers }: ProbeAnswer): string =>
  binding === 'GRPC' ? `gRPC ${headers.get('grpc-status') ?? 0}` : `HTTP ${status}`;

/** A short description of an answer: its error, its result, or that it is neither, with its HTTP status. */
export function said(answer: ProbeAnswer): LocalizedMessage {
  const { error, status, headers, binding, result } = answer;
  const withStatus = (what: LocalizedMessage | string): LocalizedMessage => sentence('{0} ({1})', what, howOf(answer));
  if (error === undefined && status < 400)
    return withStatus(binding === 'JSONRPC' && result === undefined ? sentence('neither a result nor an error') : sentence('a result'));
  const { code, value } = error ?? { code: undefined, value: {} as Fields };
  const name = code === undefined ? undefined : errorNames[code];
  if (name !== undefined) return withStatus(`${name} ${code}`);
  const own = value['code'] ?? value['message'];
  if (own !== undefined)
    return withStatus(sentence('error {0}', JSON.stringify(typeof own === 'string' ? own.slice(0, 80) : own).slice(0, 100)));
  const isPage = headers.get('content-type')?.startsWith('text/html') === true;
  return withStatus(isPage ? sentence('a web page') : sentence('no readable error'));
}

type In = Pick<ProbeAnswer, 'exchange'>;

export const passed = ({ exchange }: In, why: LocalizedMessage): ProbeResult => ({
  verdict: 'pass',
  why,
  exchangeId: exchange.id,
});

export const failed = ({ exchange }: In, why: LocalizedMessage, pointer?: string): ProbeResult => ({
  verdict: 'fail',
  why,
  exchangeId: exchange.id,
  ...(pointer !== undefined && { pointer }),
});

export const inconclusive = ({ exchange }: In, why: LocalizedMessage): ProbeResult => ({
  verdict: 'inconclusive',
  why,
  exchangeId: exchange.id,
});

export const notTestable = (why: LocalizedMessage): ProbeResult => ({ verdict: 'not-testable', why });
export const notApplicable = (why: LocalizedMessage): ProbeResult => ({ verdict: 'not-applicable', why });

/** Errors whose cause the agent's log has: it answered nothing. */
const crashes: readonly string[] = ['connection-lost', 'empty-answer'];
export const seeLog = sentence("Look at the agent's own log at this time.");

/** The verdict on a request that got no answer, or none that can be read. @throws what is no `Problem` */
export function unanswered(error: unknown, verdict: 'inconclusive' | 'fail' = 'inconclusive'): ProbeResult {
  if (!(error instanceof Problem)) throw error;
  const { code, sentence: why, exchangeId } = error;
  return {
    verdict,
    why: crashes.includes(code) ? sentence('{0} {1}', why, seeLog) : why,
    ...(exchangeId !== undefined && { exchangeId }),
  };
}

/** The verdict on a value that has to be another's. @param name of the value in the protocol's words */
export function compared(answer: ProbeAnswer, name: string, value: unknown, wanted: unknown, pointer = answer.pointer): ProbeResult {
  return value === wanted
    ? passed(answer, sentence('{0} is {1}, as it should be.', name, quoted(value)))
    : failed(answer, sentence('{0} should be {1}, not {2}.', name, quoted(wanted), quoted(value)), pointer);
}

/** The verdict on a rule with several parts: that on the first part that is broken, else on the first of which nothing is known. */
export const whole = (parts: readonly ProbeResult[]): ProbeResult =>
  parts.find(({ verdict }) => verdict === 'fail') ?? parts.find(({ verdict }) => verdict !== 'pass') ?? parts[0]!;

/** The verdict that the passive check of a rule came to on an exchange, where nothing else is to be looked at. */
export function judged(rule: RuleId, exchange: Exchange): ProbeResult {
  const own = exchange.findings.filter(finding => finding.rule === rule);
  const found = own.find(({ disputed }) => disputed !== true) ?? own[0];
  if (found === undefined) return passed({ exchange }, sentence('Nothing received breaks the rule.'));
  const { pointer, frame, disputed } = found;
  return {
    verdict: disputed === true ? 'disputed' : 'fail',
    why: findingSentence(found),
    exchangeId: exchange.id,
    pointer,
    ...(frame !== undefined && { frame }),
  };
}

const grpcStatus = ({ headers }: ProbeAnswer): number => Number(headers.get('grpc-status') ?? 0);

/** gRPC: PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAVAILABLE, UNAUTHENTICATED. */
const grpcAside: ReadonlySet<number> = new Set([7, 8, 14, 16]);

/** True for an answer that asks for credentials: in HTTP, in gRPC, or in words of the agent's. */
export function wantsCredentials(answer: ProbeAnswer): boolean {
  if (answer.binding === 'GRPC') return grpcStatus(answer) === 16 || grpcStatus(answer) === 7;
  return answer.status === 401 || answer.status === 403;
}

/**
 * True for an answer that is not about what was asked: credentials, a limit, a proxy, another version.
 * @param codes that are wanted
 */
export function isAside(answer: ProbeAnswer, codes: readonly number[] = []): boolean {
  const { binding, status, error } = answer;
  if (error?.code === -32009 && !codes.includes(-32009)) return true;
  if (binding === 'GRPC') return grpcAside.has(grpcStatus(answer));
  return status === 401 || status === 403 || status === 407 || status === 429 || status >= 502;
}

/** True for an answer over JSON-RPC that has neither a result nor an error: whatever is asked about, it does not say. */
export const isNeither = ({ binding, status, error, result }: ProbeAnswer): boolean =>
  binding === 'JSONRPC' && status < 400 && error === undefined && result === undefined;

const isNoPath = (status: number): boolean => status === 404 || status === 405 || status === 501;

/** True where the agent says that it does not have the method at all, which other rules are about. */
function isLacking({ binding, status, error, headers }: ProbeAnswer): boolean {
  if (error?.code === -32601) return true;
  if (binding === 'GRPC') return headers.get('grpc-status') === '12';
  return error?.code === undefined && isNoPath(status);
}

/** Set where an answer is refused at all. */
export const isRefused = ({ binding, status, error, headers }: ProbeAnswer): boolean =>
  error !== undefined || status >= 400 || (binding === 'GRPC' && (headers.get('grpc-status') ?? '0') !== '0');

/** The verdict on an answer that is not about what was asked; one that asks for credentials says so. */
export const nothing = (answer: ProbeAnswer): ProbeResult =>
  inconclusive(
    answer,
    wantsCredentials(answer)
      ? hint(
          sentence('It asks for credentials ({0}). Sign in at the agent first.', howOf(answer)),
          'It asks for credentials ({0}). Sign in with "a2a auth login", or give those that it accepts with --header.',
        )
      : sentence('It answered {0}, which says nothing about the rule.', said(answer)),
  );

/** Statuses that say no more than the error does, in 1.0.1 or 1.0.0 (A2A 1.0 §5.4): HTTP, gRPC. */
const statusOf: Readonly<Record<number, readonly [http: readonly number[], grpc: readonly number[]]>> = {
  [-32001]: [[404], [5]],
  [-32002]: [[400, 409], [9]],
  [-32003]: [[400], [9, 12]],
  [-32004]: [[400], [9, 12]],
  [-32005]: [[400, 415], [3]],
  [-32007]: [[400], [9]],
  [-32008]: [[400], [9]],
  [-32009]: [[400], [9, 12]],
  [-32602]: [[400], [3]],
};

/** The gRPC statuses that an error may have; those of an unknown task where it has none in the specification. */
export const grpcStatusesOf = (code: number): readonly number[] => statusOf[code]?.[1] ?? [5];

/** True where the binding has no codes, the error no reason, and its status is the one of an error that is wanted. */
function fitsByStatus(answer: ProbeAnswer, codes: readonly number[]): boolean {
  const { binding, status, error } = answer;
  if (binding === 'JSONRPC' || hasReason(error?.value)) return false;
  const place = binding === 'GRPC' ? 1 : 0;
  return codes.some(code => statusOf[code]?.[place].includes(binding === 'GRPC' ? grpcStatus(answer) : status) === true);
}

export function hasReason(value: Readonly<Record<string, unknown>> | undefined): boolean {
  const details = value?.['details'] ?? value?.['data'];
  return Array.isArray(details) && details.some(detail => isObject(detail) && typeof detail['reason'] === 'string');
}

export type Lacking = 'evenLacking' | 'promised';

/**
 * The verdict on an answer that has to be one of these errors. One that asks for credentials, that a limit or a proxy gives, of an
 * address where nothing is or of a server that is broken, decides nothing: other rules are about that.
 * @param codes of JSON-RPC, as `errorNames` has them
 * @param lacking set where an agent without the method breaks the rule too; `promised`: only one that says so itself (-32601)
 */
export function expectError(answer: ProbeAnswer, codes: readonly number[], lacking?: Lacking): ProbeResult {
  const { error, binding, version, status } = answer;
  const wanted = codes.map(code => `${errorNames[code] ?? ''} ${code}`.trim()).join(' / ');
  // Whatever code is in its body: servers take those of the protocol for it, too.
  if (wantsCredentials(answer)) return nothing(answer);
  if (error?.code !== undefined && codes.includes(error.code))
    return passed(answer, sentence('It answered {0}, as it should.', said(answer)));
  if (isRefused(answer) && fitsByStatus(answer, codes))
    return passed(answer, sentence('It answered {0}, the status of {1}, and does not name the error.', said(answer), wanted));
  const isExcused = lacking === undefined || (lacking === 'promised' && error?.code !== -32601);
  if (isAside(answer, codes) || (isExcused && isLacking(answer))) return nothing(answer);
  if (binding === 'JSONRPC') {
    if (error === undefined && (isNoPath(status) || status >= 500)) return nothing(answer);
    // 0.3 does not define errors in the other bindings.
  } else if (version !== '1.0' && isRefused(answer) && (binding === 'GRPC' || error?.code === undefined)) return nothing(answer);
  const begun = isObject(answer.result) && isObject(answer.result['task'] ?? answer.result['status']);
  return failed(
    answer,
    begun && isSend(answer.exchange.operation)
      ? sentence('It answered {0} and started a task; it should answer {1}.', said(answer), wanted)
      : sentence('It answered {0}; it should answer {1}.', said(answer), wanted),
    error?.pointer,
  );
}

/** The verdict on an answer that has to be an error, whichever. */
export function expectRefusal(answer: ProbeAnswer): ProbeResult {
  if (isAside(answer) || isLacking(answer)) return nothing(answer);
  if (isRefused(answer)) return passed(answer, sentence('It answered {0}, as it should.', said(answer)));
  return failed(answer, sentence('It answered {0}; it should refuse.', said(answer)), answer.pointer);
}

/** The verdict on an answer that has to be a result before anything can be said of it; undefined for one that is. */
export const unlessResult = (answer: ProbeAnswer): ProbeResult | undefined =>
  isRefused(answer) || (answer.binding === 'JSONRPC' && answer.result === undefined) ? nothing(answer) : undefined;

/** Why a list of tasks decides nothing. */
export const tooFew = (count: number, needed: number): LocalizedMessage =>
  count === 1
    ? sentence('The list has 1 task; {0} are needed. Send a message, then check again.', needed)
    : sentence('The list has {0} tasks; {1} are needed. Send messages, then check again.', count, needed);
