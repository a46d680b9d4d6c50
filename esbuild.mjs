import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';

// Builds everything that runs anywhere but straight from its TypeScript source. Run it by itself for a build, with --watch for one that
// follows the sources, with --production for the one that is shipped, with --maps for source maps beside that one, with --meta for
// dist/meta.json (what takes which room).

const root = import.meta.dirname;
const dist = join(root, 'dist');
const hasCli = existsSync(join(root, 'src', 'cli.ts'));

/**
 * @typedef {object} BuildOptions
 * @property {boolean} [production] minified and without source maps
 * @property {boolean} [maps] source maps beside the minified bundles, for the positions in a stack that somebody reports; they are not shipped
 * @property {boolean} [tests] also the tests that run inside VS Code
 * @property {boolean} [watch] build again whenever a source changes, until the process ends
 * @property {boolean} [meta] write dist/meta.json
 */

/**
 * Builds into `dist`. Rejects where a source does not compile; esbuild has printed why by then.
 * @param {BuildOptions} options
 */
export async function build(options = {}) {
  const { production = false, maps = false, tests = false, watch = false, meta = false } = options;
  if (production) await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const bundles = [...productBundles(production, maps), ...(tests ? [integrationTests()] : [])];
  if (watch) {
    const contexts = await Promise.all(bundles.map(bundle => esbuild.context({ ...bundle, logLevel: 'info' })));
    await Promise.all([writeSchemas(), copyIcons(), ...contexts.map(context => context.watch())]);
    return;
  }
  const [, , ...results] = await Promise.all([
    writeSchemas(),
    copyIcons(),
    ...bundles.map(bundle => esbuild.build({ ...bundle, metafile: true })),
  ]);
  if (hasCli) await chmod(join(dist, 'cli.cjs'), 0o755);
  await writeNotices(results.map(({ metafile }) => metafile));
  if (meta) await writeFile(join(dist, 'meta.json'), JSON.stringify(merge(results.map(({ metafile }) => metafile))));
}

/**
 * The pages of webviews, and what they load later: modules, so that these can take what both need from the page.
 * @type {esbuild.BuildOptions}
 */
const page = {
  absWorkingDir: root,
  bundle: true,
  outdir: dist,
  platform: 'browser',
  format: 'esm',
  target: 'chrome138',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/**
 * Scripts of the panel that are loaded when they are used, by the module that they are. A page's policy lets a script import others under
 * its own nonce.
 */
const panelScripts = {
  chatCode: 'src/chat/markdown/highlight.ts',
  chatForms: 'src/chat/forms/formView.tsx',
  chatWire: 'src/chat/wire/wireView.tsx',
  chatGantt: 'src/chat/tasks/gantt.tsx',
};

/**
 * What a module exports of others: by the file, or by the name where that is a package, the names between braces.
 * @param {string} file
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
async function exportsOf(file) {
  const exports = (await readFile(file, 'utf8')).matchAll(/^export (\{[^}]+\}) from '(.+)';$/gm);
  return new Map([...exports].map(([, names = '', from = '']) => [from.startsWith('.') ? resolve(file, '..', from) : from, names]));
}

/**
 * What a script shares with the panel it takes from there: a second Preact would know nothing of the first one's contexts. It is what
 * `src/chat/main.tsx` exports; anything else does not compile.
 * @param {(path: string) => boolean} shared whether an import is of something that the panel has
 * @returns {esbuild.Plugin}
 */
const fromPanel = shared => ({
  name: 'from-panel',
  setup(bundle) {
    const main = join(root, 'src', 'chat', 'main.tsx');
    bundle.onResolve({ filter: /./, namespace: 'panel' }, ({ path }) => ({ path, external: true }));
    bundle.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'import-statement' && shared(path) ? { path: basename(path), namespace: 'panel' } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: 'panel' }, async ({ path }) => {
      const names = [...(await exportsOf(main))].find(([from]) => basename(from) === path)?.[1];
      return names === undefined
        ? { errors: [{ text: `src/chat/main.tsx exports nothing of ${path}` }] }
        : { contents: `export ${names} from './chat.js';`, watchFiles: [main] };
    });
  },
});

