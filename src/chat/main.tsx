import { render } from 'preact';
import { App } from './app.tsx';
import './chat.css';
import { pacedFrames } from './frames.ts';
import { connectHost } from './host.ts';
import { Panel } from './panel.ts';
import { warmUp } from './warmUp.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the chat panel has no #root');

const panel = new Panel(connectHost(), pacedFrames());
render(<App panel={panel} />, root);
void panel.load();
warmUp(panel);

// What the scripts that are loaded later take from this one, by the names they have there: fromPanel in esbuild.mjs.
export { exactly, writeExactly } from '../protocol/exactNumber.ts';
export { Icon, TextButton } from './button.tsx';
export { jsonMeant } from './jsonText.ts';
export { languageNamed, languages } from './markdown/languages.ts';
export { usePanel } from './panelContext.ts';
export { t, tell } from './strings.ts';
export { visible, visibleLines, visibleName } from './visible.ts';
export { useEffect, useRef, useState } from 'preact/hooks';
export { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
