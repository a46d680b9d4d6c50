import type { ResponseView } from '../../src/chat/host/responseMessages.ts';
import type { RequestRun } from '../../src/model/requests/requestRun.ts';
import type { Part } from '../../src/protocol/message/part.ts';
import { EventEmitter, Uri } from './fakeVscode.ts';
import { inPlaceOf } from './shimmedVscode.ts';

const { ResponsePreviews } = await import('../../src/workbench/requests/response/previews.ts');

/** The host of a response's preview with a page that a test plays. */
export interface PreviewHost {
  /** What the page was told, in order. */
  readonly views: readonly ResponseView[];
  /** Title, HTML and messages of the page, as JSON. */
  readonly told: () => string;
  /** Parts that were opened in an editor. */
  readonly opened: readonly Part[];
  /** The page says this; what comes of it has come when it resolves. */
  readonly say: (message: unknown) => Promise<void>;
  /** The tab is covered by another one, which unloads the page. */
  readonly hide: () => void;
  /** Another response of the same file is shown, or this one has changed. */
  readonly show: (run: RequestRun | undefined) => void;
  readonly dispose: () => void;
}

/** Opens the preview of a response; its page is not ready yet. */
export function responsePreviewHost(first: RequestRun): PreviewHost {
  const views: ResponseView[] = [];
  const opened: Part[] = [];
  const received = new EventEmitter<unknown>();
  const shownOrHidden = new EventEmitter<unknown>();
  const closed = new EventEmitter<void>();
  const changed = new EventEmitter<unknown>();
  let run: RequestRun | undefined = first;
  const session = {
    uri: Uri.file('/tides.a2a'),
    get shown() {
      return run === undefined ? undefined : 'key';
    },
    runs: { get: () => run },
  };
  const panel = {
    title: '',
    visible: true,
    reveal: () => undefined,
    dispose: () => closed.fire(),
    onDidDispose: closed.event,
    onDidChangeViewState: shownOrHidden.event,
    webview: {
      options: {},
      cspSource: 'x:',
      html: '',
      asWebviewUri: ({ path }: { readonly path: string }) => path,
      onDidReceiveMessage: received.event,
      postMessage: async (view: ResponseView) => {
        views.push(JSON.parse(JSON.stringify(view)) as ResponseView);
        return true;
      },
    },
  };
  const restore = inPlaceOf('window', { createWebviewPanel: () => panel, tabGroups: { all: [] } });
  const previews = new ResponsePreviews({
    sessions: { onDidChange: changed.event, peek: () => session },
    partFiles: { open: async (_key: string, part: Part) => void opened.push(part) },
    extensionUri: Uri.file('/'),
  } as never);
  previews.open(session as never);
  restore();
  const settled = (): Promise<void> =>
    new Promise(resolve => {
      setImmediate(resolve);
    });
  return {
    views,
    opened,
    told: () => [panel.title, panel.webview.html, ...views.map(view => JSON.stringify(view))].join('\n'),
    say: async message => {
      panel.visible = true;
      const back = inPlaceOf('window', { tabGroups: { all: [] } });
      received.fire(message);
      await settled();
      back();
    },
    hide: () => {
      panel.visible = false;
      shownOrHidden.fire(undefined);
    },
    show: next => {
      run = next;
      changed.fire(session);
    },
    dispose: () => previews.dispose(),
  };
}
