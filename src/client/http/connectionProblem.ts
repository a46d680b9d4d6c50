import { hint, Problem, sentence, type ProblemOptions, type LocalizedMessage } from '../../protocol/problem.ts';
import { ProxyFailure } from '../network/proxyFailure.ts';
import { codeOf } from '../network/errorCode.ts';
import { tlsSentence } from './tlsSentence.ts';

/**
 * Delivery of a request that failed: `no`, it was not sent; `unknown`, the connection broke before any answer; `yes`, the
 * answer had begun. Only after `no` may a message be sent again without asking.
 */
export type Reached = 'no' | 'unknown' | 'yes';

/**
 * Node's limit in bytes. Not imported from node:http, which would load its web classes and replace the dispatcher of every other
 * extension's `fetch`.
 */
const maxHeaderBytes = (): number => process.getBuiltinModule('node:http').maxHeaderSize;

/**
 * The connection to the agent failed. Codes: `unreachable`, `tls`, `timeout`, `only-provisional`, `connection-lost`, `not-http`,
 * `cancelled`, and `stream-silent` for a stream whose server seems to be gone.
 */
export class ConnectionProblem extends Problem {
  readonly reached: Reached;
  /** The server asked for a client certificate, or ended the connection as many do that require one. */
  readonly mayWantCertificate: boolean;

  constructor(
    code: string,
    what: LocalizedMessage,
    reached: Reached,
    { mayWantCertificate = false, ...options }: ProblemOptions & { readonly mayWantCertificate?: boolean } = {},
  ) {
    super(code, what, options);
    this.mayWantCertificate = mayWantCertificate;
    this.name = code === 'cancelled' ? 'AbortError' : 'ConnectionProblem';
    this.reached = reached;
  }
}

export function cancelled(reached: Reached, cause?: unknown): ConnectionProblem {
  return new ConnectionProblem('cancelled', sentence('The request was canceled.'), reached, { cause });
}

export function timedOut(seconds: number, reached: Reached, cause?: unknown): ConnectionProblem {
  return new ConnectionProblem('timeout', sentence('The agent did not finish its answer within {0} seconds.', seconds), reached, {
    nextStep: sentence("Look at the agent's own log, or send again with a longer timeout."),
    cause,
  });
}

/** Only interim answers (HTTP 1xx, RFC 9110 §15.2) were received before the time limit. */
export function onlyProvisional(seconds: number, status: number, cause: unknown): ConnectionProblem {
  return new ConnectionProblem('only-provisional', nothingButProvisional(seconds, status), 'unknown', {
    nextStep: sentence("Look at the agent's own log at this time."),
    cause,
  });
}

export const nothingButProvisional = (seconds: number, status: number): LocalizedMessage =>
  sentence('In {0} s the agent sent only an interim response (HTTP {1}).', seconds, status);

/** Request and progress of a network error that is described. */
interface RequestProgress {
  readonly url: URL;
  /** True once the headers of the answer were received. */
  readonly answering: boolean;
  readonly headersTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

const checkAddress = sentence('Start the agent, or correct its address.');
const askAgain = sentence('The agent may have received the request. Look at its tasks before you send again.');

/** Many servers end a connection without a word if the client shows no certificate that they take. */
const mayWantCertificate = hint(
  sentence(
    'The agent may have received the request: look at its tasks before you send again. If it requires a client certificate, name one in "tls" of its settings.',
  ),
  'The agent may have received the request: look at its tasks before you send again. If it requires a client certificate, set one with --cert and --key, or --pfx.',
);

/** The problem for a failure of a proxy; undefined for any other error. */
export function proxyProblem(error: unknown): ConnectionProblem | undefined {
  if (!(error instanceof ProxyFailure)) return undefined;
  const { kind, what, nextStep, details } = error;
  return new ConnectionProblem(kind, what, 'no', { nextStep, ...(details !== '' && { details }), cause: error });
}

/** The problem for a network error of Node or undici (codes: Node `errno`, OpenSSL, `UND_ERR_*`, llhttp's `HPE_*`). */
export function connectionProblem(error: unknown, stage: RequestProgress): ConnectionProblem {
  const proxy = proxyProblem(error);
  if (proxy !== undefined) return proxy;
  const code = codeOf(error);
  const { url } = stage;
  const options = { details: error instanceof Error ? `${code}: ${error.message}` : String(error), cause: error };
  const tls = tlsSentence(code, url);
  if (tls !== undefined && !stage.answering) {
    const { what, nextStep, mayWantCertificate = false } = tls;
    return new ConnectionProblem('tls', what, 'no', { ...options, nextStep, mayWantCertificate });
  }
  const unreachable = unreachableSentence(code, isConnecting(error), stage);
  if (unreachable !== undefined) {
    return new ConnectionProblem('unreachable', unreachable, 'no', { ...options, nextStep: checkAddress });
  }
  const reached = stage.answering ? 'yes' : 'unknown';
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const what = sentence('The agent accepted the request but did not begin to answer within {0} seconds.', stage.headersTimeoutMs / 1000);
    return new ConnectionProblem('timeout', what, reached, { ...options, nextStep: askAgain });
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new ConnectionProblem('timeout', sentence('The agent stopped sending in the middle of its answer.'), reached, options);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new ConnectionProblem(
      'not-http',
      sentence('{0} does not answer with valid HTTP: its headers exceed the limit of {1} KiB.', url.host, maxHeaderBytes() / 1024),
      reached,
      options,
    );
  }
  // undici's parser errors have this name and do not always have a code.
  if (code === 'HTTPParserError' || code.startsWith('HPE_')) {
    return new ConnectionProblem('not-http', sentence('{0} does not answer with valid HTTP.', url.host), reached, {
      ...options,
      nextStep: sentence('Check the port. A server that uses TLS needs an https:// address.'),
    });
  }
  return stage.answering
    ? new ConnectionProblem('connection-lost', sentence('The connection to the agent broke in the middle of its answer.'), reached, options)
    : new ConnectionProblem('connection-lost', sentence('The agent closed the connection before it answered.'), reached, {
        ...options,
        nextStep: url.protocol === 'https:' ? mayWantCertificate : askAgain,
      });
}

function unreachableSentence(code: string, connecting: boolean, { url, connectTimeoutMs }: RequestProgress): LocalizedMessage | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return sentence('Connection refused: no server is listening at {0}.', hostAndPort(url));
    case 'ENOTFOUND':
      return sentence('Host "{0}" not found (DNS).', url.hostname);
    case 'EAI_AGAIN':
      return sentence('The name {0} could not be looked up: the name server does not answer.', url.hostname);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return sentence('This machine has no route to {0}.', url.host);
    case 'UND_ERR_CONNECT_TIMEOUT':
      return sentence('{0} did not accept a connection within {1} seconds.', hostAndPort(url), connectTimeoutMs / 1000);
  }
  return connecting ? sentence('Could not connect to {0} ({1}).', hostAndPort(url), code) : undefined;
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

const isConnecting = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'connect';
