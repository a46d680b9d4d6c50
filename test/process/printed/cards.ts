import type { AgentInterface } from '../../../src/protocol/card/agentCard.ts';

interface PrintedCard {
  readonly card: string;
  readonly interfaces: readonly AgentInterface[];
  /** Members as they are read. */
  readonly shows: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Agent cards as documents of April 2025 print them. */
export const printedCards: Readonly<Record<string, PrintedCard>> = {
  'a card whose authentication is one word': {
    card: JSON.stringify({
      name: 'Tide tables',
      description: 'Tells tides.',
      url: 'https://tides.example',
      provider: { organization: 'Harbour office', url: 'https://harbour.example' },
      version: '1.0.0',
      authentication: { schemes: 'OAuth2' },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain', 'application/html'],
      capabilities: { streaming: true, pushNotifications: false },
      skills: [
        {
          id: 'tides',
          name: 'Tides',
          description: 'High and low water.',
          tags: ['sea'],
          examples: ['When is high water?'],
          outputModes: ['application/html', 'video/mp4'],
        },
      ],
    }),
    interfaces: [{ url: 'https://tides.example', protocolBinding: 'JSONRPC', protocolVersion: '0.1' }],
    shows: {
      name: 'Tide tables',
      capabilities: { streaming: true, pushNotifications: false },
      skills: [
        {
          id: 'tides',
          name: 'Tides',
          description: 'High and low water.',
          tags: ['sea'],
          examples: ['When is high water?'],
          outputModes: ['application/html', 'video/mp4'],
        },
      ],
    },
    notes: ['CARD-03 /authentication/schemes'],
  },
  'a card of the task API, which says what input it takes': {
    card: JSON.stringify({
      name: 'BerthAgent',
      description: 'Assigns berths',
      url: 'http://localhost:8080/a2a',
      capabilities: { streaming: false, pushNotifications: true, interactionModes: ['text', 'form'] },
      schema: {
        input: { type: 'object', properties: { length: { type: 'number' }, flag: { type: 'string' } }, required: ['length', 'flag'] },
      },
    }),
    interfaces: [{ url: 'http://localhost:8080/a2a', protocolBinding: 'TASK-REST', protocolVersion: 'task-rest' }],
    shows: {
      name: 'BerthAgent',
      schema: {
        input: { type: 'object', properties: { length: { type: 'number' }, flag: { type: 'string' } }, required: ['length', 'flag'] },
      },
    },
    notes: [],
  },
};
