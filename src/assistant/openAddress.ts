import type { Place } from './world.ts';

/** Path of addresses that open a row of the workbench. */
export const openPath = '/open';

/** The environment variable of `a2a mcp` with the URI scheme of the editor that has started it, such as `vscode`. */
export const editorVariable = 'A2A_EDITOR';

/** The address that opens a row of the workbench in the editor with that URI scheme. */
export const openAddress = (scheme: string, { agent, context, exchange }: Place): string =>
  `${scheme}://a2a-workbench.a2a-workbench${openPath}?${new URLSearchParams({ agent, ...(context && { context }), ...(exchange && { exchange }) })}`;
