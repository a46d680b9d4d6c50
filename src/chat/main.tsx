import { render } from 'preact';
import { App } from './view/app.tsx';
import './chat.css';
import { pacedFrames } from './transcript/frames.ts';
import { connectHost } from './host/host.ts';
import { Panel } from './panel/panel.ts';
import { warmUp } from './view/warmUp.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the chat panel has no #root');

const panel = new Panel(connectHost(), pacedFrames());
render(<App panel={panel} />, root);
void panel.load();
warmUp(panel);
