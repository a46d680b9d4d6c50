import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { CuttingProxy } from './cuttingProxy.ts';
import type { Fronts } from './matrixAgent.ts';

/** A gRPC server behind a proxy. */
export async function serveGrpc(fronts: Fronts, proxy: CuttingProxy, add: (server: Server) => void): Promise<void> {
  const server = new Server();
  add(server);
  proxy.target = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => (error === null ? resolve(port) : reject(error)));
  });
  fronts.onStop(async () => server.forceShutdown());
}
