import { refuseOldNode } from '../terminal/nodeVersion.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';

/**
 * `a2a mcp`: serves the tools for language models to the program that has started it, until that closes standard input. What it takes is loaded
 * here, so that other commands do without.
 */
export async function mcp(terminal: Terminal): Promise<number> {
  refuseOldNode('mcp');
  if (terminal.host.stdin.isTTY)
    throw new UsageError(
      'mcp is started by a coding assistant, which writes to its standard input: put the command into the settings of that program, such as .mcp.json.',
    );
  const { serveMcp } = await import('./mcpServer.ts');
  return serveMcp(terminal);
}
