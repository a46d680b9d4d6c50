import type { DescMethodStreaming, FileRegistry } from '@bufbuild/protobuf';
import { a2aV1 } from './a2aV1.ts';
import { lfA2aV1 } from './lfA2aV1.ts';
import type { GrpcOperation } from './protoPackage.ts';
import { schemaOf } from './schema.ts';

const packages = { 'lf.a2a.v1': lfA2aV1, 'a2a.v1': a2aV1 } as const;

export type PackageName = keyof typeof packages;

const schemas = new Map<PackageName, FileRegistry>();

/** The operations of a package's service. */
export const operationsOf = (packageName: PackageName): readonly GrpcOperation[] =>
  Object.keys(packages[packageName].methods) as GrpcOperation[];

/** On the wire a unary call is a stream with one message. Calling it as a stream also shows what follows that message. */
export function methodOf(packageName: PackageName, operation: GrpcOperation): DescMethodStreaming {
  const source = packages[packageName];
  const schema = schemas.get(packageName) ?? schemaOf(source);
  schemas.set(packageName, schema);
  const methods: typeof lfA2aV1.methods = source.methods;
  const name = methods[operation]?.[0];
  const method = schema.getService(`${packageName}.${source.service}`)?.methods.find(each => each.name === name);
  if (method === undefined) throw new Error(`no ${operation} in ${packageName}`);
  return method as DescMethodStreaming;
}
