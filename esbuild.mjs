import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';

// Builds everything that runs anywhere but straight from its TypeScript source. Run it by itself for a build, with --watch for one that
// follows the sources, with --production for the one that is shipped, with --maps for source maps beside that one, with --meta for
// dist/meta.json (what takes which room).

const root = import.meta.dirname;
const dist = join(root, 'dist');

/**
 * @typedef {object} BuildOptions
 * @property {boolean} [production] minified and without source maps
 * @property {boolean} [maps] source maps beside the minified bundles, for the positions in a stack that somebody reports; they are not shipped
 * @property {boolean} [tests] also the tests that run inside VS Code
 * @property {boolean} [watch] build again whenever a source changes, until the process ends
 * @property {boolean} [meta] write dist/meta.json
 */

/**
 * What runs in Node.js: the extension, the terminal program and the sample agents. Each `import()` is a file of its own, and what several
 * need is there once.
 * @type {esbuild.BuildOptions}
 */
const host = {
  entryPoints: { extension: 'src/extension.ts', cli: 'src/cli.ts', sampleAgents: 'examples/agents/kept.ts' },
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  // Schemas are read from dist/schemas instead of being made from the types (package.json, "imports").
  conditions: ['built'],
  external: ['vscode'],
  // What packages in CommonJS use.
  banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
};

/**
 * The pages of webviews, each in one file: a webview asks its host for each file, which may be far away, and one that does not come leaves the
 * page blank.
 * @type {esbuild.BuildOptions}
 */
const pages = {
  entryPoints: {
    chat: 'src/chat/main.tsx',
    cardPage: 'src/chat/cardPage/main.tsx',
    comparisonPage: 'src/chat/comparisonPage/main.tsx',
    conformancePage: 'src/chat/conformancePage/main.tsx',
    responsePage: 'src/chat/responsePage/main.tsx',
  },
  platform: 'browser',
  target: 'chrome138',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/**
 * Everything that is shipped as JavaScript, for `dist`: the host and the pages.
 * @param {boolean} production
 * @param {boolean} [maps]
 * @returns {[host: esbuild.BuildOptions, pages: esbuild.BuildOptions]}
 */
export function productBundles(production, maps = false) {
  /** @type {esbuild.BuildOptions} */
  const shared = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    outdir: dist,
    minify: production,
    sourcemap: production ? maps && 'external' : 'linked',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
  };
  return [
    { ...shared, ...host, splitting: true },
    { ...shared, ...pages },
  ];
}

/**
 * Builds into `dist`. Rejects where a source does not compile; esbuild has printed why by then.
 * @param {BuildOptions} options
 */
export async function build(options = {}) {
  const { production = false, maps = false, tests = false, watch = false, meta = false } = options;
  // Names of files change with what is in them.
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const bundles = [...productBundles(production, maps), ...(tests ? [integrationTests()] : [])];
  await Promise.all([writeSchemas(), copyIcons(), writeProgram()]);
  if (watch) {
    const contexts = await Promise.all(bundles.map(bundle => esbuild.context({ ...bundle, logLevel: 'info' })));
    await Promise.all(contexts.map(context => context.watch()));
    return;
  }
  const results = await Promise.all(bundles.map(bundle => esbuild.build({ ...bundle, metafile: true })));
  await writeNotices(results.map(({ metafile }) => metafile));
  if (meta) await writeFile(join(dist, 'meta.json'), JSON.stringify(merge(results.map(({ metafile }) => metafile))));
}

/** `dist/cli.cjs`, by which pipelines call the terminal program. */
async function writeProgram() {
  await writeFile(join(dist, 'cli.cjs'), "#!/usr/bin/env node\nimport('./cli.js');\n");
  await chmod(join(dist, 'cli.cjs'), 0o755);
}

/**
 * One module with every integration test in it. Packages stay outside: they are found in node_modules, where the tests run from. An ES module,
 * as the extension is: in VS Code 1.105 the two kinds have a `vscode` each, and tests put windows of theirs in the place of those of the extension.
 * @returns {esbuild.BuildOptions}
 */
