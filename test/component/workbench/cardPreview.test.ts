import { jsonSchemas } from '../../../src/request/schema/schemas.ts';
import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { CardPreview } = await import('../../../src/workbench/agentCards/preview.ts');

suite('the preview of a card', () => {
  test('follows the card in front', async () => {
    const front = new EventEmitter<unknown>();
    const none = new EventEmitter<unknown>().event;
    const posted: { readonly uri: string; readonly card?: { readonly name: string } }[] = [];
    let panels = 0;
    const webview = { options: {}, html: '', cspSource: 'x:', asWebviewUri: (uri: unknown) => uri, onDidReceiveMessage: none };
    const panel = {
      title: '',
      reveal: () => {},
      dispose: () => {},
      onDidDispose: none,
      webview: { ...webview, postMessage: async (view: (typeof posted)[number]) => void posted.push(view) },
    };
    const schemas = { readFile: async () => new TextEncoder().encode(JSON.stringify(jsonSchemas()['agent-card.schema.json'])) };
    const restore = [
      inPlaceOf('window', {
        createWebviewPanel: () => (panels++, panel),
        registerWebviewPanelSerializer: () => ({ dispose: () => {} }),
        onDidChangeActiveTextEditor: front.event,
      }),
      inPlaceOf('workspace', { onDidChangeTextDocument: none, onDidChangeConfiguration: none, textDocuments: [], fs: schemas }),
    ];
    const document = (name: string, languageId = 'a2a-card') => ({
      uri: Uri.file(`/${name}.agent-card.json`),
      languageId,
      version: 1,
      getText: () => JSON.stringify({ ...(minimalCard('http://127.0.0.1:9/', '1.0') as object), name }),
    });
    const preview = new CardPreview(Uri.file('/') as never, { verify: async () => undefined } as never);
    try {
      preview.open(document('one') as never);
      front.fire({ document: document('notes', 'plaintext') });
      front.fire({ document: document('two') });
      await eventually(() =>
        assert.deepEqual(
          posted.map(({ card }) => card?.name),
          ['two'],
        ),
      );
      assert.deepEqual([panels, panel.title], [1, 'Preview two.agent-card.json']);
      preview.open(document('three') as never);
      await eventually(() => assert.equal(posted.at(-1)?.card?.name, 'three'));
      assert.equal(panels, 1);
    } finally {
      preview.dispose();
      restore.forEach(back => back());
    }
  });
});
