import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { productBundles } from '../../../esbuild.mjs';

/** A page's files by name. */
export type PageFiles = ReadonlyMap<string, Buffer>;

const root = resolve(import.meta.dirname, '../../..');

let built: Promise<PageFiles> | undefined;

/** The files of all pages, built once as the product's are. */
export function pageFiles(): Promise<PageFiles> {
  built ??= buildPages();
  return built;
}

/** The files of all pages as `plugins` change them. */
export async function buildPages(plugins: readonly esbuild.Plugin[] = []): Promise<PageFiles> {
  const [, pages] = productBundles(true);
  const { outputFiles = [] } = await esbuild.build({ ...pages, write: false, plugins: [...plugins] });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const icons = resolve(root, 'node_modules/@vscode/codicons/dist');
  files.set(
    'codicon.css',
    Buffer.from((await readFile(resolve(icons, 'codicon.css'), 'utf8')).replace(/codicon\.ttf\?[0-9a-f]+/, 'codicon.ttf')),
  );
  files.set('codicon.ttf', await readFile(resolve(icons, 'codicon.ttf')));
  return files;
}

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript', ttf: 'font/ttf' };

/** The media type that a file of a page is served with. */
export const contentType = (name: string): string | undefined => types[name.split('.').at(-1) ?? ''];
