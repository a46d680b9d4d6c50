import * as assert from 'node:assert/strict';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { serveGrpcAgent, type GrpcAgent, type ServeOptions } from '../../support/client/grpcAgents.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { envelope, proto, serveRaw, type ProtoField, type RawAnswer, type RawServer } from '../../support/client/rawGrpc.ts';
import { asks } from '../../support/client/says.ts';
import { selfSigned } from '../../support/client/selfSigned.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

const generations = ['1.0', '0.3'] as const;
type Generation = (typeof generations)[number];

interface Asking {
  readonly generation?: Generation;
  readonly headers?: Readonly<Record<string, string>>;
}

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');
const ok = { 'grpc-status': '0' };

const card = readAgentCard(minimalCard('http://127.0.0.1/', '1.0'), ignoreFindings);

/** A StreamResponse, and a SendMessageResponse as well, of 1.0: a message, with more fields in it. */
const says = (...more: readonly ProtoField[]): Buffer => proto([2, proto([1, 'm'], [2, 'c-1'], [4, 2], [5, proto([1, 'a'])], ...more)]);
const message = envelope(says());

/** A `google.rpc.Status` with an `ErrorInfo`. */
const statusDetails = (reason: string): string =>
  proto(
    [1, 9],
    [2, 'no'],
    [3, proto([1, 'type.googleapis.com/google.rpc.ErrorInfo'], [2, proto([1, reason], [2, 'a2a-protocol.org'])])],
  ).toString('base64');

