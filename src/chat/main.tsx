import { render } from 'preact';
import { App } from './app.tsx';
import './chat.css';
import { connectHost } from './host.ts';
import { Panel } from './panel.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the chat panel has no #root');

// A page that is not drawn gets no frames; what the host tells must not pile up meanwhile.
const nextFrame = (run: () => void): void => {
  if (document.hidden) setTimeout(run, 100);
  else requestAnimationFrame(run);
};
const panel = new Panel(connectHost(), nextFrame);
render(<App panel={panel} />, root);
void panel.load();