/**
 * The panel takes marked's tokens, of GitHub's Markdown with line breaks kept, and writes no HTML: the half of its one module that does
 * is left out (it stands at the end), and what other options would do. Names that nobody outside uses are short.
 * @type {esbuild.Plugin}
 */
const lexerAlone = {
  name: 'lexer-alone',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const exported = /export\{([^}]*)\}/.exec(source)?.[1]?.split(',') ?? [];
      const [lexer, tokenizer, renderer] = ['Lexer', 'Tokenizer', 'Renderer'].map(
        name => exported.find(each => each.endsWith(` as ${name}`))?.split(' ')[0],
      );
      const end = source.indexOf(`var ${renderer}=class`);
      const followed = () => new Error('marked is written in another way than before: lexerAlone in esbuild.mjs has to follow it.');
      if (end < 0) throw followed();
      let contents = source.slice(0, end);
      const pedantic = [...source.matchAll(/\bpedantic:(\w\w+)\}/g)].map(([, name]) => name).join('|');
      const replaced = /** @type {[RegExp, string][]} */ ([
        [new RegExp(`,(?:${pedantic})=\\{\\.\\.\\.[^]*?\\.getRegex\\(\\)\\}`, 'g'), ''],
        [/\{normal:\w+,gfm:(\w+),pedantic:\w+\}/g, '{gfm:$1}'],
        [/\{normal:\w+,gfm:\w+,breaks:(\w+),pedantic:\w+\}/g, '{breaks:$1}'],
        [/(block:\w+)\.normal,(inline:\w+)\.normal\b/g, '$1.gfm,$2.breaks'],
        // esbuild leaves out what comes after these.
        [/this\.options\.(?:pedantic|silent)\b/g, 'false'],
        [/this\.options\.gfm&&\((?=\w+\.block=)/g, 'false&&('],
        [/this\.options\.gfm\b/g, 'true'],
        [/this\.options\.(?:extensions|hooks)\b/g, 'undefined'],
        [/this\.rules\.other\b/g, /\bother:(\w+)/.exec(contents)?.[1] ?? ''],
        [/=(?=g\((?:\w+|["'`/^]))/g, '=/* @__PURE__ */'],
      ]);
      for (const [written, instead] of replaced) {
        if (!written.test(contents)) throw followed();
        contents = contents.replaceAll(written, instead);
      }
      return { contents: `${contents}export { ${lexer} as Lexer, ${tokenizer} as Tokenizer };`, loader: 'js' };
    });
  },
};

/**
 * The panel gives highlight.js text and takes text: what works on the elements of a page is left out. The words of languages, which are
 * most of their bytes, are one text for each list.
 * @type {esbuild.Plugin}
 */
const textAlone = {
  name: 'text-alone',
  setup(bundle) {
    const names = [
      'addPlugin',
      'blockLanguage',
      'configure',
      'deprecateHighlightBlock',
      'highlightAll',
      'highlightElement',
      'initHighlightingOnLoad',
      'listLanguages',
      'removePlugin',
      'unregisterLanguage',
      'updateClassName',
      'upgradePluginAPI',
    ];
    bundle.onLoad({ filter: /[\\/]highlight\.js[\\/]lib[\\/]core\.js$/ }, async ({ path }) => {
      const patterns = [
        /^    highlightBlock: deprecateHighlightBlock,\n/m,
        /^    initHighlighting,\n/m,
        /^  const initHighlighting = [^]*?^  \};\n/m,
      ];
      for (const name of names) patterns.push(new RegExp(`^  function ${name}\\([^]*?^  \\}\\n`, 'm'));
      let contents = await readFile(path, 'utf8');
      for (const pattern of patterns) {
        if (!pattern.test(contents))
          throw new Error(
            `highlight.js is written in another way than before (${pattern.source}): textAlone in esbuild.mjs has to follow it.`,
          );
        contents = contents.replace(pattern, '');
      }
      return { contents: contents.replaceAll(new RegExp(`^    (?:${names.join('|')}),?\n`, 'gm'), ''), loader: 'js' };
    });
    bundle.onLoad({ filter: /[\\/]highlight\.js[\\/]es[\\/]languages[\\/]\w+\.js$/ }, async ({ path }) => {
      const list = /\[\s*(?:(?:\/\/.*\s+)*(?:"[^\s"\\]+"|'[^\s'\\]+')\s*,?\s*(?:\/\/.*\s+)*){8,}\]/g;
      const words = (/** @type {string} */ text) =>
        [...text.matchAll(/\/\/.*|"(.+?)"|'(.+?)'/g)].flatMap(([, one, other = one]) => other ?? []);
      return {
        contents: (await readFile(path, 'utf8')).replaceAll(list, text => `${JSON.stringify(words(text).join(' '))}.split(' ')`),
        loader: 'js',
      };
    });
  },
};

/** Names of highlight.js' own in its grammars, which nobody outside reads; those that it also has in texts (`beginScope`) stay. */
const namesInGrammars =
  /^(?:begin|end|beginKeywords|beginRe|endRe|(?:exclude|return)(?:Begin|End)|ends(?:WithParent|Parent)|relevance|className|scope|contains|illegal(?:Re)?|subLanguage|starts|variants|cachedVariants|keywords|keywordPatternRe|terminatorEnd|case_insensitive|isCompiled|compilerExtensions|classNameAliases|disableAutodetect|matchIndexes|multiRegexes|regexIndex|isMatchIgnored|ignoreMatch|matcherRe|matchAt|(?:open|close)Node|closeAllNodes|addText|startScope|__(?:beforeBegin|emitter|addSublanguage|emitTokens)|_emitter|_top|(?:[A-Z]+_){1,3}(?:MODE|RE)|BACKSLASH_ESCAPE|END_SAME_AS_BEGIN|METHOD_GUARD)$/;

/** @type {esbuild.BuildOptions} */
const panelBundle = {
  ...page,
  entryPoints: {
    chat: 'src/chat/main.tsx',
    cardPage: 'src/chat/cardPage/main.tsx',
    conformancePage: 'src/chat/conformancePage/main.tsx',
    responsePage: 'src/chat/responsePage/main.tsx',
  },
  plugins: [
    lexerAlone,
    {
      name: 'loaded-by-the-panel',
      setup(bundle) {
        bundle.onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ path, resolveDir, kind }) => {
          const name =
            kind === 'dynamic-import'
              ? Object.entries(panelScripts).find(([, entry]) => resolve(resolveDir, path) === join(root, entry))?.[0]
              : undefined;
          return name === undefined ? undefined : { path: `./${name}.js`, external: true };
        });
      },
    },
  ],
};

