import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

const chat = resolve(import.meta.dirname, '../../../../src/chat');

/** What is taken away: the text of a source, and what stands there instead. */
const walls: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  'markdown/tokens.tsx': [
    ['return block ? (', 'if (text) return <span data-block={block} dangerouslySetInnerHTML={{ __html: text }} />; return block ? ('],
  ],
  'markdown/linkTarget.ts': [
    ['return schemes.has(url.protocol) ? {', 'return schemes.size > 0 ? {'],
    [
      'return undefined; // Not an absolute URL.',
      'return { url: new URL(encodeURI(href), "http://elsewhere.invalid").href, shown: href };',
    ],
  ],
  'button.tsx': [['role="link"', 'href={url} role="link"']],
};

/** JSX whose texts are HTML, as they are and between the quotes of attributes. */
const openJsx = `
import { jsx as make, Fragment } from 'preact/jsx-runtime?walled';
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
 * Builds the pages with their walls taken down: texts are put in as HTML, HTML in Markdown is HTML, links lead where they say. It is here
 * to show that the test would see it, and is only ever built in memory.
 */
export const withoutSanitiser: Plugin = {
  name: 'without-sanitiser',
  setup(build) {
    build.onResolve({ filter: /^preact\/jsx-runtime$/ }, ({ kind, importer }) =>
      importer.endsWith('open-jsx') ? undefined : { path: 'open-jsx', namespace: 'open-jsx', pluginData: kind },
    );
    build.onLoad({ filter: /.*/, namespace: 'open-jsx' }, () => ({
      contents: openJsx.replace('?walled', ''),
      loader: 'js',
      resolveDir: chat,
    }));
    for (const [file, edits] of Object.entries(walls)) {
      build.onLoad({ filter: new RegExp(`${file.replaceAll(/[/.]/g, '[\\\\/.]')}$`) }, async ({ path }) => {
        let contents = await readFile(path, 'utf8');
        for (const [from, to] of edits) {
          if (!contents.includes(from)) throw new Error(`${file} no longer has "${from}": withoutSanitiser.ts has to follow it.`);
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' };
      });
    }
  },
};
