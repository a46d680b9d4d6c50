import type { Environments } from '../environment/environments.ts';
import { templatesIn } from '../template/templateUse.ts';
import type { HeadersSetting, SharedSettings } from './folderDefaults.ts';

/** The headers of an environment, weakest first; without a name those of the shared section. `shown`: a path for people. */
export const environmentHeaders = (
  environments: Environments,
  name: string | undefined,
  shown: (path: string) => string,
): readonly HeadersSetting[] =>
  environments.headers(name).map(({ node, text, path, isPrivate }) => ({
    node,
    templates: templatesIn(text, node),
    from: shown(path),
    ...(isPrivate && { isPrivate }),
  }));

/** Settings of a folder with the headers of an environment; any other header of the same name overrides them. */
export const withEnvironment = <T extends SharedSettings>(settings: T, headers: readonly HeadersSetting[]): T =>
  headers.length === 0 ? settings : { ...settings, headers: [...headers, ...settings.headers] };
