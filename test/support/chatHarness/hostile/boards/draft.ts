import type { DraftPart } from '../../../../../src/chat/host/draft.ts';
import { snapshotOf } from '../../story.ts';
import { type Board, eachSink } from '../board.ts';

const file = { kind: 'file', name: 'x', mediaType: 'text/plain', size: 9 } as const;

/** File names and media types come from others; in messages edited anew, agents may have made the rest. */
const parts: Readonly<Record<string, (text: string, index: number) => DraftPart>> = {
  'draft: name of a file': (name, index) => ({ ...file, id: `p-${index}`, name }),
  'draft: type of a file': (mediaType, index) => ({ ...file, id: `p-${index}`, mediaType }),
  'draft: why it is refused': (refused, index) => ({ ...file, id: `p-${index}`, refused }),
  'draft: name of a text': (name, index) => ({ kind: 'text', id: `p-${index}`, text: 'x', name }),
  'draft: text': (text, index) => ({ kind: 'text', id: `p-${index}`, text }),
  'draft: data': (json, index) => ({ kind: 'data', id: `p-${index}`, json }),
  'draft: type of data': (mediaType, index) => ({ kind: 'data', id: `p-${index}`, json: '{}', mediaType }),
  'draft: address': (url, index) => ({ kind: 'link', id: `p-${index}`, url }),
  'draft: name of an address': (name, index) => ({ kind: 'link', id: `p-${index}`, url: 'https://example.org', name }),
};

/** What is attached to the next message. It is sent when it has been looked at. */
export const draft: Board = {
  page: 'chat',
  batch: 1,
  steps: 250,
  sinks: Object.keys(parts),
  answers: { ready: { result: snapshotOf([]) }, send: { result: null }, thumbnail: { result: null } },
  show([attack = String]) {
    return { messages: [{ type: 'event', name: 'attached', value: eachSink(parts, attack) }], presses: [], lastPresses: ['button.send'] };
  },
};
