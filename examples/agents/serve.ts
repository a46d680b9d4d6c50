import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { refuse } from '../../src/receiver/loopbackServer.ts';
import { foreignReason } from '../../src/receiver/requestGuard.ts';
import { agentCard, type Introduction } from './card.ts';
import { SampleExecutor, type Play } from './executor.ts';
import { SampleRequestHandler } from './requestHandler.ts';
import type { Pace } from './turn.ts';

export interface SampleAgent {
  readonly introduction: Introduction;
  readonly play: Play;
}

export interface RunningAgent {
  readonly name: string;
  /** Where the agent lives: its card is at `/.well-known/agent-card.json` below, its JSON-RPC at the URL itself. */
  readonly url: string;
  stop(): Promise<void>;
}

// The SDK reads at most Express's 100 kB, too little for a message that carries a file.
const bodyLimit = '20mb';

/** A web page could have the agent post wherever it likes on this machine. */
const noPages: RequestHandler = (request, response, next) =>
  foreignReason(request) === undefined ? next() : refuse(request, response, 403);

/** Whatever is wrong with a body is said in JSON-RPC: Express itself would answer with a page, and only when it has all of the body. */
const unreadableBody: ErrorRequestHandler = (error: Error & { readonly status?: number }, request, response, next) => {
  const { status = 500 } = error;
  if (status < 400 || status > 499) return next(error);
  // What still comes of it is dropped.
  request.resume();
  const isOther = !(error instanceof SyntaxError);
  response
    .status(isOther ? status : 200)
    .json({ jsonrpc: '2.0', id: null, error: isOther ? { code: -32600, message: error.message } : { code: -32700, message: 'Invalid JSON payload.' } });
};

/** Nothing is no JSON (JSON-RPC 2.0 §5.1), though Express reads it as an empty object. */
const requireText = (_request: unknown, _response: unknown, body: Buffer): void => {
  if (body.byteLength === 0) throw new SyntaxError('The body is empty.');
};

/** What is no call (JSON-RPC 2.0 §4, §5.1): the SDK says that its parameters are wrong, and reads a text in JSON. */
const requireCall: RequestHandler = ({ body }: { readonly body?: unknown }, response, next) => {
  const { jsonrpc, method, id }: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  if (body === undefined || (jsonrpc === '2.0' && typeof method === 'string')) return next();
  const isId = typeof id === 'string' || typeof id === 'number';
  response.json({ jsonrpc: '2.0', id: isId ? id : null, error: { code: -32600, message: 'This is no call of JSON-RPC 2.0.' } });
};

/**
 * Serves one agent on loopback. `port` 0 takes a free one; rejects when the port is taken.
 * `pace` says how long the agent's pauses are.
 */
export async function serveAgent(agent: SampleAgent, port: number, pace: Pace): Promise<RunningAgent> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A connection that cannot be accepted, as where files run out, ends nothing.
  server.on('error', error => process.stderr.write(`${error.stack}\n`));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const executor = new SampleExecutor(agent.play, pace);
  const requestHandler = new SampleRequestHandler(agentCard(agent.introduction, url), executor);
  const legacyCompat = { enabled: true };
  const app = express();
  app.disable('x-powered-by');
  app.use(noPages);
  // Asked without `A2A-Version`, the SDK answers as 0.3 does, card and calls alike: a 1.0 client has to say so.
  // No caching: the next start has another port.
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, legacyCompat, cache: { maxAge: 0 } }));
  app.use(express.json({ limit: bodyLimit, strict: false, verify: requireText }), unreadableBody, requireCall);
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }));
  server.on('request', app);

  return {
    name: agent.introduction.name,
    url,
    stop: async () => {
      executor.stop();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
