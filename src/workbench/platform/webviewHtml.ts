import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Pages with their style sheets. */
const styles = {
  chat: ['chat'],
  cardPage: ['cardPage'],
  comparisonPage: ['comparisonPage'],
  conformancePage: ['conformancePage'],
  // Shows what agents send as the chat does.
  responsePage: ['chat', 'responsePage'],
} as const;

/** Shows a page of ours in a panel. To be called once its messages are listened to. */
export function showPage(page: keyof typeof styles, panel: vscode.WebviewPanel, extensionUri: vscode.Uri): void {
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'a2a-tab.svg');
  panel.webview.options = {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')],
  };
  panel.webview.html = pageHtml(page, panel.webview, extensionUri);
}

/**
 * The HTML of a webview page, which has one script of the page's name. Its policy runs that script and nothing else: no
 * remote loads, no frames, no inline code; images, audio and video only from bytes that came as messages (`data:`).
 */
export function pageHtml(page: keyof typeof styles, webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const dist = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    'media-src data:',
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "worker-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${dist('codicon.css')}" id="vscode-codicon-stylesheet">
  ${styles[page].map(name => `<link rel="stylesheet" href="${dist(`${name}.css`)}">`).join('\n  ')}
  <title>A2A</title>
</head>
<body>
  <div id="root"></div>
  <script type="module" nonce="${nonce}" src="${dist(`${page}.js`)}"></script>
</body>
</html>`;
}
