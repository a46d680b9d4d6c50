import { errorNames } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { AgentCard0_3 } from '../shared/agentCard0_3.ts';
import { withoutUndefined } from '../shared/fields.ts';
import { readCard0_3 } from './readCard0_3.ts';
import { createVersion0_2Or0_3 } from './v0_3.ts';
import { protoForm } from './v0_3proto.ts';
import type { Version } from '../shared/version.ts';

/** Cards have `protocolVersion` from 0.2.5 on (0.2.5 §5.5). */
export const AgentCard0_2 = AgentCard0_3.partial({ protocolVersion: true }).meta({
  title: 'A2A agent card 0.2',
  description: 'What an A2A 0.2 agent says about itself.',
});

const codec = createVersion0_2Or0_3('0.2');

/**
 * A2A 0.2 (May to July 2025): as 0.3, except for the path of the card and for `acceptedOutputModes`, which a configuration must have before
 * 0.2.6. SDKs of that time accept an empty list as "any".
 */
const kindForm: Version = {
  ...codec,
  errorNames,
  unsupported: [...codec.unsupported, 'no-output-modes'],
  cardPath: '/.well-known/agent.json',
  writeParams(operation, params) {
    const written = codec.writeParams(operation, params);
    if (!isObject(written) || !isObject(written['configuration'])) return written;
    return withoutUndefined({ ...written, configuration: { acceptedOutputModes: [], ...written['configuration'] } });
  },
  readCard: (card, note) => readCard0_3(card, note, AgentCard0_2, '0.2'),
};

/** A2A 0.2. Its protocol buffers, from 0.2.2 on, are those of 0.3. */
export const v0_2: Version = { ...kindForm, protoForm: { ...kindForm, ...protoForm } };
