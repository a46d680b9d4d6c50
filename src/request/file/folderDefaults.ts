import type { JsonNode } from '../text/jsonNode.ts';
import type { RequestProblem } from '../text/requestProblem.ts';
import type { TemplateUse } from '../template/templateUse.ts';
import type { Located } from '../text/textRange.ts';

/** Name of the files with settings for the request files of their folder and of those below it. */
export const defaultsFileName = 'a2a.defaults.json';

/** A text that is set for requests, and where: in the request file, or in the defaults or environment file at the path `from`. */
export interface TextSetting extends Located<string> {
  readonly from?: string;
}

/** Headers that are set for requests. A node of another file (`from`) has the offsets of that file. */
export interface HeadersSetting {
  readonly node: JsonNode;
  readonly templates: readonly TemplateUse[];
  readonly from?: string;
  /** Only the person may see the values, as those of a private environment file. */
  readonly isPrivate?: true;
}

/** Settings for all requests of a file, a fence or a folder. */
export interface SharedSettings {
  readonly agent?: TextSetting;
  readonly agentTemplates: readonly TemplateUse[];
  /** Text or an object. Checked when a request is sent, unless it is from a defaults file, which is checked as a whole. */
  readonly interface?: JsonNode;
  /** Farthest first: of headers with the same name, the last one counts. */
  readonly headers: readonly HeadersSetting[];
  readonly auth?: TextSetting;
  /** In milliseconds. As `interface`. */
  readonly timeoutMs?: JsonNode;
}

export const noSettings: SharedSettings = { agentTemplates: [], headers: [] };

/** Settings from the defaults files around a request file: for each key that of the nearest file. */
export interface FolderDefaults extends SharedSettings {
  /** With an error, nothing may be sent from files below. */
  readonly problems: readonly (RequestProblem & { readonly path: string })[];
}

export const noDefaults: FolderDefaults = { ...noSettings, problems: [] };
