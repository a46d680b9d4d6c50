import { randomUUID } from 'node:crypto';
import { Problem } from '../protocol/problem.ts';
import { versions } from '../protocol/versions/index.ts';
import type { Version } from '../protocol/versions/version.ts';
import { ConnectionProblem } from './connectionProblem.ts';
import { grpc } from './grpc.ts';
import { UnimplementedProblem } from './grpcProblem.ts';
import type { CallOptions, Peer } from './transport.ts';

const probed = ['1.0', '0.3'];

/**
 * Which generations a gRPC address answers in: the package of protocol buffers is the test (A2A 1.0 §10, 0.3 §3.2.2). Asks each for a task
 * that does not exist, which starts no work. Empty where something answers that is no A2A over gRPC.
 * @throws ConnectionProblem where nothing answers.
 */
export async function answeringVersions(
  peer: Omit<Peer, 'version' | 'streams' | 'extensions'>, { signal, log, timeoutMs = 10_000 }: Omit<CallOptions, 'exchangeId'> = {},
): Promise<readonly Version[]> {
  const answering: Version[] = [];
  for (const version of versions.filter(({ protocolVersion }) => probed.includes(protocolVersion))) {
    try {
      await grpc.call({ ...peer, version, streams: true, extensions: [] }, 'GetTask', { id: randomUUID() }, { signal, log, timeoutMs });
      answering.push(version);
    } catch (error) {
      if (!(error instanceof Problem) || error instanceof ConnectionProblem) throw error;
      if (!(error instanceof UnimplementedProblem) && error.code !== 'not-grpc') answering.push(version);
    }
  }
  return answering;
}
