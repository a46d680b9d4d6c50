import { render } from 'preact';
import { BlockText } from '../text/blockText.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { clockTime, exactTime } from '../text/measures.ts';
import type { Panel } from '../panel/panel.ts';
import { language, ContentContext } from '../panel/panelContext.ts';

/** One of everything that Markdown of agents is mostly made of. */
const sample =
  '# a\n\nOne **b** *c* `d` [e](https://example.org)\n\n- f\n- g\n  1. h\n\n> i\n\n| j | k |\n| - | - |\n| l | m |\n\n```text\nn\n```\n';

/**
 * Does out of sight what takes longer the first time than all later ones: the first time of day, and the first Markdown, whose code has
 * to be compiled. For the moment in which the host still answers.
 */
export function warmUp(panel: Panel): void {
  clockTime(0, language());
  exactTime(0, language());
  clockTime(Date.now(), language());
  const unseen = document.createElement('div');
  const text = new BlockText(sample);
  render(
    <ContentContext.Provider value={panel}>
      <Markdown text={text} length={text.length} finished />
    </ContentContext.Provider>,
    unseen,
  );
  render(null, unseen);
}
