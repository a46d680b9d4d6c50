import type { Operation } from '../../../protocol/message/operations.ts';
import { versionOf } from '../../../protocol/versions/index.ts';
import type { RequestView } from './passiveCheck.ts';

/** The name of an operation in the version of an interface. In 0.3 that of JSON-RPC, by which its specification names all but gRPC's (§3.5). */
export const methodName = (operation: string, { version, binding }: Pick<RequestView, 'version' | 'binding'>): string =>
  binding === 'GRPC' ? operation : (versionOf(version)?.methods[operation as Operation] ?? operation);
