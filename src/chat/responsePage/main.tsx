import { received } from '../../protocol/json/exactJson.ts';
import { batch, signal } from '@preact/signals';
import { render } from 'preact';
import type { ResponsePageMessage, ResponseView } from '../host/responseMessages.ts';
import type { ContentHost } from '../panel/panelContext.ts';
import { setStrings, t } from '../text/strings.ts';
import './responsePage.css';
import { ResponsePage } from './responsePage.tsx';
import { nextResponse, type ShownResponse } from './shownResponse.ts';

declare function acquireVsCodeApi(): { postMessage(message: ResponsePageMessage): void };

const api = acquireVsCodeApi();
const response = signal<ShownResponse | undefined>(undefined);
const failure = signal<string | undefined>(undefined);

window.addEventListener('message', ({ data }) => {
  const view = received(data) as ResponseView;
  if (view.strings !== undefined) setStrings(view.strings);
  const before = response.peek();
  const next = nextResponse(view, before);
  // The host counts on content that this page lacks: `ready` makes it send everything again.
  if (next === undefined) return api.postMessage({ type: 'ready' });
  batch(() => {
    response.value = next;
    failure.value = undefined;
  });
  if (before !== undefined && before.response !== next.response) window.scrollTo(0, 0);
});

const host: ContentHost = {
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      failure.value = t('Could not copy: {0}', error instanceof Error ? error.message : String(error));
      return false;
    }
  },
  async ask(name, params) {
    const shown = response.peek();
    if (shown === undefined) return false;
    // The host itself shows what goes wrong.
    if ('url' in params) api.postMessage({ type: 'openLink', url: params.url });
    else if ((name === 'openPart' || name === 'savePart') && params.part !== undefined)
      api.postMessage({ type: name, response: shown.response, content: params.seq, part: params.part });
    else return false;
    return true;
  },
  isMine: () => false,
  secretsOf: async () => [],
};

const root = document.getElementById('root');
if (root === null) throw new Error('The page of the response has no #root');
render(<ResponsePage response={response} failure={failure} host={host} />, root);
api.postMessage({ type: 'ready' });
