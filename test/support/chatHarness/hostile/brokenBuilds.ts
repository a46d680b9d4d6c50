import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A build whose sources differ: each text of a source by what stands there instead. It is only ever built in memory. */
function changed(name: string, edits: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>): Plugin {
  return {
    name,
    setup(build) {
      for (const [file, pairs] of Object.entries(edits)) {
        build.onLoad({ filter: new RegExp(`${file.replaceAll(/[/.]/g, '[\\\\/.]')}$`) }, async ({ path }) => {
          let contents = await readFile(path, 'utf8');
          for (const [from, to] of pairs) {
            if (!contents.includes(from)) throw new Error(`${file} no longer has "${from}": brokenBuilds.ts has to follow it.`);
            contents = contents.replace(from, () => to);
          }
          return { contents, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' };
        });
      }
    },
  };
}

/** Markdown is nested as deep as it is written. */
export const withoutBound = changed('without-bound', {
  'markdown/boundedLexer.ts': [
    ['this.#depth.containers >= maxContainers', 'false'],
    ['depth >= deepest', 'false'],
  ],
  'markdown/parse.ts': [['slow.test(block)', 'false']],
});

/** Markdown is parsed however slow that is. */
export const withoutTameness = changed('without-tameness', { 'markdown/parse.ts': [['if (!isTame(block)) return undefined;', '']] });

/** A fault in drawing one entry is a fault in drawing all. */
export const withoutBoundary = changed('without-boundary', {
  'boundary.tsx': [
    ['getDerivedStateFromError', 'notAsked'],
    ['componentDidCatch', 'notTold'],
  ],
});

/** What a text has to hold for `withFault` to fail on it. */
export const faulty = 'cannot be drawn here';

/** Drawing certain texts fails, as only a mistake of ours would make it. */
export const withFault = changed('with-fault', {
  'markdown/markdown.tsx': [
    [
      'const [shown, setShown] = useState(page);',
      `if (text.toString().includes('${faulty}')) throw new Error('a planted fault'); const [shown, setShown] = useState(page);`,
    ],
  ],
});

/** HTML in an agent's Markdown is HTML. */
export const withHtml = changed('with-html', {
  'markdown/tokens.tsx': [
    ['return block ? (', 'if (text) return <span data-block={block} dangerouslySetInnerHTML={{ __html: text }} />; return block ? ('],
  ],
});