/**
 * All scripts of webviews.
 * @type {readonly esbuild.BuildOptions[]}
 */
export const pageBundles = [
  panelBundle,
  // Shares nothing with the panel, so that other pages can load it too.
  { ...page, entryPoints: { chatCode: panelScripts.chatCode }, plugins: [textAlone], mangleProps: namesInGrammars },
  // In these folders `./` is a file of the script, and everything else is shared.
  { ...page, entryPoints: { chatForms: panelScripts.chatForms }, plugins: [fromPanel(path => !path.startsWith('./'))] },
  { ...page, entryPoints: { chatWire: panelScripts.chatWire }, plugins: [fromPanel(path => !path.startsWith('./'))] },
  { ...page, entryPoints: { chatGantt: panelScripts.chatGantt }, plugins: [fromPanel(path => !path.startsWith('./'))] },
];

/**
 * Modules in bundles of their own, loaded when they are first used: whoever has no agent that needs them neither reads nor compiles them.
 * `main.ts` is used right after the extension is activated; what VS Code and other extensions wait for is the entry point alone.
 */
const ownBundles = {
  main: 'src/main.ts',
  undici: 'src/client/dispatcher/dispatcher.ts',
  tls: 'src/client/http/securedBy.ts',
  webSocket: 'src/client/taskRest/webSocket.ts',
  grpc: 'src/client/grpc/bundle/wire.ts',
  grpcDiscovery: 'src/client/grpc/discovery.ts',
  signIns: 'src/auth/bundle/bundle.ts',
  cardVerifier: 'src/client/card/signatures/cardVerifier.ts',
  historyRescue: 'src/store/transfer/historyRescue.ts',
  cardAgent: 'src/model/agents/cardAgent.ts',
  network: 'src/client/network/settingsNetwork.ts',
  httpSettings: 'src/workbench/network/httpSettings.ts',
  remoteFile: 'src/client/http/remoteFile.ts',
  rules: 'src/protocol/rules/passiveObserver.ts',
  transcriptMarkdown: 'src/store/transfer/transcriptMarkdown.ts',
};

