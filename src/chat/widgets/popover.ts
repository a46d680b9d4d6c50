/** Distance of a popover from its element and from the edges of the page, in pixels. */
const gap = 4;

/** Positions a list below its element, or above where there is no room, within the page. */
export function placePopover(list: HTMLElement, { left, top, bottom }: DOMRect): void {
  const { offsetWidth, offsetHeight } = list;
  const below = bottom + offsetHeight + gap <= innerHeight;
  list.style.left = `${Math.max(gap, Math.min(left, innerWidth - offsetWidth - gap))}px`;
  list.style.top = `${below ? bottom : Math.max(gap, top - offsetHeight)}px`;
}
