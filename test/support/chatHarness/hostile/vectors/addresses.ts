import { base64, crossed, type Hit, type Vector } from '../vector.ts';

type Address = Vector;

const scripts: readonly Address[] = [
  ({ code }) => `javascript:${code}`,
  ({ code }) => `data:text/html,<script>parent.${code}</script>`,
  ({ code }) => `data:text/html;base64,${base64(`<script>parent.${code}</script>`)}`,
];

/** Ways to hide the scheme of an address from a filter. */
const disguises: readonly ((address: string) => string)[] = [
  address => address,
  address => address.replace(/^\w+/, scheme => scheme.toUpperCase()),
  address => address.replace(/^\w+/, scheme => [...scheme].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter)).join('')),
  address => ` ${address}`,
  address => `\u0001${address}`,
  address => `\u00a0${address}`,
  address => `\u200b${address}`,
  address => `${address.slice(0, 4)}\t${address.slice(4)}`,
  address => `${address.slice(0, 4)}\n${address.slice(4)}`,
  address => `${address.slice(0, 4)}&Tab;${address.slice(4)}`,
  address => `${address.slice(0, 4)}&#10;${address.slice(4)}`,
  address => address.replace(':', '&colon;'),
  address => address.replace(':', '&#58;'),
  address => address.replace(':', '&#x3a'),
  address => address.replace(/^\w/, letter => `&#${letter.charCodeAt(0)};`),
  address => address.replace(/^\w/, letter => `&#x${letter.charCodeAt(0).toString(16)};`),
  address => address.replace(/^\w/, letter => `%${letter.charCodeAt(0).toString(16)}`),
  address => address.replace(':', '%3A'),
  address => address.replace(':', '\uff1a'),
  address => address.replace(/^\w/, letter => `\\${letter}`),
  address => `url:${address}`,
  address => `view-source:${address}`,
];

type Place = (address: string, hit: Hit) => string;

const markdownLinks: readonly Place[] = [
  address => `[x](${address})`,
  address => `[x](<${address}> "t")`,
  address => `[x][r]\n\n[r]: ${address}`,
  address => `<${address}>`,
  address => `![x](${address})`,
];
const htmlLinks: readonly Place[] = [
  address => `<a href="${address}">x</a>`,
  address => `<svg><a href="${address}"><text>x</text></a></svg>`,
  address => `<iframe src="${address}"></iframe>`,
  address => `<form action="${address}"><button>x</button></form>`,
];

/** Addresses that run a script, in every disguise, wherever a link can be written. */
export const scriptAddresses = crossed(
  scripts,
  disguises,
  (address, disguise): Vector =>
    hit =>
      disguise(address(hit)),
).flatMap((address, index) =>
  (index < disguises.length
    ? [...markdownLinks, ...htmlLinks]
    : [...markdownLinks.slice(0, 1), ...htmlLinks.slice(0, 1), htmlLinks[2]!]
  ).map(
    (place): Vector =>
      hit =>
        place(address(hit), hit),
  ),
);

const schemes: readonly Address[] = [
  ({ code }) => `vbscript:${code}`,
  ({ code }) => `livescript:${code}`,
  ({ code }) => `mocha:${code}`,
  ({ code }) => `jar:javascript:${code}!/x`,
  ({ code }) => `blob:javascript:${code}`,
  ({ code }) => `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="parent.${code}"/>`,
  ({ code }) => `data:application/xhtml+xml,<x xmlns="http://www.w3.org/1999/xhtml"><script>${code}</script></x>`,
  () => 'command:workbench.action.terminal.new',
  () => 'command:vscode.open?%5B%22file:///etc/passwd%22%5D',
  () => 'vscode://settings/x',
  () => 'vscode-insiders://x/y',
  () => 'vscode-resource:/etc/passwd',
  () => 'vscode-webview://x/y',
  () => 'vscode-file://vscode-app/etc/passwd',
  () => 'file:///etc/passwd',
  () => 'file://evil.invalid/share',
  () => '\\\\evil.invalid\\share',
  () => 'smb://evil.invalid/x',
  () => 'ms-msdt:/id x',
  () => 'search-ms:query=x',
  () => 'ms-word:ofe|u|x',
  () => 'intent://x#Intent;end',
  () => 'tel:110',
  () => 'sms:110',
  () => 'about:blank',
  () => 'chrome://settings',
  () => 'devtools://x',
  ({ url }) => `view-source:${url}`,
  ({ url }) => `feed:${url}`,
  ({ url }) => url.replace('http:', 'ftp:'),
  ({ url }) => url.replace('http:', 'ws:'),
  ({ url }) => url.replace('http:', '/'),
  ({ url }) => url.replace('http://', '\\\\'),
  ({ url }) => url.replace('http://', '/\\'),
  ({ url }) => url.replace('http://', 'http:/'),
  ({ url }) => url.replace('http://', 'https:'),
  ({ url }) => url.replace('http://', 'http://good.example@'),
  ({ url }) => url.replace('http://', 'http://good.example\\@'),
  ({ url }) => `${url}#good.example`,
  ({ url }) => `/redirect?to=${url}`,
  () => '#x',
  () => '?x=1',
  () => '../x',
  () => '/x',
];

/** Addresses that lead elsewhere than to the web, or not where they seem to. */
export const otherAddresses = crossed(
  schemes,
  [...markdownLinks.slice(0, 2), markdownLinks[4]!, htmlLinks[0]!, htmlLinks[2]!],
  (address, place) => hit => place(address(hit), hit),
);
