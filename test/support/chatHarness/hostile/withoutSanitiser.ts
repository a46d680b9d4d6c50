import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { htmlInMarkdown } from './brokenBuilds.ts';
import { type SourceEdits, sourceEdits } from './sourceEdits.ts';

const chat = resolve(import.meta.dirname, '../../../../src/chat');

/** The measures that are removed from the sources. */
const edits: SourceEdits = {
  'markdown/tokens.tsx': [htmlInMarkdown],
  'markdown/linkTarget.ts': [
    ['return schemes.has(url.protocol) ? {', 'return schemes.size > 0 ? {'],
    [
      'return undefined; // Not an absolute URL.',
      'return { url: new URL(encodeURI(href), "http://elsewhere.invalid").href, shown: href };',
    ],
  ],
  'button.tsx': [['role="link"', 'href={url} role="link"']],
};

/** A JSX runtime that puts texts in as HTML: as they are, and in attributes with quotes of either kind. */
const htmlJsx = `
import { jsx as make, Fragment } from 'preact/jsx-runtime?original';
export { Fragment };
const html = text => make('span', { dangerouslySetInnerHTML: { __html: text + '<i title="' + text + '"></i><i title=\\'' + text + '\\'></i>' } });
const opened = child => Array.isArray(child) ? child.map(opened) : typeof child === 'string' && /[<"']/.test(child) ? html(child) : child;
export const jsx = (type, props, key) => {
  const open = (typeof type === 'string' && !['textarea', 'option', 'select', 'title'].includes(type)) || type === Fragment;
  return make(type, open && props.children !== undefined ? { ...props, children: opened(props.children) } : props, key);
};
export const jsxs = jsx;
`;

/**
 * Builds the pages without their protection against HTML: texts are put in as HTML, HTML in Markdown is HTML, links lead where they say. It
 * shows that the tests notice attacks, and is only built in memory.
 */
export const withoutSanitiser: Plugin = {
  name: 'without-sanitiser',
  setup(build) {
    build.onResolve({ filter: /^preact\/jsx-runtime$/ }, ({ kind, importer }) =>
      importer.endsWith('html-jsx') ? undefined : { path: 'html-jsx', namespace: 'html-jsx', pluginData: kind },
    );
    build.onLoad({ filter: /.*/, namespace: 'html-jsx' }, () => ({
      contents: htmlJsx.replace('?original', ''),
      loader: 'js',
      resolveDir: chat,
    }));
    void sourceEdits('without-sanitiser', edits).setup(build);
  },
};
