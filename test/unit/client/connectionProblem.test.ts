import * as assert from 'node:assert/strict';
import { connectionProblem } from '../../../src/client/http/connectionProblem.ts';

const failure = (code: string, more: object = {}): Error => Object.assign(new Error(`${code} happened`), { code }, more);

interface Row {
  readonly error: unknown;
  readonly answering?: boolean;
  readonly is: readonly [code: string, reached: string];
  readonly says: RegExp;
}

const rows: readonly Row[] = [
  {
    error: failure('ECONNREFUSED', { syscall: 'connect' }),
    is: ['unreachable', 'no'],
    says: /^Connection refused: no server is listening at agent\.example:443\.$/,
  },
  { error: new AggregateError([failure('ECONNREFUSED'), failure('ECONNREFUSED')]), is: ['unreachable', 'no'], says: /^Connection refused/ },
  { error: failure('ENOTFOUND'), is: ['unreachable', 'no'], says: /Host "agent\.example" not found/ },
  { error: failure('EAI_AGAIN'), is: ['unreachable', 'no'], says: /name server/ },
  { error: failure('EHOSTUNREACH', { syscall: 'connect' }), is: ['unreachable', 'no'], says: /no route to/ },
  { error: failure('UND_ERR_CONNECT_TIMEOUT'), is: ['unreachable', 'no'], says: /within 10 seconds/ },
  { error: failure('EACCES', { syscall: 'connect' }), is: ['unreachable', 'no'], says: /EACCES/ },
  { error: failure('CERT_HAS_EXPIRED'), is: ['tls', 'no'], says: /has expired \(CERT_HAS_EXPIRED\)/ },
  { error: failure('CERT_NOT_YET_VALID'), is: ['tls', 'no'], says: /not valid yet/ },
  { error: failure('DEPTH_ZERO_SELF_SIGNED_CERT'), is: ['tls', 'no'], says: /self-signed/ },
  { error: failure('SELF_SIGNED_CERT_IN_CHAIN'), is: ['tls', 'no'], says: /self-signed/ },
  { error: failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), is: ['tls', 'no'], says: /not known here/ },
  { error: failure('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), is: ['tls', 'no'], says: /not known here/ },
  { error: failure('ERR_TLS_CERT_ALTNAME_INVALID'), is: ['tls', 'no'], says: /another name/ },
  { error: failure('ERR_SSL_WRONG_VERSION_NUMBER'), is: ['tls', 'no'], says: /does not use TLS/ },
  { error: failure('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), is: ['tls', 'no'], says: /Could not establish a secure connection/ },
  { error: failure('ECONNRESET', { syscall: 'read' }), is: ['connection-lost', 'unknown'], says: /before it answered/ },
  { error: failure('UND_ERR_SOCKET'), is: ['connection-lost', 'unknown'], says: /before it answered/ },
  { error: failure('UND_ERR_SOCKET'), answering: true, is: ['connection-lost', 'yes'], says: /in the middle/ },
  { error: failure('UND_ERR_HEADERS_TIMEOUT'), is: ['timeout', 'unknown'], says: /within 30 seconds/ },
  { error: failure('UND_ERR_BODY_TIMEOUT'), answering: true, is: ['timeout', 'yes'], says: /stopped sending/ },
  { error: failure('HPE_INVALID_CONSTANT'), is: ['not-http', 'unknown'], says: /valid HTTP/ },
  { error: failure('UND_ERR_HEADERS_OVERFLOW'), is: ['not-http', 'unknown'], says: /valid HTTP/ },
  { error: 'no error at all', is: ['connection-lost', 'unknown'], says: /before it answered/ },
];

suite('connection problem', () => {
  for (const { error, answering = false, is, says } of rows) {
    test(`${error instanceof Error && 'code' in error ? error.code : String(error)}${answering ? ' inside the answer' : ''}`, () => {
      const stage = { url: new URL('https://agent.example/a'), answering, headersTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
      const problem = connectionProblem(error, stage);
      assert.deepEqual([problem.code, problem.reached], is);
      assert.match(problem.message, says);
      assert.equal(problem.cause, error);
    });
  }
});
