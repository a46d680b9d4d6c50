import { A2AExpressApp, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk-0.2/server';
import express from 'express';
import { KindExecutor } from './kindExecutor.ts';
import { Fronts, type MatrixAgent } from './matrixAgent.ts';

/** The SDK of 0.2, which serves JSON-RPC alone. */
export async function startSdk0_2(): Promise<MatrixAgent> {
  const fronts = new Fronts();
  const front = await fronts.open();
  const url = `http://${front.address}/`;
  const requestHandler = new DefaultRequestHandler(
    {
      name: 'Matrix',
      description: 'Plays its part.',
      version: '1.0.0',
      url,
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'play', name: 'Play', description: 'Plays.', tags: ['play'] }],
    },
    new InMemoryTaskStore(),
    new KindExecutor(fronts.gates),
  );
  const app = express();
  // Its types are of Express 4; at run time the one takes the other's router.
  new A2AExpressApp(requestHandler).setupRoutes(app as unknown as Parameters<A2AExpressApp['setupRoutes']>[0]);
  await fronts.web(front, app);
  return fronts.agent(url);
}
