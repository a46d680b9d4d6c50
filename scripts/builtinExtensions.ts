import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * VS Code's own extensions without any use for agents, requests or cards. Every window reads their manifests several times, and most of
 * them activate; together they take a sixth of a window's loading time.
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
 * Fills `folder` with links to VS Code's own extensions, except those named above.
 *
 * @param serverFolder the folder of VS Code's server
 */
export async function linkBuiltins(serverFolder: string, folder: string, without: readonly string[]): Promise<void> {
  const installed = join(serverFolder, 'extensions');
  const names = await readdir(installed, { withFileTypes: true });
  await mkdir(folder, { recursive: true });
  // A window that is restarted with its user data finds the links there.
  const there = new Set(await readdir(folder));
  const wanted = names.filter(entry => entry.isDirectory() && !without.includes(entry.name) && !there.has(entry.name));
  await Promise.all(wanted.map(({ name }) => symlink(join(installed, name), join(folder, name), 'junction')));
}
