import * as assert from 'node:assert/strict';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { UnauthorizedProblem } from '../../../src/client/agentError.ts';
import { chooseInterface } from '../../../src/client/agentInterface.ts';
import { ConnectionProblem } from '../../../src/client/connectionProblem.ts';
import { plainCard } from '../../../src/mock/plainCard.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { unnoted } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { serveGrpcAgent, type GrpcAgent, type ServeOptions } from './support/grpcAgents.ts';
import { drain, OpenThings } from './support/openThings.ts';
import { envelope, serveRaw, type RawAnswer } from './support/rawGrpc.ts';
import { asks } from './support/says.ts';
import { WireRecording } from './support/wireRecording.ts';

type Generation = '1.0' | '0.3';

interface Asking {
  readonly generation?: Generation;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connectTimeoutMs?: number;
}

suite('gRPC', () => {
  const open = new OpenThings();
  const servers: { stop(): Promise<void> }[] = [];
  teardown(async () => {
    await open.close();
    await Promise.all(servers.splice(0).map(server => server.stop()));
  });

  function clientAt(address: string, { generation = '1.0', headers, connectTimeoutMs }: Asking = {}): AgentClient {
    const card = readAgentCard({ ...plainCard('/', '1.0'), supportedInterfaces: [{ url: address, protocolBinding: 'GRPC', protocolVersion: generation }] }, unnoted);
    const chosen = chooseInterface(card, 'http://127.0.0.1/card');
    const { origin } = new URL(chosen.interface.url);
    return new AgentClient({
      card, chosen, headers, http: open.http(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }), agentUrl: origin,
    });
  }

  async function raw(answer: RawAnswer): Promise<string> {
    const server = await serveRaw(answer);
    servers.push(server);
    return server.address;
  }

  const bad = (name: string, ask: (log: WireRecording) => Promise<string>): void => {
    test(name, async () => {
      const log = new WireRecording();
      const address = await ask(log);
      const client = clientAt(address, { connectTimeoutMs: 200 });
      const error = await client.call('SendMessage', asks('x'), { log, timeoutMs: 500 }).catch((e: unknown) => e);
      const s = await drain(client.stream('SendStreamingMessage', asks('x'), { log, timeoutMs: 500 }));
      for (const e of [error, s.error]) console.log(name, '|', e instanceof Problem ? [e.name, e.code, (e as ConnectionProblem).reached, e.message, e.details, (e.cause as Error)?.cause] : e, s.items.length);
    });
  };
  const task = Buffer.from('CgUKA3QtMQ==', 'base64');
  bad('dead', () => open.deadPort());
  bad('http1', async () => new URL(await open.web((_q, r) => r.end('hello'))).host);
  bad('tcp close', () => open.tcp(s => s.once('data', () => s.end())));
  bad('tcp reset', () => open.tcp(s => s.once('data', () => s.resetAndDestroy())));
  bad('tcp garbage', () => open.tcp(s => s.once('data', () => s.write('garbage garbage garbage\r\n'))));
  bad('tls to plain', async () => `https://${await raw({})}`);
  bad('silent tcp', () => open.tcp(() => {}));
  bad('hang', () => raw({ cut: 'hang' }));
  bad('cut session before', () => raw({ cut: 'session' }));
  bad('cut stream before', () => raw({ cut: 'stream' }));
  bad('refuse', () => raw({ cut: 'refuse' }));
  bad('cut session in', () => raw({ body: [envelope(task)], cut: 'session' }));
  bad('cut stream in', () => raw({ body: [envelope(task)], cut: 'stream' }));
  bad('half', () => raw({ body: [envelope(task), envelope(task, 99)], trailers: {} }));
  bad('no trailers', () => raw({ body: [envelope(task)] }));
  bad('unreadable', () => raw({ body: [envelope(Buffer.from([0xff, 0xff]))], trailers: { 'grpc-status': '0' } }));
  bad('huge', () => raw({ body: [envelope(task, 0x7fffffff)], cut: 'hang' }));
  bad('web page', () => raw({ head: { 'content-type': 'text/html' }, body: [Buffer.from('<html>')] }));
  bad('404', () => raw({ head: { ':status': 404, 'content-type': 'text/html' }, body: [Buffer.from('<html>')] }));
  bad('status only', () => raw({ head: { 'grpc-status': '14', 'grpc-message': 'no%20upstream' } }));
  bad('empty', () => raw({ trailers: { 'grpc-status': '0' } }));
  bad('dns', async () => 'http://no.such.host.invalid:1');
  void [A2AError, UnauthorizedProblem, ConnectionProblem, serveGrpcAgent];
  const x: GrpcAgent | ServeOptions | undefined = undefined;
  void x; void assert;
});
