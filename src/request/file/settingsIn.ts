import { memberOf, type JsonNode } from '../text/jsonNode.ts';
import { templatesIn } from '../template/templateUse.ts';
import type { SharedSettings } from './folderDefaults.ts';
import { locatedString } from './requestEntry.ts';

/** Settings at the root of a file. @param from path of a defaults file */
export function settingsIn(root: JsonNode | undefined, text: string, from?: string): SharedSettings {
  const value = (name: string): JsonNode | undefined => memberOf(root, name)?.value;
  const written = (name: string) => {
    const found = locatedString(value(name));
    return found === undefined || from === undefined ? found : { ...found, from };
  };
  const agent = value('agent');
  const headers = value('headers');
  return {
    agent: written('agent'),
    agentTemplates: agent === undefined ? [] : templatesIn(text, agent),
    interface: value('interface'),
    headers: headers === undefined ? [] : [{ node: headers, templates: templatesIn(text, headers), ...(from !== undefined && { from }) }],
    auth: written('auth'),
    timeoutMs: value('timeoutMs'),
  };
}

/** Settings of `near`, else of `far`; headers of both. */
export function combined(far: SharedSettings, near: SharedSettings): SharedSettings {
  return {
    ...(near.agent === undefined ? far : near),
    interface: near.interface ?? far.interface,
    headers: [...far.headers, ...near.headers],
    auth: near.auth ?? far.auth,
    timeoutMs: near.timeoutMs ?? far.timeoutMs,
  };
}
