import { render } from 'preact';
import { App } from './view/app.tsx';
import './chat.css';
import { pacedFrames } from './transcript/frames.ts';
import { connectHost } from './host/host.ts';
import { Panel } from './panel/panel.ts';
import { BlockText } from './text/blockText.ts';
import { Markdown } from './markdown/markdown.tsx';
import { clockTime, exactTime } from './text/measures.ts';
import { language, ContentContext } from './panel/panelContext.ts';

/** Markdown with each of the elements that agents use most. */
const sample =
  '# a\n\nOne **b** *c* `d` [e](https://example.org)\n\n- f\n- g\n  1. h\n\n> i\n\n| j | k |\n| - | - |\n| l | m |\n\n```text\nn\n```\n';

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the chat panel has no #root');

const panel = new Panel(connectHost(), pacedFrames());
render(<App panel={panel} />, root);
void panel.load();
warmUp(panel);

/**
 * Formats a time and draws Markdown out of sight, while the host answers: the code is compiled the first time, which takes longer than all
 * later ones.
 */
function warmUp(panel: Panel): void {
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
