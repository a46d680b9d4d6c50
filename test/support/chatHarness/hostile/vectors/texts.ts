import { base64, cores, crossed, type Vector } from '../vector.ts';

/** Encodings that somebody might undo once too often, or undo at all. */
const encodings: readonly ((text: string) => string)[] = [
  text => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  text => text.replaceAll('<', '&amp;lt;').replaceAll('>', '&amp;gt;'),
  text => text.replaceAll('<', '&#60;'),
  text => text.replaceAll('<', '&#x3c;'),
  text => text.replaceAll('<', '&#0000060'),
  text => text.replaceAll('<', '&LT'),
  text => encodeURIComponent(text),
  text => encodeURIComponent(encodeURIComponent(text)),
  text => text.replaceAll('<', '\\u003c'),
  text => text.replaceAll('<', '\\x3c'),
  text => text.replaceAll('<', '\\74'),
  text => text.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
  text => text.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e'),
  text => text.replaceAll('<', '\u2039'),
  text => text.replaceAll('<', '\u226e'),
  text => text.replaceAll('<', '<\u0338'),
  text => text.replaceAll('<', '\u00c0\u00bc'),
  text => text.replaceAll('<', '\u0000<'),
  text => text.replaceAll('<', '<\u200d'),
  text => text.replaceAll(/[a-z]/g, letter => `${letter}\u200b`),
  text => `\u202e${[...text].reverse().join('')}`,
  text => `\u202e${text}\u2066`,
  text => `\ufeff${text}`,
  text => `\ud800${text}`,
  text => [...text].map(letter => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('') + text,
  text => `\u001b[31m${text}\u001b[0m`,
  text => `\u001b]8;;${text}\u0007x\u001b]8;;\u0007`,
  text => `\u009b31m${text}`,
  text => `\r\n\r\n${text}`,
  text => `data:text/html;base64,${base64(text)}`,
];

export const encoded = crossed(encodings, cores.slice(0, 3), (encoding, core) => hit => encoding(core(hit)));

/** Names of members that objects have already. */
const members = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'toJSON',
  'length',
  'dangerouslySetInnerHTML',
  'innerHTML',
  'outerHTML',
  'srcdoc',
  'onerror',
  'key',
  'ref',
  'children',
  'props',
  '$$typeof',
  'peek',
  'value',
  'subscribe',
  'NaN',
  'null',
  'undefined',
  '-1',
  '1e999',
];

export const memberNames: readonly Vector[] = members.flatMap((name): Vector[] => [
  () => name,
  ({ code }) => `${name}=<img src=x onerror=${code}>`,
]);

/** Documents that a file could be. */
export const documents: readonly Vector[] = [
  ({ code }) => `<svg xmlns="http://www.w3.org/2000/svg" onload="${code}"><script>parent.${code}</script></svg>`,
  ({ code, url }) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="${url}" onerror="${code}"/><iframe src="${url}"/></body></foreignObject></svg>`,
  ({ url }) => `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${url}">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>`,
  ({ url }) =>
    `<?xml version="1.0"?><?xml-stylesheet href="${url}"?><svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/><use href="${url}#x"/><style>@import url(${url});</style></svg>`,
  ({ code }) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:${code}"><rect width="99" height="99"/></a><animate onbegin="${code}" attributeName="x"/></svg>`,
  ({ code }) => `<html><body onload="${code}"><script>${code}</script></body></html>`,
  ({ code }) => `%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${code})>>>>`,
  ({ code }) => `GIF89a/*<script>${code}</script>*/=1`,
  ({ code }) => `\u0000\u0000\u0001\u0000<script>${code}</script>`,
  ({ code }) => `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${code}</script></html>`,
  ({ code }) => `From: x\r\nContent-Type: text/html\r\n\r\n<script>${code}</script>`,
  ({ url }) => `{\\rtf1{\\field{\\*\\fldinst HYPERLINK "${url}"}}}`,
  ({ url }) => `[InternetShortcut]\r\nURL=${url}`,
  ({ url }) => `#EXTM3U\n${url}`,
  () => '../../../etc/passwd',
  () => '..\\..\\windows\\win.ini',
  () => 'a/../../b',
  () => 'CON',
  () => 'file.txt:stream',
  () => '.vscode/settings.json',
  () => 'a\u0000.png',
  () => `${'a'.repeat(5_000)}.png`,
  () => ' ',
  () => '.',
  () => 'x.png\u202egpj.exe',
];
