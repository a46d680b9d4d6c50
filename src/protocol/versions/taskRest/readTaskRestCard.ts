import * as z from 'zod';
import type { AgentCard } from '../../card/agentCard.ts';
import { ignoreFindings } from '../../finding.ts';
import { optionalStrings, withoutUndefined } from '../shared/fields.ts';
import { readCard0_3 } from '../v0_3/readCard0_3.ts';

const json = ['application/json'];

/**
 * Reads the card of an agent with a task API of its own. It is not an A2A card, so there are no deviations to note. Its one interface has a
 * binding and a version that A2A does not have. What the card calls push notifications are updates over a WebSocket, which A2A calls
 * streaming. `schema` is kept unchanged (`inputSchemaOf`).
 */
export function readTaskRestCard(card: Readonly<Record<string, unknown>>): AgentCard {
  const read = readCard0_3(card, ignoreFindings, z.unknown(), 'task-rest');
  const { streaming, pushNotifications, ...capabilities } = read.capabilities;
  return {
    ...read,
    supportedInterfaces: read.supportedInterfaces.map(entry => ({ ...entry, protocolBinding: 'TASK-REST', protocolVersion: 'task-rest' })),
    capabilities: withoutUndefined({ ...capabilities, streaming: streaming === true || pushNotifications === true || streaming }),
    defaultInputModes: optionalStrings(card, 'defaultInputModes') ?? json,
    defaultOutputModes: optionalStrings(card, 'defaultOutputModes') ?? json,
  };
}
