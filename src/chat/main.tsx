import { render } from 'preact';
import { App } from './app.tsx';
import './chat.css';
import { pacedFrames } from './frames.ts';
import { connectHost } from './host.ts';
import { parseBlock } from './markdown/parse.ts';
import { clockTime, exactTime } from './measures.ts';
import { Panel } from './panel.ts';
import { language } from './panelContext.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the chat panel has no #root');

const panel = new Panel(connectHost(), pacedFrames());
render(<App panel={panel} />, root);
void panel.load();
// While the host answers: the first time of day and the first Markdown of a page take longer than all later ones.
clockTime(0, language());
exactTime(0, language());
clockTime(Date.now(), language());
parseBlock('- *a* `b` [c](https://example.org)\n\n| a |\n| - |\n| b |');
