import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk/server/grpc';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import express from 'express';
import { agentCard } from '../../../examples/agents/card.ts';
import { SampleExecutor } from '../../../examples/agents/executor.ts';
import { textPart } from '../../../examples/agents/parts.ts';
import { SampleRequestHandler } from '../../../examples/agents/requestHandler.ts';
import type { Turn } from '../../../examples/agents/turn.ts';
import { serveGrpc } from './grpcServer.ts';
import { Fronts, type MatrixAgent } from './matrixAgent.ts';
import { play, type Stage } from './play.ts';

const stageOf = (turn: Turn): Stage => ({
  text: turn.text,
  continues: turn.task !== undefined,
  signal: turn.signal,
  reply: text => turn.reply(text),
  work: text => void turn.work(text, 0).catch(() => {}),
  chunk: (text, piece) => void turn.artifact({ artifactId: 'answer', name: 'answer', parts: [textPart(text)] }, piece),
  ask: text => turn.ask(text),
  complete: text => turn.complete(text),
});

/** The SDK of 1.0 with everything it serves: three bindings of 1.0, and the same three of 0.3 by its compatibility layer. */
export async function startSdk1_0(): Promise<MatrixAgent> {
  const fronts = new Fronts();
  const front = await fronts.open();
  const grpcFront = await fronts.open();
  const url = `http://${front.address}/`;
  const bindings = { JSONRPC: `${url}rpc`, 'HTTP+JSON': `${url}rest`, GRPC: grpcFront.address };
  const card = agentCard(
    {
      name: 'Matrix',
      description: 'Plays its part.',
      outputModes: ['text/plain'],
      skills: [{ id: 'play', name: 'Play', description: 'Plays.', tags: ['play'], examples: [] }],
    },
    url,
  );
  card.supportedInterfaces = ['1.0', '0.3'].flatMap(protocolVersion =>
    Object.entries(bindings).map(([protocolBinding, at]) => ({ url: at, protocolBinding, protocolVersion, tenant: '' })),
  );

  const executor = new SampleExecutor(turn => play(stageOf(turn), fronts.gates), 0);
  fronts.onStop(async () => executor.stop());
  const requestHandler = new SampleRequestHandler(card, executor);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
  const app = express();
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: { enabled: true } }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  await fronts.web(front, app);

  const grpcOptions = { requestHandler, userBuilder: GrpcUserBuilder.noAuthentication };
  await serveGrpc(fronts, grpcFront, server => {
    server.addService(A2AService, grpcService(grpcOptions));
    server.addService(LegacyA2AService, legacyGrpcService(grpcOptions));
  });
  return fronts.agent(url);
}
