import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** By a source's path from `src/chat`: texts that must occur in it, each with its replacement. */
export type SourceEdits = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;

/**
 * An esbuild plugin that edits sources while they are built, in memory alone. The build fails where a text no longer occurs, so that a
 * test cannot pass because nothing was edited.
 */
export function sourceEdits(name: string, edits: SourceEdits): Plugin {
  return {
    name,
    setup(build) {
      for (const [file, pairs] of Object.entries(edits)) {
        build.onLoad({ filter: new RegExp(`${file.replaceAll(/[/.]/g, '[\\\\/.]')}$`) }, async ({ path }) => {
          let contents = await readFile(path, 'utf8');
          for (const [from, to] of pairs) {
            if (!contents.includes(from)) throw new Error(`${file} no longer has "${from}": the edits of "${name}" have to follow it.`);
            contents = contents.replace(from, () => to);
          }
          return { contents, loader: path.endsWith('.tsx') ? 'tsx' : 'ts' };
        });
      }
    },
  };
}