function integrationTests() {
  const files = globSync('test/integration/**/*.test.ts', { cwd: root })
    .map(file => file.replaceAll('\\', '/'))
    .sort();
  const imports = files.map(file => `${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)}),`);
  return {
    absWorkingDir: root,
    stdin: {
      contents: `import { runInExtensionHost } from './test/support/extensionHostRun.ts';\nexport const run = () => runInExtensionHost({ ${imports.join(' ')} });`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: join(dist, 'test', 'integration.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode'],
    packages: 'external',
    sourcemap: 'inline',
  };
}

/** The JSON Schemas, made from the types that read the files. TypeScript runs under the project's own Node. */
async function writeSchemas() {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  await mkdir(join(dist, 'schemas'), { recursive: true });
  await promisify(execFile)(node, [join(root, 'src', 'request', 'schema', 'writeSchemas.ts'), join(dist, 'schemas')]);
}

/**
 * VS Code's icon font for the panel; without the query in the address, which is there to defeat caches we do not have. Of the 649 icons
 * the style sheet names those whose name is a word of our sources: 5 KB less in the package.
 */
async function copyIcons() {
  const from = join(root, 'node_modules', '@vscode', 'codicons', 'dist');
  await copyFile(join(from, 'codicon.ttf'), join(dist, 'codicon.ttf'));
  const css = await readFile(join(from, 'codicon.css'), 'utf8');
  const words = new Set();
  for (const path of globSync('src/**/*.{ts,tsx,css}', { cwd: root }))
    for (const [word] of (await readFile(join(root, path), 'utf8')).matchAll(/[a-z0-9]+(?:-[a-z0-9]+)*/g))
      words.add(word.replace(/^codicon-/, ''));
  const named = css.replaceAll(/^\.codicon-([a-z0-9-]+):before \{[^}]*\}\n?/gm, (rule, name) => (words.has(name) ? rule : ''));
  await writeFile(join(dist, 'codicon.css'), named.replace(/codicon\.ttf\?[0-9a-f]+/, 'codicon.ttf'));
}

/**
 * The licences of everything that is in the bundles, with the icon font, as their terms ask for. A package without a licence file is
 * named with what its manifest says.
 * @param {readonly (esbuild.Metafile | undefined)[]} metafiles
 */
async function writeNotices(metafiles) {
  const folders = new Set(
    Object.keys(merge(metafiles).inputs)
      .map(input => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
      .filter(folder => folder !== undefined),
  );
  folders.add('node_modules/@vscode/codicons');
  const notices = await Promise.all(
    [...folders].sort().map(async folder => {
      const { name, version, license, homepage } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
      const files = globSync('{LICEN[CS]E,license,licence,NOTICE}*', { cwd: join(root, folder) }).sort();
      const texts = await Promise.all(files.map(file => readFile(join(root, folder, file), 'utf8')));
      return [`${name} ${version} (${license})${homepage === undefined ? '' : `, ${homepage}`}`, ...texts.map(text => text.trim())].join(
        '\n\n',
      );
    }),
  );
  await writeFile(
    join(dist, 'THIRD-PARTY-NOTICES.txt'),
    `A2A Workbench contains these packages.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
  );
}

/**
 * @param {readonly (esbuild.Metafile | undefined)[]} metafiles
 * @returns {esbuild.Metafile}
 */
function merge(metafiles) {
  return {
    inputs: Object.assign({}, ...metafiles.map(file => file?.inputs)),
    outputs: Object.assign({}, ...metafiles.map(file => file?.outputs)),
  };
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  const flags = new Set(process.argv.slice(2));
  await build({
    production: flags.has('--production'),
    maps: flags.has('--maps'),
    tests: flags.has('--tests'),
    watch: flags.has('--watch'),
    meta: flags.has('--meta'),
  }).catch(error => {
    // What esbuild itself found wrong it has printed, with the place.
    if (error.errors === undefined) console.error(error);
    process.exitCode = 1;
  });
}
