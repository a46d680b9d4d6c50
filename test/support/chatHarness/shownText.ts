import type { Locator } from 'playwright-core';

/**
 * The text of an element as a reader sees it, wherever the view is scrolled to. `innerText` alone is empty for what the browser skips
 * drawing (`content-visibility: auto`), and whether it skips depends on a few pixels.
 */
export async function shownText(element: Locator): Promise<string> {
  return (await element.evaluate(innerTexts))[0]!;
}

/** The same for all that match, without waiting for one. */
export function shownTexts(elements: Locator): Promise<string[]> {
  return elements.evaluateAll(innerTexts);
}

/** Runs in the page. What is read in one turn is never painted. */
function innerTexts(elements: Element | readonly Element[]): string[] {
  const drawsAll = new CSSStyleSheet();
  drawsAll.replaceSync('* { content-visibility: visible !important }');
  const before = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [...before, drawsAll];
  try {
    return [elements].flat().map(element => (element as HTMLElement).innerText);
  } finally {
    document.adoptedStyleSheets = before;
  }
}
