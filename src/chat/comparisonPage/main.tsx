import { signal } from '@preact/signals';
import { render } from 'preact';
import type { ComparisonPageMessage, ComparisonView } from '../host/comparisonMessages.ts';
import { setStrings } from '../text/strings.ts';
import './comparisonPage.css';
import { ComparisonPage } from './comparisonPage.tsx';

declare function acquireVsCodeApi(): {
  postMessage(message: ComparisonPageMessage): void;
  setState(state: { readonly contexts: readonly string[] }): void;
};

const api = acquireVsCodeApi();
const view = signal<ComparisonView | undefined>(undefined);
window.addEventListener('message', ({ data: next }: MessageEvent<ComparisonView>) => {
  setStrings(next.strings);
  api.setState({ contexts: next.contexts });
  view.value = next;
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page of a comparison has no #root');
render(<ComparisonPage view={view} post={message => api.postMessage(message)} />, root);
api.postMessage({ type: 'ready' });
