import type { AgentCard } from '@a2a-js/sdk-0.3';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk-0.3/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk-0.3/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk-0.3/server/grpc';
import express from 'express';
import { serveGrpc } from './grpcServer.ts';
import { KindExecutor } from './kindExecutor.ts';
import { Fronts, type MatrixAgent } from './matrixAgent.ts';

/** The SDK of 0.3 with the three bindings it serves. */
export async function startSdk0_3(): Promise<MatrixAgent> {
  const fronts = new Fronts();
  const front = await fronts.open();
  const grpcFront = await fronts.open();
  const url = `http://${front.address}/`;
  const card: AgentCard = {
    protocolVersion: '0.3.0',
    name: 'Matrix',
    description: 'Plays its part.',
    version: '1.0.0',
    url: `${url}rpc`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: `${url}rpc`, transport: 'JSONRPC' },
      { url: `${url}rest`, transport: 'HTTP+JSON' },
      { url: grpcFront.address, transport: 'GRPC' },
    ],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'play', name: 'Play', description: 'Plays.', tags: ['play'] }],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new KindExecutor(fronts.gates));
  const app = express();
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  app.use('/rest', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  await fronts.web(front, app);
  await serveGrpc(fronts, grpcFront, server =>
    server.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUserBuilder.noAuthentication })),
  );
  return fronts.agent(url);
}
