import type { PackageName } from './bundle/service.ts';

/** The protocol buffers package of each protocol version. */
export const packages: Readonly<Record<string, PackageName>> = { '1.0': 'lf.a2a.v1', '0.3': 'a2a.v1', '0.2': 'a2a.v1' };
