import type { Draft, DraftContent } from '../../src/chat/host/draft.ts';

export const emptyContent: DraftContent = { text: '', textAt: 0, parts: [], references: [], metadata: '' };
export const emptyDraft: Draft = { ...emptyContent, version: 0, outputModes: [] };