/** The server of WebSockets takes its library from the bundle of the client, so that it is there once. */
const serverBundles = { webSocketServer: 'src/mock/webSocketServer.ts' };

/** @type {esbuild.Plugin} */
const fromClient = {
  name: 'from-client',
  setup(bundle) {
    bundle.onResolve({ filter: /^ws$/ }, () => ({ path: './webSocket.cjs', external: true }));
  },
};

/** The same for modules that work with what `main.ts` has: what `src/main.ts` exports they take from there, so that it is there once. */
const partsOfMain = {
  normalizedJson: 'src/model/requests/normalizedJson.ts',
  accounts: 'src/workbench/signIn/accounts.ts',
  conformance: 'src/conformance/bundle/bundle.ts',
  conformanceTestRuns: 'src/workbench/conformance/conformanceTestRuns.ts',
  conformancePages: 'src/workbench/conformance/conformancePages.ts',
  exchangeText: 'src/workbench/documents/exchangeText.ts',
  chatExchanges: 'src/workbench/chat/exchanges.ts',
  codeLanguages: 'src/request/export/languages.ts',
  keptResponse: 'src/workbench/requests/response/keptResponse.ts',
  responseText: 'src/workbench/requests/response/text.ts',
  responseLenses: 'src/workbench/requests/response/lenses.ts',
  responsePreviews: 'src/workbench/requests/response/previews.ts',
  taskText: 'src/workbench/documents/taskText.ts',
  signIn: 'src/workbench/signIn/signInCommands.ts',
  addAgent: 'src/workbench/agents/addAgent.ts',
  agentTooltips: 'src/workbench/agentsView/agentTooltips.ts',
  cardProblems: 'src/card/cardProblems.ts',
  cardSchema: 'src/workbench/agentCards/schemaProblems.ts',
  chatPanel: 'src/workbench/chat/panel.ts',
  cardDoctor: 'src/client/doctor/cardDoctor.ts',
  cardProblem: 'src/client/card/cardProblem.ts',
  cardAdvice: 'src/client/cardAdvice.ts',
  withoutCard: 'src/client/card/withoutCard.ts',
  cardReviews: 'src/model/agents/cardReviews.ts',
  compareInterfaces: 'src/model/requests/compareInterfaces.ts',
  extendedCards: 'src/model/agents/extendedCards.ts',
  historyImport: 'src/store/transfer/historyImport.ts',
  historyRecovery: 'src/workbench/history/historyRecovery.ts',
  notificationReceiver: 'src/receiver/notificationReceiver.ts',
  pushNotifications: 'src/workbench/push/pushNotifications.ts',
  rareCommands: 'src/workbench/rareCommands.ts',
  refusedCredentials: 'src/client/transport/refusedCredentials.ts',
  requestImports: 'src/workbench/requests/requestImports.ts',
  requestAnswers: 'src/workbench/requests/language/requestAnswers.ts',
  gitignore: 'src/workbench/requests/values/gitignore.ts',
  interfaceComparison: 'src/workbench/requests/interfaceComparison.ts',
  foldedLines: 'src/workbench/requests/foldedLines.ts',
  sendAllRequests: 'src/workbench/requests/sending/sendAllRequests.ts',
  sentRequests: 'src/workbench/requests/sent/pickSentRequest.ts',
  requestCopies: 'src/workbench/requests/requestCopies.ts',
  environmentCommands: 'src/workbench/requests/sending/environmentCommands.ts',
  requestExports: 'src/workbench/requests/requestExports.ts',
  requestTestRuns: 'src/workbench/requests/testing/testRuns.ts',
  folderDefaults: 'src/request/check/folderDefaults.ts',
  readImports: 'src/request/check/readImports.ts',
  savedFile: 'src/workbench/documents/savedFile.ts',
  taskRest: 'src/client/taskRest/taskRestTransport.ts',
  taskGraph: 'src/workbench/agentsView/shownTasks.ts',
};

