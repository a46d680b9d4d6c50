import type { Frame, Page } from 'playwright-core';

/**
 * The document of a visible webview. A webview is two nested frames; the inner one holds the extension's page and is replaced when the
 * extension sets new content, so ask again after such a change.
 *
 * @param selector what the wanted webview's document contains
 */
export async function webviewFrame(page: Page, selector: string, timeoutMs = 60_000): Promise<Frame> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    for (const frame of page.frames()) if (await shows(page, frame, selector)) return frame;
    if (Date.now() > deadline)
      throw new Error(
        `no visible webview contains ${selector}; frames: ${page
          .frames()
          .map(frame => frame.url())
          .join(' ')}`,
      );
    await page.waitForTimeout(50);
  }
}

/** The documents of all visible webviews that contain what the selector names, at this moment. */
export async function webviewFrames(page: Page, selector: string): Promise<readonly Frame[]> {
  const found: Frame[] = [];
  for (const frame of page.frames()) if (await shows(page, frame, selector)) found.push(frame);
  return found;
}

async function shows(page: Page, frame: Frame, selector: string): Promise<boolean> {
  const outer = frame.parentFrame();
  if (outer === null || outer.parentFrame() !== page.mainFrame()) return false;
  try {
    if (!(await (await outer.frameElement()).isVisible())) return false;
    return (await frame.locator(selector).count()) > 0;
  } catch (error) {
    // The frame went away between two questions; it is then not the one that is looked for.
    if (frame.isDetached() || outer.isDetached()) return false;
    throw error;
  }
}
