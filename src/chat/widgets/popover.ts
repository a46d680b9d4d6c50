/** Pixels between what hangs from something, and the edges of the page. */
const gap = 4;

/** Puts a list below what it belongs to, or above it where there is no room; inside the page. */
export function place(list: HTMLElement, { left, top, bottom }: DOMRect): void {
  const { offsetWidth, offsetHeight } = list;
  const below = bottom + offsetHeight + gap <= innerHeight;
  list.style.left = `${Math.max(gap, Math.min(left, innerWidth - offsetWidth - gap))}px`;
  list.style.top = `${below ? bottom : Math.max(gap, top - offsetHeight)}px`;
}
