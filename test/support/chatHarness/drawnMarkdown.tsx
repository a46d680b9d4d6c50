import { render } from 'preact';
import { BlockText } from '../../../src/chat/text/blockText.ts';
import { Markdown } from '../../../src/chat/markdown/markdown.tsx';
import type { Panel } from '../../../src/chat/panel/panel.ts';
import { ContentContext } from '../../../src/chat/panel/panelContext.ts';

/** What came of drawing one text. */
export interface Drawn {
  /** From the text to its elements, laid out. */
  readonly ms: number;
  readonly height: number;
}

declare global {
  interface Window {
    drawMarkdown(text: string): Drawn;
  }
}

// Nothing is pressed here, so nothing is asked of the panel.
const panel = {} as Panel;
const root = document.getElementById('root')!;

window.drawMarkdown = source => {
  const began = performance.now();
  const text = new BlockText(source);
  render(
    <ContentContext.Provider value={panel}>
      <Markdown key={began} text={text} length={text.length} finished />
    </ContentContext.Provider>,
    root,
  );
  const { height } = root.getBoundingClientRect();
  const ms = performance.now() - began;
  render(null, root);
  return { ms, height };
};
