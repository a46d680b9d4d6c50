import { emptyDraft } from '../emptyDraft.ts';
import type { Draft, DraftFile, DraftPart } from '../../../src/chat/host/draft.ts';
import type { ChatSnapshot } from '../../../src/chat/host/messages.ts';
import { busyDay } from './stories.ts';

export const picture: DraftFile = { kind: 'file', id: 'picture', name: 'sailboat.png', mediaType: 'image/png', size: 48_211 };
export const report: DraftFile = {
  kind: 'file',
  id: 'report',
  name: 'storm report (final).pdf',
  mediaType: 'application/pdf',
  size: 1_482_113,
};
export const facts: DraftPart = { kind: 'data', id: 'facts', json: '{ "wind": 7, "gusts": [8, 9] }', mediaType: 'application/json' };
export const selection: DraftPart = { kind: 'text', id: 'selection', text: 'const sail = reef(2);', name: 'rigging.ts:10-24' };

export function draftOf(draft: Partial<Draft>): Draft {
  return { ...emptyDraft, version: 1, ...draft };
}

/** A day on which much is to be sent at once. */
export function composing(draft: Partial<Draft> = {}): ChatSnapshot {
  const day = busyDay();
  return {
    ...day,
    state: { ...day.state, outputModes: ['text/plain', 'image/png', 'application/json'], examples: ['Draw a sailboat', 'Make it red'] },
    draft: draftOf({
      text: 'Is this what the storm looked like? The report says otherwise.',
      textAt: 1,
      parts: [picture, report, facts, selection],
      metadata: '{"trace":7}',
      outputModes: ['image/png'],
      ...draft,
    }),
  };
}
