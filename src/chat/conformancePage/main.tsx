import { signal } from '@preact/signals';
import { render } from 'preact';
import type { ConformancePageMessage, ConformanceView, EvidenceView } from '../host/conformanceMessages.ts';
import { setStrings } from '../text/strings.ts';
import './conformancePage.css';
import { ConformancePage } from './conformancePage.tsx';

declare function acquireVsCodeApi(): {
  postMessage(message: ConformancePageMessage): void;
  setState(state: { readonly agent: string }): void;
};

const api = acquireVsCodeApi();
const view = signal<ConformanceView | undefined>(undefined);
const evidence = signal<EvidenceView | undefined>(undefined);
window.addEventListener('message', ({ data: next }: MessageEvent<ConformanceView | EvidenceView>) => {
  if (next.type === 'evidence') {
    evidence.value = next;
    return;
  }
  setStrings(next.strings);
  api.setState({ agent: next.agent });
  view.value = next;
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page of conformance has no #root');
render(<ConformancePage view={view} evidence={evidence} post={message => api.postMessage(message)} />, root);
api.postMessage({ type: 'ready' });
