import * as z from 'zod';
import type { AgentCard } from '../../card/agentCard.ts';
import { unnoted } from '../../finding.ts';
import { optionalStrings, present } from '../shared/fields.ts';
import { readCard0_3 } from '../v0_3/readCard0_3.ts';

const json = ['application/json'];

/**
 * The card of an agent with a task API of its own: no A2A, so nothing in it can depart from A2A. Its one interface says so with a
 * binding and a version that A2A does not have. What such a card calls push notifications are updates over a WebSocket, in the terms of
 * A2A a stream. `schema` stays in its place (`inputSchemaOf`).
 */
export function readTaskRestCard(card: Readonly<Record<string, unknown>>): AgentCard {
  const read = readCard0_3(card, unnoted, z.unknown(), 'task-rest');
  const { streaming, pushNotifications, ...capabilities } = read.capabilities;
  return {
    ...read,
    supportedInterfaces: read.supportedInterfaces.map(entry => ({ ...entry, protocolBinding: 'TASK-REST', protocolVersion: 'task-rest' })),
    capabilities: present({ ...capabilities, streaming: streaming === true || pushNotifications === true || streaming }),
    defaultInputModes: optionalStrings(card, 'defaultInputModes') ?? json,
    defaultOutputModes: optionalStrings(card, 'defaultOutputModes') ?? json,
  };
}