/** @type {esbuild.Plugin} */
const fromMain = {
  name: 'from-main',
  setup(bundle) {
    const main = join(root, 'src', 'main.ts');
    bundle.onResolve({ filter: /./, namespace: 'main' }, ({ path }) => ({ path, external: true }));
    bundle.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, async ({ path, resolveDir, kind }) => {
      const file = resolve(resolveDir, path);
      return kind === 'import-statement' && (await exportsOf(main)).has(file) ? { path: file, namespace: 'main' } : undefined;
    });
    bundle.onLoad({ filter: /./, namespace: 'main' }, async ({ path }) => ({
      contents: `export ${(await exportsOf(main)).get(path)} from './main.cjs';`,
      watchFiles: [main],
    }));
  },
};

/**
 * Modules that are loaded when they are used stay outside of what imports them.
 * @param {Readonly<Record<string, string>>} bundles
 * @returns {esbuild.Plugin}
 */
const loadedWhenUsed = bundles => ({
  name: 'loaded-when-used',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = Object.entries(bundles).find(([, entry]) => resolve(resolveDir, path) === join(root, entry))?.[0];
      return name === undefined ? undefined : { path: `./${name}.cjs`, external: true };
    });
  },
});
const everyPart = { ...ownBundles, ...serverBundles, ...partsOfMain };
/** For programs in which there is no `main.ts`, and no VS Code. */
const partsOfPrograms = { ...ownBundles, ...serverBundles };

/**
 * VS Code's API is taken as it is, once. esbuild would copy its hundreds of names into an object of its own for every file that imports
 * it, which cost half of the time that the bundle's own code takes to run.
 * @type {esbuild.Plugin}
 */
const vscodeAsItIs = {
  name: 'vscode-as-it-is',
  setup(bundle) {
    bundle.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'vscode' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'vscode' },
    );
    bundle.onLoad({ filter: /^vscode$/, namespace: 'vscode' }, () => ({ contents: 'module.exports = require("vscode");', loader: 'js' }));
    bundle.onLoad({ filter: /[\\/]src[\\/](workbench[\\/].*|extension|main)\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^import \* as vscode from 'vscode';$/m, 'const vscode = require("vscode");'),
      loader: 'ts',
    }));
  },
};

const text = /(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/.source;
const descriptionAlone = new RegExp(`\\.meta\\(\\{\\s*description:\\s*${text},?\\s*\\}\\)`, 'g');
const description = new RegExp(`\\bdescription:\\s*${text}`, 'g');

/**
 * What schemas say of keys is for completion, hover and the manual, which have it from `dist/schemas` and `cli.cjs`. `main.ts` checks by the
 * same schemas and shows none of it.
 * @type {esbuild.Plugin}
 */
const withoutDescriptions = {
  name: 'without-descriptions',
  setup(bundle) {
    const files =
      /[\\/]src[\\/](request[\\/](file[\\/](?:keys|controlKeys|checkPrompts)|expect[\\/]\w+)|protocol[\\/](message[\\/](operations|pushNotificationConfig)|card[\\/](agentCard|securityScheme)|versions[\\/]shared[\\/]agentCard0_3))\.ts$/;
    bundle.onLoad({ filter: files }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(descriptionAlone, '').replaceAll(description, "description: ''"),
      loader: 'ts',
    }));
  },
};

/**
 * Modules of `src/request/schema` whose one function makes a schema from types, and the file in `dist/schemas` that has it when the product
 * is built (`readySchemas.ts`).
 */
const readySchemas = {
  requestFileSchema: 'checked.json',
  defaultsSchema: 'checked-defaults.json',
  matcherSchema: 'checked-matchers.json',
  resultSchema: 'results.json',
};

/**
 * Nothing in a window makes a schema: it is read with its first use. zod's code for it would be 22 KB of what each window compiles, and is
 * left out; a module that makes another one does not compile.
 * @type {esbuild.Plugin}
 */
