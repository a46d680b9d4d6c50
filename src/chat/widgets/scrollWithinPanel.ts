/** Position of the element in its box; `nearest` scrolls as little as possible. */
type Place = 'start' | 'center' | 'nearest';

/**
 * Scrolls only the boxes that contain the element. The browser's own `scrollIntoView` also scrolls the page and the frames around it, which
 * would shift the panel in its frame.
 */
export function scrollWithinPanel(element: Element, place: Place): void {
  for (
    let box = element.parentElement;
    box !== null && box !== document.body && box !== document.documentElement;
    box = box.parentElement
  ) {
    const { overflowY, overflowX } = getComputedStyle(box);
    const inner = element.getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    if (scrolls(overflowY)) box.scrollTop += shift(inner.top - outer.top - box.clientTop, inner.height, box.clientHeight, place);
    if (scrolls(overflowX)) box.scrollLeft += shift(inner.left - outer.left - box.clientLeft, inner.width, box.clientWidth, 'nearest');
  }
}

const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

/** Pixels by which a box has to scroll for an element at this distance from its start. */
function shift(at: number, length: number, room: number, place: Place): number {
  if (place === 'start') return at;
  if (place === 'center') return at - (room - length) / 2;
  if ((at >= 0 && at + length <= room) || (at < 0 && at + length > room)) return 0;
  return at < 0 === length <= room ? at : at + length - room;
}
