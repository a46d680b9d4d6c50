import { FolderAllowance } from '../../src/cli/terminal/folderAllowance.ts';

/** Of a command with nobody to ask, and with nothing kept. */
export const noAllowance = new FolderAllowance({
  allowed: [],
  ask: undefined,
  store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve(), exclusively: work => work() },
});
