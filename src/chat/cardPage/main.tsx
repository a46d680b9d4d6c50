import { signal } from '@preact/signals';
import { render } from 'preact';
import type { CardPageMessage, CardView } from '../host/cardMessages.ts';
import { setStrings } from '../text/strings.ts';
import './cardPage.css';
import { CardPage } from './cardPage.tsx';

declare function acquireVsCodeApi(): { postMessage(message: CardPageMessage): void; setState(state: { readonly uri: string }): void };

const api = acquireVsCodeApi();
const view = signal<CardView | undefined>(undefined);
window.addEventListener('message', ({ data: next }: MessageEvent<CardView>) => {
  setStrings(next.strings);
  api.setState({ uri: next.uri });
  view.value = next;
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the card has no #root');
render(
  <CardPage
    view={view}
    reveal={path => api.postMessage({ type: 'reveal', path })}
    revealProblem={offset => api.postMessage({ type: 'revealProblem', offset })}
    trust={() => api.postMessage({ type: 'trust' })}
  />,
  root,
);
api.postMessage({ type: 'ready' });
