import { originsOfHeaders } from '../../model/agents/agentHeaders.ts';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import type { FolderAllowance } from './folderAllowance.ts';
import { printError, quoted } from './output.ts';

/** The settings of an agent that a folder defines, with those of the further origins that the person allows; what else is left out is told. */
export async function allowedSettings(name: string, settings: AgentSettings, allowance: FolderAllowance): Promise<AgentSettings> {
  const { url, interface: wanted } = settings;
  const own = originsOfHeaders({ url });
  const further = originsOfHeaders(settings).filter(origin => !own.includes(origin));
  if (further.length === 0) return settings;
  const allowed = await allowance.origins(further, { name, url });
  const refused = further.filter(origin => !allowed.includes(origin));
  if (refused.length > 0)
    printError(
      quoted(
        `warning: the settings of this folder let "${name}" have requests sent to ${refused.join(', ')}, which you have not allowed: nothing is sent there. If you trust it, allow it with --allow-origin.`,
      ),
    );
  const isMeant = wanted?.url === undefined || originsOfHeaders({ url: wanted.url }).every(origin => !refused.includes(origin));
  const { url: _, ...others } = wanted ?? {};
  return { ...settings, origins: allowed, ...(wanted !== undefined && { interface: isMeant ? wanted : others }) };
}
