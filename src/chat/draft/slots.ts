import type { DraftContent, DraftPart } from '../host/draft.ts';

/** A position in a message: a part, or the text of the text box. */
export type Slot = DraftPart | 'text';

type Order = Pick<DraftContent, 'parts' | 'textAt'>;

/** The parts in the order in which they are sent, with the text among them. */
export function slotsOf({ parts, textAt }: Order): readonly Slot[] {
  return [...parts.slice(0, textAt), 'text', ...parts.slice(textAt)];
}

export function orderOf(slots: readonly Slot[]): Order {
  return { parts: slots.filter(slot => slot !== 'text'), textAt: slots.indexOf('text') };
}

/** The order with the item at `index` moved by `by` positions, within the list. */
export function moveItem(order: Order, index: number, by: number): Order {
  const slots = [...slotsOf(order)];
  const [slot] = slots.splice(index, 1);
  if (slot === undefined) return order;
  slots.splice(Math.max(0, Math.min(slots.length, index + by)), 0, slot);
  return orderOf(slots);
}

/** The order without one part; the text keeps its position between the others. */
export function withoutPart(order: Order, id: string): Order {
  return orderOf(slotsOf(order).filter(slot => slot === 'text' || slot.id !== id));
}
