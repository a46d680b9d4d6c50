import * as z from 'zod';
import type { AgentCard } from '../agentCard.ts';
import { unnoted } from '../finding.ts';
import { readCard0_3 } from './readCard0_3.ts';

/**
 * The card of an agent with a task API of its own: no A2A, so nothing in it can depart from A2A. Its one interface says so with a
 * binding and a version that A2A does not have.
 */
export function readTaskRestCard(card: Readonly<Record<string, unknown>>): AgentCard {
  const read = readCard0_3(card, unnoted, z.unknown(), '0.0');
  return { ...read, supportedInterfaces: read.supportedInterfaces.map(entry => ({ ...entry, protocolBinding: 'TASK-REST', protocolVersion: '0.0' })) };
}
