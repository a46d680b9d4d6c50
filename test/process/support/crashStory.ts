import type { Part } from '../../../src/protocol/message/part.ts';

/** Some frames are empty, some long; these hold a chunk. */
const isHeld = (step: number): boolean => step % 5 === 4;

/** What the writer writes in that step: what the artifact gets, and the event that came. */
export function storyOf(step: number): { readonly parts: readonly Part[]; readonly frame: string } {
  if (!isHeld(step)) return { parts: [{ data: step }], frame: 'x'.repeat((step % 3) * 20_000) };
  const parts = [{ text: `${step} ${'y'.repeat(10_000 + (step % 4) * 20_000)}` }];
  const update = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts }, append: true };
  return { parts, frame: JSON.stringify({ artifactUpdate: update }) };
}
