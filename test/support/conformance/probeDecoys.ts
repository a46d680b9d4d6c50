import { cardProbeDecoys } from './decoys/cardProbes.ts';
import { pushProbeDecoys } from './decoys/pushProbes.ts';
import { refusalProbeDecoys } from './decoys/refusalProbes.ts';
import { streamProbeDecoys } from './decoys/streamProbes.ts';
import { taskProbeDecoys } from './decoys/taskProbes.ts';
import { wireProbeDecoys } from './decoys/wireProbes.ts';
import type { ProbeDecoy } from './probeDecoy.ts';

/** All decoys of probes. */
export const probeDecoys: readonly ProbeDecoy[] = [
  ...cardProbeDecoys,
  ...wireProbeDecoys,
  ...taskProbeDecoys,
  ...streamProbeDecoys,
  ...pushProbeDecoys,
  ...refusalProbeDecoys,
];
