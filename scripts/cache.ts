import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for large, immutable files shared by all checkouts: `A2A_CACHE`, or `a2a-workbench` in the platform's cache folder. */
export function cacheFolder(): string {
  const { A2A_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (A2A_CACHE) return A2A_CACHE;
  return join(platformCache(XDG_CACHE_HOME, LOCALAPPDATA), 'a2a-workbench');
}

function platformCache(xdg: string | undefined, localAppData: string | undefined): string {
  if (process.platform === 'win32') return localAppData || join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return xdg || join(homedir(), '.cache');
}
