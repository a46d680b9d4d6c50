import { formOf, versions } from '../../../src/protocol/versions/index.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';

/** Every generation and, where it has one, its protobuf form, by the name detection has for it. */
export const forms: readonly { readonly name: string; readonly version: Version }[] = versions
  .flatMap(({ protocolVersion }) => [protocolVersion, `${protocolVersion}-proto`])
  .flatMap(name => {
    const version = formOf(name);
    return version === undefined ? [] : [{ name, version }];
  });
