import * as assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(resolve(root, path), 'utf8');

interface Setting {
  readonly scope?: string;
}
interface MenuItem {
  readonly command: string;
  readonly when?: string;
}
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly MenuItem[];
    readonly viewsWelcome: readonly { readonly when?: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly { readonly id: string; readonly completionEvents: readonly string[] }[] }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly jsonValidation: readonly { readonly fileMatch: readonly string[] }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly files?: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(text('package.json')) as Manifest;
const { contributes } = manifest;
const source = (glob: string): string => globSync(glob, { cwd: root }).map(text).join('\n');
const workbench = source('src/workbench/**/*.ts') + source('src/{extension,main}.ts');

/** The strings of an `as const` array in a source file; the files import `vscode`, so they cannot be loaded here. */
function listed(path: string, constant: string): string[] {
  const body = new RegExp(`(?:^|export )const ${constant} = \\[([^\\]]*)\\] as const`, 'm').exec(text(path))?.[1];
  assert.ok(body !== undefined, `${constant} in ${path}`);
  return [...body.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
}

const contributedIds = listed('src/workbench/platform/commands.ts', 'contributedIds');
const commandIds = [...contributedIds, ...listed('src/workbench/platform/commands.ts', 'internalIds')];
/** Commands and views of VS Code that ours lead to. */
const vscodeCommands = ['workbench.view.testing.focus'];
const isCommand = (id: string): boolean => commandIds.includes(id) || vscodeCommands.includes(id);
const clauses = [...Object.values(contributes.menus).flat(), ...contributes.keybindings, ...contributes.viewsWelcome].map(
  item => item.when ?? '',
);

/** Settings that say where something is shown: any workspace may have them. */
const looks = ['a2a.agentClick', 'a2a.responseColumn', 'a2a.responsePreview', 'a2a.responseTakesFocus'];

/** Settings that an untrusted workspace could give a value: neither the person's alone nor restricted. One without a scope is the window's. */
const openToWorkspaces = (settings: Readonly<Record<string, Setting>>, restricted: readonly string[]): readonly string[] =>
  Object.entries(settings)
    .filter(([name, { scope }]) => !looks.includes(name) && scope !== 'application' && !(scope === 'resource' && restricted.includes(name)))
    .map(([name]) => name);

suite('manifest', () => {
  test('a workspace that is not trusted decides nothing but where something is shown', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const { properties } = contributes.configuration;
    assert.equal(supported, 'limited');
    assert.deepEqual(openToWorkspaces(properties, restrictedConfigurations), []);
    assert.deepEqual(
      [...restrictedConfigurations, ...looks].filter(name => !(name in properties)),
      [],
    );
    const scoped = Object.entries(properties).filter(([, { scope }]) => scope !== undefined);
    assert.ok(scoped.length >= 6);
    for (const [name, { scope: _, ...setting }] of scoped)
      assert.deepEqual(openToWorkspaces({ ...properties, [name]: setting }, restrictedConfigurations), [name]);
    assert.deepEqual(openToWorkspaces(properties, []), restrictedConfigurations);
  });

  test('commands are those of the code', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...contributedIds].sort());
  });

  test('a former command leads to one that is there, and wakes the extension as that does', () => {
    const [, table = ''] = /const formerIds.* = \{\n([^}]*)\}/.exec(text('src/workbench/platform/commands.ts')) ?? [];
    const former = [...table.matchAll(/'([^']+)': '([^']+)'/g)].map(([, id = '', successor = '']) => [id, successor] as const);
    assert.ok(former.length > 0);
    for (const [id, successor] of former) {
      assert.ok(!commandIds.includes(id), id);
      assert.ok(contributedIds.includes(successor), successor);
    }
    const woken = manifest.activationEvents.flatMap(event => /^onCommand:(.*)/.exec(event)?.[1] ?? []);
    assert.deepEqual(woken.sort(), former.map(([id]) => id).sort());
  });

  test('every command has the category and a translated title', () => {
    for (const { category, title } of contributes.commands) {
      assert.equal(category, 'A2A');
      assert.match(title, /^%command\.\w+%$/);
    }
  });

  test('menus and keybindings name known commands', () => {
    for (const { command } of [...Object.values(contributes.menus).flat(), ...contributes.keybindings]) {
      assert.ok(commandIds.includes(command), command);
    }
  });

  const nls = (locale: string): Readonly<Record<string, string>> => JSON.parse(text(`package.nls${locale}.json`)) as Record<string, string>;
  /** The commands that a text's links run, without their arguments. */
  const linked = (words: string): string[] => [...words.matchAll(/\]\(command:([^?)\s]*)/g)].map(([, id = '']) => id);

  test('links in the welcome and the walkthrough run known commands, the same ones in every language', () => {
    const links = Object.entries(nls(''))
      .map(([key, words]) => [key, linked(words)] as const)
      .filter(([, ids]) => ids.length > 0);
    assert.ok(links.length >= 7, `${links.length} texts with links`);
    for (const [key, ids] of links) {
      assert.deepEqual(
        ids.filter(id => !isCommand(id)),
        [],
        key,
      );
      assert.deepEqual(linked(nls('.zh-cn')[key] ?? ''), ids, key);
    }
    for (const locale of ['', '.zh-cn']) {
      for (const [key, words] of Object.entries(nls(locale)))
        assert.equal(words.split('command:').length - 1, linked(words).length, `a link of ${key} is not read`);
    }
  });

  test('a request file or card that is shown for reading has no schema', () => {
    for (const { fileMatch } of contributes.jsonValidation.slice(0, 2))
      for (const scheme of ['git', 'gitlens', 'pr', 'review', 'vscode-local-history', 'a2a-part'])
        assert.ok(fileMatch.includes(`!${scheme}:/**`), `${scheme} in ${fileMatch.join(' ')}`);
  });

  test('each step of the walkthrough ends in something that happened, which has a context key', () => {
    const events = contributes.walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents));
    const keys = listed('src/workbench/platform/contextKeys.ts', 'stepKeys');
    assert.deepEqual(
      events,
      keys.map(key => `onContext:${key}`),
    );
    for (const key of keys) assert.ok(workbench.includes(`completeStep('${key}')`), `${key} is never set`);
  });

  test('commands that need a tree item are kept out of the palette', () => {
    const needsItem = new Set((contributes.menus['view/item/context'] ?? []).map(({ command }) => command));
    const hidden = new Set(
      (contributes.menus['commandPalette'] ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const askThemselves = [
      'a2a.addAgent',
      'a2a.refresh',
      'a2a.openChat',
      'a2a.openAgentCard',
      'a2a.chooseInterface',
      'a2a.chooseExtensions',
      'a2a.exportHistory',
      'a2a.compareRuns',
      'a2a.newRequestFile',
      'a2a.requestFromTask',
      'a2a.runAgain',
      'a2a.runAgainOnRestart',
      'a2a.recordTest',
      'a2a.recordAgent',
      'a2a.copyIssueReport',
      'a2a.setSecret',
      'a2a.signIn',
      'a2a.explainSignIn',
      'a2a.checkConformance',
      'a2a.chooseFault',
      'a2a.cleanUpHistory',
      'a2a.compareCard',
      'a2a.signOut',
      'a2a.pushNotifications',
      'a2a.startSampleAgents',
    ];
    assert.deepEqual(
      [...needsItem].filter(command => !hidden.has(command) && !askThemselves.includes(command)),
      [],
    );
  });

  test('views, settings and the panel type are those of the code', () => {
    for (const { id } of Object.values(contributes.views).flat()) assert.ok(workbench.includes(`'${id}'`), id);
    for (const name of Object.keys(contributes.configuration.properties)) {
      assert.ok(workbench.includes(`'${name}'`), `${name} is read nowhere`);
    }
    for (const event of manifest.activationEvents.filter(one => one.startsWith('onWebviewPanel:'))) {
      assert.ok(workbench.includes(`'${event.replace(/^onWebviewPanel:/, '')}'`), event);
    }
  });

  test('context keys in when clauses are those the code sets', () => {
    const used = new Set(
      clauses
        .flatMap(clause => clause.replaceAll(/activeWebviewPanelId == 'a2a\.chat'/g, '').match(/\ba2a\.\w+\b/g) ?? [])
        .filter(
          key =>
            !Object.values(contributes.views)
              .flat()
              .some(({ id }) => id === key),
        ),
    );
    assert.deepEqual(
      [...used].sort(),
      listed('src/workbench/platform/contextKeys.ts', 'contextKeys')
        .filter(key => used.has(key))
        .sort(),
    );
    assert.deepEqual(
      listed('src/workbench/platform/contextKeys.ts', 'contextKeys').filter(key => !used.has(key)),
      [],
    );
  });

  test('every viewItem word in a when clause is a context value the tree makes', () => {
    const words = new Set(
      clauses.flatMap(clause =>
        [...clause.matchAll(/viewItem =~ \/(.*?)\/(?= |$)/g)].flatMap(
          ([, pattern = '']) => pattern.replaceAll('\\b', ' ').match(/[a-z]+/g) ?? [],
        ),
      ),
    );
    const made = listed('src/workbench/platform/contextValues.ts', 'contextFlags');
    assert.deepEqual(
      [...words].filter(word => !made.includes(word)),
      [],
    );
    assert.deepEqual(
      made.filter(flag => !words.has(flag)),
      [],
    );
  });

  test('package.nls.json has exactly the strings the manifest uses', () => {
    const used = [...new Set([...text('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key = '']) => key))].sort();
    const table = JSON.parse(text('package.nls.json')) as Record<string, string>;
    assert.deepEqual(Object.keys(table).sort(), used);
    for (const [key, value] of Object.entries(table)) assert.ok(value.trim() !== '', key);
  });

  test('versions are exact', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      assert.match(version, /^(npm:(@[a-z0-9-]+\/)?[a-z0-9-]+@)?\d+\.\d+\.\d+$/, name);
    }
  });
});