suite('gRPC', () => {
  const open = new OpenThings();
  const servers: { stop(): Promise<void> }[] = [];
  teardown(async () => {
    await open.close();
    await Promise.all(servers.splice(0).map(server => server.stop()));
  });

  function clientAt(address: string, { generation = '1.0', headers }: Asking = {}): AgentClient {
    const found = { ...card, supportedInterfaces: [{ url: address, protocolBinding: 'GRPC', protocolVersion: generation }] };
    const chosen = chooseInterface(found, 'http://127.0.0.1/card');
    return new AgentClient({ card: found, chosen, headers, http: open.http(), agentUrl: new URL(chosen.interface.url).origin });
  }

  async function agentOf(generation: Generation, options?: ServeOptions): Promise<GrpcAgent> {
    const agent = await serveGrpcAgent(generation, options);
    servers.push(agent);
    return agent;
  }

  async function raw(answer: RawAnswer): Promise<RawServer> {
    const server = await serveRaw(answer);
    servers.push(server);
    return server;
  }

  async function failureOf(call: Promise<unknown>): Promise<Problem> {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Problem, String(error));
    return error;
  }

  for (const generation of generations) {
    suite(`an agent of the official SDK in ${generation}`, () => {
      test('answers with a message; its bytes are on record', async () => {
        const agent = await agentOf(generation);
        const log = new WireRecording();
        const { result, findings } = await clientAt(agent.address, { generation }).call('SendMessage', asks('hello'), { log });
        assert.ok('message' in result);
        assert.deepEqual([result.message.role, result.message.parts, findings], ['ROLE_AGENT', [{ text: 'hi' }], []]);
        const { request, response, endedAt, failure, protocolBinding, protocolVersion } = log.last;
        assert.deepEqual([protocolBinding, protocolVersion, failure], ['GRPC', generation, undefined]);
        assert.ok(endedAt !== undefined);
        const packageName = generation === '1.0' ? 'lf.a2a.v1' : 'a2a.v1';
        assert.equal(request.url, `http://${agent.address}/${packageName}.A2AService/SendMessage`);
        assert.deepEqual(JSON.parse(request.body), {
          message: { messageId: 'm-1', role: 'ROLE_USER', [generation === '1.0' ? 'parts' : 'content']: [{ text: 'hello' }] },
        });
        // Field 2 of the request in 1.0, field 1 in 0.3; inside it message_id, role and the part.
        assert.deepEqual(
          base64(request.bytes ?? ''),
          base64(generation === '1.0' ? 'EhAKA20tMSABKgcKBWhlbGxv' : 'ChAKA20tMSABKgcKBWhlbGxv'),
        );
        assert.equal(response?.status, 200);
        assert.ok(base64(response.bytes ?? '').includes('hi'));
        assert.ok((JSON.parse(response.body ?? '') as { message: object }).message);
        assert.deepEqual(
          response.trailers?.find(([name]) => name === 'grpc-status'),
          ['grpc-status', '0'],
        );
        assert.equal(agent.metadata()['a2a-version'], generation === '1.0' ? '1.0' : undefined);
      });

      test('asks for input, and goes on with it', async () => {
        const client = clientAt((await agentOf(generation)).address, { generation });
        const first = await client.call('SendMessage', asks('ask'));
        assert.ok('task' in first.result);
        const { id, contextId, status } = first.result.task;
        assert.deepEqual([status.state, status.message?.parts], ['TASK_STATE_INPUT_REQUIRED', [{ text: 'which colour?' }]]);
        const second = await client.call('SendMessage', asks('red', { messageId: 'm-2', taskId: id, contextId }));
        assert.ok('task' in second.result);
        assert.deepEqual([second.result.task.id, second.result.task.status.state, second.findings], [id, 'TASK_STATE_COMPLETED', []]);
      });

      test('streams a task; every event is a frame with its bytes; the task is read again, with and without history', async () => {
        const client = clientAt((await agentOf(generation)).address, { generation });
        const log = new WireRecording();
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('work'), { log }));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ findings }) => findings),
          [],
        );
        const events = items.flatMap(batch => batch.events);
        assert.deepEqual(
          events.map(event => Object.keys(event)[0]),
          ['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate'],
        );
        const [first, , piece, more] = events;
        assert.ok(
          first !== undefined &&
            'task' in first &&
            piece !== undefined &&
            'artifactUpdate' in piece &&
            more !== undefined &&
            'artifactUpdate' in more,
        );
        const { artifact, append } = piece.artifactUpdate;
        assert.deepEqual([artifact.artifactId, artifact.name, append ?? false], ['a-1', 'drawing', false]);
        assert.deepEqual(artifact.parts, [{ raw: 'AQID', mediaType: 'image/png' }, { data: { n: 1, deep: [true, 'grüße 🚢'] } }]);
        assert.deepEqual([more.artifactUpdate.append, more.artifactUpdate.lastChunk], [true, true]);
        const frames = log.framesOf(log.last.id);
        assert.deepEqual(
          frames.map(({ seq }) => seq),
          [0, 1, 2, 3, 4],
        );
        assert.deepEqual(
          items.flatMap(({ events: some, frames: own, frameOf = own.map(({ seq }) => seq) }) => some.map((_, index) => frameOf[index])),
          [0, 1, 2, 3, 4],
        );
        assert.ok(frames.every(({ data, bytes }) => typeof JSON.parse(data) === 'object' && base64(bytes ?? '').byteLength > 0));
        assert.ok(base64(frames[2]!.bytes!).includes('grüße 🚢'));

        const whole = await client.call('GetTask', { id: first.task.id }, { log });
        assert.deepEqual([whole.result.status.state, whole.findings], ['TASK_STATE_COMPLETED', []]);
        assert.deepEqual(whole.result.artifacts?.[0]?.parts.length, 4);
        assert.ok((whole.result.history?.length ?? 0) > 1);
        const short = await client.call('GetTask', { id: first.task.id, historyLength: 1 });
        assert.equal(short.result.history?.length, 1);
        assert.equal(((await failureOf(client.call('CancelTask', { id: first.task.id }))) as A2AError).errorName, 'TaskNotCancelableError');
      });

      test('is followed with a second stream and cancelled', async () => {
        const client = clientAt((await agentOf(generation)).address, { generation });
        const stream = client.stream('SendStreamingMessage', asks('wait'))[Symbol.asyncIterator]();
        const opening = await stream.next();
        assert.ok(opening.done !== true);
        const [event] = opening.value.events;
        assert.ok(event !== undefined && 'task' in event);
        const { id } = event.task;
        await stream.next();
        const following = client.stream('SubscribeToTask', { id })[Symbol.asyncIterator]();
        const snapshot = await following.next();
        assert.ok(snapshot.done !== true && 'task' in snapshot.value.events[0]!);
        const { result } = await client.call('CancelTask', { id });
        assert.equal(result.status.state, 'TASK_STATE_CANCELED');
        const { items } = await drain({ [Symbol.asyncIterator]: () => following });
        const last = items.flatMap(({ events }) => events).at(-1);
        assert.ok(last !== undefined && 'statusUpdate' in last, JSON.stringify(last));
        assert.equal(last.statusUpdate.status.state, 'TASK_STATE_CANCELED');
        await stream.return?.();
      });

      test('says by name that there is no such task', async () => {
        const client = clientAt((await agentOf(generation)).address, { generation });
        for (const operation of ['GetTask', 'CancelTask'] as const) {
          const error = await failureOf(client.call(operation, { id: 'x' }));
          assert.ok(error instanceof A2AError, String(error));
          assert.deepEqual([error.rpcCode, error.errorName], [-32001, 'TaskNotFoundError']);
          assert.match(error.message, /not found: x/);
        }
      });

      test('wants credentials; they are metadata, and no secret is on record', async () => {
        const agent = await agentOf(generation, { authorization: 'Bearer s3cret' });
        const log = new WireRecording();
        const refused = await failureOf(clientAt(agent.address, { generation }).call('SendMessage', asks('hello'), { log }));
        assert.ok(refused instanceof UnauthorizedProblem);
        assert.match(refused.message, /requires credentials \(gRPC UNAUTHENTICATED\): show your ticket/);
        const wrong = clientAt(agent.address, { generation, headers: { Authorization: 'Bearer of-yesterday' } });
        assert.equal(
          (await failureOf(wrong.call('SendMessage', asks('hello'), { log }))).message,
          'The agent refused the credential that was sent (gRPC UNAUTHENTICATED): the header Authorization. It answered: show your ticket',
        );
        const headers = { Authorization: 'Bearer s3cret', 'X-Team': 'blue', 'A2A-Extensions': 'https://x.example/e' };
        await clientAt(agent.address, { generation, headers }).call('SendMessage', asks('hello'), { log });
        const { authorization, 'x-team': team, 'a2a-extensions': extensions } = agent.metadata();
        assert.deepEqual([authorization, team, extensions], ['Bearer s3cret', 'blue', 'https://x.example/e']);
        assert.doesNotMatch(JSON.stringify(log.told), /s3cret|blue/);
      });

      test('answers in its own package; the other package is a problem that names it', async () => {
        const { address } = await agentOf(generation);
        assert.ok((await failureOf(clientAt(address, { generation }).call('GetTask', { id: 'x' }))) instanceof A2AError);
        const other = generations.find(each => each !== generation)!;
        const error = await failureOf(clientAt(address, { generation: other }).call('GetTask', { id: 'x' }));
        assert.equal(error.code, 'grpc-unimplemented');
        assert.match(english(error.nextStep!), generation === '1.0' ? /lf\.a2a\.v1.*1\.0/ : /\(package a2a\.v1\).*0\.3/);
      });
    });
  }

  test('tasks are listed in 1.0, also where there are none; 0.3 has no list', async () => {
    const client = clientAt((await agentOf('1.0')).address);
    // A message of protocol buffers has no members that are not there.
    const none = await client.call('ListTasks', {});
    assert.deepEqual([{ ...none.result, pageSize: 0 }, none.findings], [{ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }, []]);
    await client.call('SendMessage', asks('work'));
    const { result, findings } = await client.call('ListTasks', { pageSize: 10, status: 'TASK_STATE_COMPLETED', includeArtifacts: true });
    assert.deepEqual([result.tasks.length, result.totalSize, findings], [1, 1, []]);
    assert.equal((await failureOf(clientAt('127.0.0.1:1', { generation: '0.3' }).call('ListTasks', {}))).code, 'operation-not-in-version');
  });

  test('a status of failure after the end of the task is a finding, and the answer stands', async () => {
    /** A StreamResponse: a statusUpdate that tells TASK_STATE_COMPLETED. */
    const completed = envelope(proto([3, proto([1, 't'], [2, 'c'], [3, proto([1, 3])])]));
    const { address } = await raw({ body: [completed], trailers: { 'grpc-status': '13', 'grpc-message': 'the pipe is gone' } });
    const { items, error } = await drain(clientAt(address).stream('SendStreamingMessage', asks('hello')));
    assert.equal(error, undefined);
    assert.match(items.flatMap(({ findings }) => findings).filter(({ rule }) => rule === 'STRM-11')[0]?.message ?? '', /the pipe is gone/);
    const before = await raw({ body: [], trailers: { 'grpc-status': '13', 'grpc-message': 'the pipe is gone' } });
    const failed = (await drain(clientAt(before.address).stream('SendStreamingMessage', asks('hello')))).error;
    assert.ok(failed instanceof A2AError);
    assert.deepEqual(failed.statuses, [13, 'INTERNAL']);
  });

  test('something else answers, or nothing does', async () => {
    const page = await raw({ head: { ':status': 404, 'content-type': 'text/html' } });
    const code = async (address: string): Promise<string> =>
      (await failureOf(clientAt(address, { generation: '1.0' }).call('GetTask', { id: 'x' }))).code;
    assert.equal(await code(page.address), 'not-grpc');
    assert.equal(await code(await open.deadPort()), 'unreachable');
  });

  test('TLS: a certificate that is trusted, and one that is not', async () => {
    const { key, cert } = selfSigned();
    const credentials = ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }]);
    const agent = await agentOf('1.0', { credentials });
    const client = clientAt(`https://${agent.address}`);
    const refused = await failureOf(client.call('SendMessage', asks('hello')));
    assert.deepEqual([refused.code, (refused as ConnectionProblem).reached], ['tls', 'no']);
    assert.match(refused.message, /self-signed/);
    const plain = await failureOf(clientAt(`http://${agent.address}`).call('SendMessage', asks('hello')));
    assert.ok(plain instanceof ConnectionProblem, String(plain));
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert]);
    try {
      const { result } = await client.call('SendMessage', asks('hello'));
      assert.ok('message' in result);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  interface Failure {
    readonly at: RawAnswer | (() => Promise<string>);
    readonly is: readonly [code: string, reached?: string];
    readonly says: RegExp;
    /** Events that come before it. */
    readonly events?: number;
  }

  const failures: Readonly<Record<string, Failure>> = {
    'nothing listens': {
      at: () => open.deadPort(),
      is: ['unreachable', 'no'],
      says: /^Connection refused: no server is listening at 127\.0\.0\.1:\d+\.$/,
    },
    'an HTTP/1.1 server': {
      at: async () => new URL(await open.web((_request, response) => response.end('hello'))).host,
      is: ['not-http', 'unknown'],
      says: /does not support HTTP\/2/,
    },
    'bytes of no protocol': {
      at: () => open.tcp(socket => socket.once('data', () => socket.write('220 ready, are you?\r\n'))),
      is: ['not-http', 'unknown'],
      says: /does not support HTTP\/2/,
    },
    'closed before an answer': {
      at: () => open.tcp(socket => socket.once('data', () => socket.end())),
      is: ['connection-lost', 'unknown'],
      says: /before it answered/,
    },
    'reset before an answer': {
      at: () => open.tcp(socket => socket.once('data', () => socket.resetAndDestroy())),
      is: ['connection-lost', 'unknown'],
      says: /before it answered/,
    },
    'TLS towards a server without it': {
      at: async () => `https://${(await raw({})).address}`,
      is: ['tls', 'no'],
      says: /does not use TLS/,
    },
    'a stream that is refused': { at: { cut: 'refuse' }, is: ['connection-lost', 'no'], says: /accepted no more requests/ },
    'a stream that is reset': { at: { cut: 'stream' }, is: ['connection-lost', 'unknown'], says: /before it answered/ },
    'cut in the middle': { at: { body: [message], cut: 'session' }, is: ['connection-lost', 'yes'], says: /in the middle/, events: 1 },
    'ended in the middle of a message': {
      at: { body: [message, message.subarray(0, 9)], trailers: ok },
      is: ['connection-lost', 'yes'],
      says: /in the middle/,
      events: 1,
    },
    'ended without a status': { at: { body: [message] }, is: ['connection-lost', 'yes'], says: /in the middle/, events: 1 },
    'ended without a message': { at: { trailers: ok }, is: ['empty-answer'], says: /without sending anything/ },
    'bytes that are no message': {
      at: { body: [envelope(base64('//8='))], trailers: ok },
      is: ['unreadable-answer'],
      says: /not a message of lf\.a2a\.v1/,
    },
    'a task without anything': {
      at: { body: [envelope(proto([1, proto()]))], trailers: ok },
      is: ['unreadable-answer'],
      says: /no readable task/,
    },
    'a message too long to read': { at: { body: [envelope(base64(''), 0x7fff_ffff)], cut: 'hang' }, is: ['too-large'], says: /32 MiB/ },
    'a web page': {
      at: { head: { 'content-type': 'text/html' }, body: [Buffer.from('<h1>Welcome</h1>')] },
      is: ['not-grpc'],
      says: /does not answer with gRPC\.$/,
    },
    'HTTP 502': { at: { head: { ':status': 502, 'content-type': 'text/html' } }, is: ['not-grpc'], says: /HTTP 502/ },
    'HTTP 401': { at: { head: { ':status': 401 } }, is: ['unauthorized'], says: /HTTP 401/ },
    'UNAVAILABLE at once': {
      at: { head: { 'grpc-status': '14', 'grpc-message': 'no%20upstream' } },
      is: ['connection-lost', 'unknown'],
      says: /gRPC UNAVAILABLE\): no upstream/,
    },
    DEADLINE_EXCEEDED: { at: { trailers: { 'grpc-status': '4' } }, is: ['timeout', 'unknown'], says: /DEADLINE_EXCEEDED/ },
    PERMISSION_DENIED: {
      at: { trailers: { 'grpc-status': '7', 'grpc-message': 'not you' } },
      is: ['unauthorized'],
      says: /refuses.*not you/,
    },
    UNIMPLEMENTED: {
      at: { trailers: { 'grpc-status': '12', 'grpc-message': 'unknown service' } },
      is: ['grpc-unimplemented'],
      says: /lf\.a2a\.v1.*unknown service/,
    },
    UNKNOWN: { at: { trailers: { 'grpc-status': '2', 'grpc-message': 'boom' } }, is: ['grpc-error'], says: /gRPC UNKNOWN: boom/ },
    'a status that is none': { at: { trailers: { 'grpc-status': 'abc' } }, is: ['grpc-error'], says: /gRPC UNKNOWN/ },
    INVALID_ARGUMENT: {
      at: { trailers: { 'grpc-status': '3', 'grpc-message': 'bad part' } },
      is: ['agent-error'],
      says: /InvalidParamsError \(gRPC INVALID_ARGUMENT\): bad part/,
    },
    'an error after a message': {
      at: { body: [message], trailers: { 'grpc-status': '13', 'grpc-message': 'broke' } },
      is: ['agent-error'],
      says: /InternalError \(gRPC INTERNAL\): broke/,
      events: 1,
    },
    'a reason in the details': {
      at: { trailers: { 'grpc-status': '9', 'grpc-message': 'no', 'grpc-status-details-bin': statusDetails('UNSUPPORTED_OPERATION') } },
      is: ['agent-error'],
      says: /UnsupportedOperationError \(gRPC FAILED_PRECONDITION\): no/,
    },
    'details that cannot be decoded': {
      at: { trailers: { 'grpc-status': '9', 'grpc-message': 'no', 'grpc-status-details-bin': '!!!' } },
      is: ['grpc-error'],
      says: /gRPC FAILED_PRECONDITION: no$/,
    },
    'words that are not percent-encoded as they should be': {
      at: { trailers: { 'grpc-status': '2', 'grpc-message': '100% wrong' } },
      is: ['grpc-error'],
      says: /gRPC UNKNOWN: 100% wrong$/,
    },
  };

  suite('failures', () => {
    for (const [name, { at, is, says: words, events = 0 }] of Object.entries(failures)) {
      test(name, async () => {
        const address = typeof at === 'function' ? await at() : (await raw(at)).address;
        const log = new WireRecording();
        const client = clientAt(address);
        const unary = await failureOf(client.call('SendMessage', asks('x'), { log }));
        const streaming = await drain(client.stream('SendStreamingMessage', asks('x'), { log }));
        assert.equal(streaming.items.flatMap(batch => batch.events).length, events);
        for (const error of [unary, streaming.error]) {
          assert.ok(error instanceof Problem, String(error));
          assert.deepEqual([error.code, ...(error instanceof ConnectionProblem ? [error.reached] : [])], is);
          assert.match(error.message, words);
        }
        assert.ok(
          log.exchanges.length === 2 && log.exchanges.every(({ failure, endedAt }) => failure !== undefined && endedAt !== undefined),
        );
      });
    }

    test('bytes that are no message are on record', async () => {
      const log = new WireRecording();
      await failureOf(
        clientAt((await raw({ body: [envelope(base64('//8='))], trailers: ok })).address).call('GetTask', { id: 'x' }, { log }),
      );
      assert.deepEqual([log.last.response?.body, log.last.response?.bytes], ['', '//8=']);
    });

    test('a request that cannot be said is not sent', async () => {
      const log = new WireRecording();
      const odd = { message: { ...asks('x').message, colour: 'red' } };
      const error = await failureOf(clientAt(await open.deadPort()).call('SendMessage', odd, { log }));
      assert.equal(error.code, 'unsayable-request');
      assert.match(error.details ?? '', /colour/);
      assert.deepEqual(log.exchanges, []);
    });

    test('a header that cannot be sent is not sent', async () => {
      assert.equal(
        (await failureOf(clientAt(await open.deadPort(), { headers: { 'x-a': 'ü→' } }).call('GetTask', { id: 'x' }))).code,
        'bad-header',
      );
    });
  });

  suite('the end of a call', () => {
    for (const [name, answer] of Object.entries({
      'before an answer': { cut: 'hang' },
      'inside a stream': { body: [message], cut: 'hang' },
    } satisfies Record<string, RawAnswer>)) {
      test(`cancelled ${name}: the connection is closed`, async () => {
        const server = await raw(answer);
        const stop = new AbortController();
        const batches = drain(clientAt(server.address).stream('SendStreamingMessage', asks('x'), { signal: stop.signal }));
        await server.asked;
        stop.abort();
        const { error } = await batches;
        assert.ok(error instanceof ConnectionProblem);
        assert.equal(error.code, 'cancelled');
        await server.closed;
      });
    }

    test('cancelled while connecting', async () => {
      const stop = AbortSignal.abort();
      const error = await failureOf(clientAt((await raw({ cut: 'hang' })).address).call('SendMessage', asks('x'), { signal: stop }));
      assert.deepEqual([error.code, (error as ConnectionProblem).reached], ['cancelled', 'no']);
    });

    test('a deadline', async () => {
      const server = await raw({ cut: 'hang' });
      const log = new WireRecording();
      const error = await failureOf(clientAt(server.address).call('SendMessage', asks('x'), { timeoutMs: 300, log }));
      assert.deepEqual([error.code, (error as ConnectionProblem).reached], ['timeout', 'unknown']);
      assert.match(error.message, /within 0\.3 seconds/);
      assert.deepEqual(
        log.last.request.headers.find(([header]) => header === 'grpc-timeout'),
        ['grpc-timeout', '300m'],
      );
      await server.closed;
    });

    test('a reader who leaves closes the connection', async () => {
      const server = await raw({ body: [message, message], cut: 'hang' });
      const log = new WireRecording();
      for await (const { events } of clientAt(server.address).stream('SendStreamingMessage', asks('x'), { log })) {
        assert.equal(events.length, 1);
        break;
      }
      await server.closed;
      assert.equal(log.last.failure, 'Closed by the client.');
    });

    test("closing the client's connections closes those of gRPC", async () => {
      const server = await raw({ cut: 'hang' });
      const client = clientAt(server.address);
      const failed = failureOf(client.call('SendMessage', asks('x')));
      await server.asked;
      await open.close();
      assert.ok((await failed) instanceof ConnectionProblem);
      await server.closed;
    });

    test('a call that ended well leaves no connection', async () => {
      const server = await raw({ body: [message], trailers: ok });
      const { result, findings } = await clientAt(server.address).call('SendMessage', asks('x'));
      assert.deepEqual(
        [result, findings],
        [{ message: { messageId: 'm', contextId: 'c-1', role: 'ROLE_AGENT', parts: [{ text: 'a' }] } }, []],
      );
      await server.closed;
    });
  });

  suite('what departs from the rules is read, and noted', () => {
    const rows: Readonly<Record<string, { readonly body: readonly Uint8Array[]; readonly rules: readonly string[] }>> = {
      'as it should be': { body: [message], rules: [] },
      'unknown fields': {
        body: [envelope(Buffer.concat([says([50, 'new'], [51, 7]), proto([99, 'newer'])]))],
        rules: ['GRPC-04 ', 'GRPC-04 /message', 'GRPC-04 /message'],
      },
      'two messages in answer to a plain call': { body: [message, message], rules: ['GRPC-05 '] },
      'an enum value that nobody knows': {
        body: [envelope(proto([1, proto([1, 't-1'], [2, 'c-1'], [3, proto([1, 42])])]))],
        rules: ['DATA-02 /task/status/state'],
      },
      'a task without a state': { body: [envelope(proto([1, proto([1, 't-1'], [2, 'c-1'])]))], rules: ['DATA-01 /task/status'] },
    };
    for (const [name, { body, rules }] of Object.entries(rows)) {
      test(name, async () => {
        const log = new WireRecording();
        const { findings } = await clientAt((await raw({ body, trailers: ok })).address).call('SendMessage', asks('x'), { log });
        assert.deepEqual(
          findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
          rules,
        );
        assert.deepEqual(log.last.findings, findings);
      });
    }

    test('long bytes, in parts of an artifact, are what they were', async () => {
      const pictures = [20_000, 3, 5_000_000].map((length, seed) => Buffer.alloc(length, `picture ${seed}`));
      const parts = pictures.map(picture => [4, proto([2, picture], [7, 'image/png'])] as const);
      const body = [envelope(proto([1, proto([1, 't-1'], [2, 'c-1'], [3, proto([1, 3])], [4, proto([1, 'a-1'], ...parts)])]))];
      const log = new WireRecording();
      const { result } = await clientAt((await raw({ body, trailers: ok })).address).call('SendMessage', asks('x'), { log });
      const expected = pictures.map(picture => ({ raw: picture.toString('base64'), mediaType: 'image/png' }));
      assert.ok('task' in result);
      assert.ok(JSON.stringify(result.task.artifacts?.[0]?.parts) === JSON.stringify(expected));
      assert.ok(log.last.response?.bytes === body[0]!.subarray(5).toString('base64'));
    });

    test('an unknown field is named by its number, and is in the bytes', async () => {
      const log = new WireRecording();
      const { findings } = await clientAt((await raw({ body: [envelope(says([50, 'new']))], trailers: ok })).address).call(
        'SendMessage',
        asks('x'),
        { log },
      );
      assert.match(findings[0]?.message ?? '', /lf\.a2a\.v1\.Message has no field 50/);
      assert.deepEqual(base64(log.last.response?.bytes ?? ''), says([50, 'new']));
      assert.doesNotMatch(log.last.response?.body ?? '', /new/);
    });
  });
});
