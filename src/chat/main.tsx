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

// Exports for the scripts loaded later, by these names: see fromPanel in esbuild.mjs.
export { compareNumbers, ExactNumber, isNumber, toExactNumber } from '../protocol/exactNumber.ts';
export { exactJson, parseExactly, writeExactly } from '../protocol/json/exactJson.ts';
export { CopyButton, Icon, IconButton, TextButton } from './widgets/button.tsx';
export { LongNote } from './widgets/longNote.tsx';
export { Menu } from './widgets/menu.tsx';
export { Code } from './markdown/code.tsx';
export { maxExported, maxFindLength } from './host/messages.ts';
export { byteSize, clockTime, durationText, exactTime, preciseTime } from './text/measures.ts';
export { isActiveState, statePresentation, stateWord } from './text/statePresentation.ts';
export { placeOf } from './host/target.ts';
export { parseTypedJson } from './text/jsonText.ts';
export { language, usePanel } from './panel/panelContext.ts';
export { t, localized } from './text/strings.ts';
export { visible, visibleLines, visibleName } from './text/visible.ts';
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
export { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
