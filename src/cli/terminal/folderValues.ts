import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import type { SecretDraw } from '../../request/resolve/usedValues.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import type { FolderAllowance } from './folderAllowance.ts';

/** The environment variable that a value came from. */
const variableOf = ({ key, name }: SecretDraw): string => {
  const [, variable] = /^env (.+)$/s.exec(key) ?? [];
  return variable ?? secretVariable(name);
};

/** Lets values go to agents of a folder's settings where the person allowed it, and to all others as `origins` does. */
export const folderValues = (origins: SecretOrigins, allowance: FolderAllowance): Pick<SecretOrigins, 'release'> => ({
  release: async (drawn, request, target) => {
    if (target.ownAgent !== true) await allowance.require([...drawn.secrets.values()].map(variableOf), target.urls, target.agent);
    await origins.release(drawn, request, { ...target, ownAgent: true });
  },
});