const withReadySchemas = {
  name: 'with-ready-schemas',
  setup(bundle) {
    const names = Object.keys(readySchemas).join('|');
    bundle.onLoad({ filter: new RegExp(`[\\\\/]src[\\\\/]request[\\\\/]schema[\\\\/](?:${names})\\.ts$`) }, ({ path }) => {
      const [name, file] = Object.entries(readySchemas).find(([each]) => basename(path) === `${each}.ts`) ?? [];
      return { contents: `export const ${name} = () => require('./schemas/${file}');` };
    });
    bundle.onResolve({ filter: /^\.\/schemas\/[a-z-]+\.json$/ }, ({ path }) => ({ path, external: true }));
    bundle.onLoad({ filter: /[\\/]src[\\/]request[\\/]schema[\\/]jsonSchema\.ts$/ }, () => ({
      errors: [
        { text: 'No schema is made in a window: add the module that makes it to readySchemas of esbuild.mjs and to readySchemas.ts.' },
      ],
    }));
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const exported = [
        ...[...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name),
        ...[...source.matchAll(/^export \{ \w+ as (\w+) \};/gm)].map(([, name]) => name),
      ];
      return {
        contents: `const none = () => { throw new Error('No schema is made in a window.'); };
          const method = () => none;
          export { ${exported.map(name => `${name?.startsWith('create') ? 'method' : 'none'} as ${name}`).join(', ')} };`,
      };
    });
  },
};

/**
 * SQL without its comments and its indentation, which are of the source alone: several KB of the bundle that every window compiles.
 * @type {esbuild.Plugin}
 */
const bareSql = {
  name: 'bare-sql',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]src[\\/]store[\\/](schema|rows|lists|changes|search|texts|database)[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/[ \t]+-- .*$/gm, '').replace(/\n +/g, '\n'),
      loader: 'ts',
    }));
  },
};

/**
 * undici brings a second HTTP parser, an experiment that only an environment variable turns on, as 150 KB of WebAssembly.
 * @type {esbuild.Plugin}
 */
const withoutSecondParser = {
  name: 'without-second-parser',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]milo[\\/](no-)?simd\.js$/ }, () => ({
      contents: 'throw new Error("This build has no milo.");',
      loader: 'js',
    }));
  },
};

/**
 * Everything that is shipped as JavaScript, for `dist`.
 * @param {boolean} production
 * @param {boolean} [maps]
 * @returns {esbuild.BuildOptions[]}
 */
export function productBundles(production, maps = false) {
  /** @type {esbuild.BuildOptions} */
  const shared = {
    absWorkingDir: root,
    bundle: true,
    minify: production,
    sourcemap: production ? maps && 'external' : 'linked',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
  };
  /** @type {esbuild.BuildOptions} */
  const host = {
    ...shared,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    plugins: [loadedWhenUsed(everyPart), vscodeAsItIs, withoutSecondParser, bareSql],
    define: { ...shared.define, 'process.env.UNDICI_USE_MILO': '""' },
    // `require` finds the part that is loaded later in every host that can run the bundle at all.
    supported: { 'dynamic-import': false },
  };
  const program = { ...host, plugins: [loadedWhenUsed(partsOfPrograms), vscodeAsItIs, withoutSecondParser, bareSql] };
  return [
    {
      ...host,
      plugins: [withReadySchemas, withoutDescriptions, ...(host.plugins ?? [])],
      entryPoints: ownBundles,
      outdir: dist,
      outExtension: { '.js': '.cjs' },
    },
    { ...host, plugins: [fromClient, ...(host.plugins ?? [])], entryPoints: serverBundles, outdir: dist, outExtension: { '.js': '.cjs' } },
    {
      ...host,
      plugins: [withReadySchemas, fromMain, ...(host.plugins ?? [])],
      entryPoints: partsOfMain,
      outdir: dist,
      outExtension: { '.js': '.cjs' },
    },
    { ...host, entryPoints: { extension: 'src/extension.ts' }, outdir: dist, outExtension: { '.js': '.cjs' } },
    ...(hasCli
      ? [
          {
            ...program,
            entryPoints: { cli: 'src/cli.ts' },
            outdir: dist,
            outExtension: { '.js': '.cjs' },
            banner: { js: '#!/usr/bin/env node' },
          },
        ]
      : []),
    { ...program, entryPoints: { sampleAgents: 'examples/agents/kept.ts' }, outdir: dist, outExtension: { '.js': '.cjs' } },
    ...pageBundles.map(bundle => ({ ...bundle, ...shared })),
  ];
}

/**
 * One module with every integration test in it. Packages stay outside: they are found in node_modules, where the tests run from.
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
    outfile: join(dist, 'test', 'integration.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
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
