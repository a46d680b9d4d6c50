import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * VS Code's own extensions that have nothing to do with agents, requests or cards. Their manifests go to every window several times, most of
 * them wake with it, and together they cost a sixth of the time that a window takes to load.
 */
export const unrelatedBuiltins: readonly string[] = [
  'copilot',
  'css-language-features',
  'debug-auto-launch',
  'debug-server-ready',
  'emmet',
  'git',
  'git-base',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'html-language-features',
  'ipynb',
  'jake',
  'markdown-math',
  'merge-conflict',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'notebook-renderers',
  'npm',
  'php-language-features',
  'simple-browser',
  'terminal-suggest',
  'tunnel-forwarding',
  'typescript-language-features',
];

/**
 * Makes `folder` one of VS Code's own extensions, all but those named: each a link to where it is installed.
 *
 * @param serverFolder of VS Code's server.
 */
export async function linkBuiltins(serverFolder: string, folder: string, without: readonly string[]): Promise<void> {
  const installed = join(serverFolder, 'extensions');
  const names = await readdir(installed, { withFileTypes: true });
  await mkdir(folder, { recursive: true });
  // A window that comes back to its user data finds the links there.
  const there = new Set(await readdir(folder));
  const wanted = names.filter(entry => entry.isDirectory() && !without.includes(entry.name) && !there.has(entry.name));
  await Promise.all(wanted.map(({ name }) => symlink(join(installed, name), join(folder, name), 'junction')));
}
