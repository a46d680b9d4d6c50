import type { Theme } from './chatHarness.ts';

/** A name that leads nowhere: every request is answered from memory. */
export const origin = 'http://panel.invalid';

const nonce = 'aGFybmVzcw==';

/** The policy of the real page (`pageHtml` in src/workbench), with this page's origin in the place of VS Code's; a test compares them. */
export const policy = [
  `default-src 'none'`,
  `script-src 'nonce-${nonce}'`,
  `style-src ${origin}`,
  `font-src ${origin}`,
  `img-src ${origin} data:`,
  `media-src data:`,
  `connect-src 'none'`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-src 'none'`,
  `object-src 'none'`,
  `worker-src 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
];

/** The class of the body in each theme. */
export const themeKinds: Readonly<Record<Theme, string>> = {
  'Dark Modern': 'vscode-dark',
  'Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
};

/** Pages, each with the style sheets that the real one (`pageHtml`) has; a test compares them. */
const styles = {
  chat: ['chat'],
  cardPage: ['cardPage'],
  comparisonPage: ['comparisonPage'],
  conformancePage: ['conformancePage'],
  responsePage: ['chat', 'responsePage'],
} as const;
export type PageName = keyof typeof styles;

/** A page as VS Code shows it: policy, files, the body class of the theme's kind. */
export function page(name: PageName, theme: Theme, guarded: boolean): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  ${guarded ? `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">` : ''}
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="/theme.css">
  <link rel="stylesheet" href="/codicon.css">
  ${styles[name].map(sheet => `<link rel="stylesheet" href="/${sheet}.css">`).join('\n  ')}
  <title>A2A</title>
</head>
<body class="${themeKinds[theme]}">
  <div id="root"></div>
  <script type="module" nonce="${nonce}" src="/${name}.js"></script>
</body>
</html>`;
}
