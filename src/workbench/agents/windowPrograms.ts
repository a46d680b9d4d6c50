import * as vscode from 'vscode';

/** Longest command line that is remembered, in UTF-16 code units. */
const maxLength = 10_000;

const commands = new Map<vscode.Terminal, string>();
const sessions = new Set<vscode.DebugSession>();

/** Remembers the programs started in this window: VS Code announces command lines and debug sessions only as they start and end. */
export const watchPrograms = (): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(
      ({ terminal, execution }) => void commands.set(terminal, execution.commandLine.value.slice(0, maxLength)),
    ),
    vscode.window.onDidEndTerminalShellExecution(({ terminal }) => void commands.delete(terminal)),
    vscode.window.onDidCloseTerminal(terminal => void commands.delete(terminal)),
    vscode.debug.onDidStartDebugSession(session => void sessions.add(session)),
    vscode.debug.onDidTerminateDebugSession(session => void sessions.delete(session)),
  );

/** The command lines that run in terminals with shell integration, and the debug sessions, as far as they are known. */
export function runningPrograms(): { readonly commands: readonly string[]; readonly sessions: readonly vscode.DebugSession[] } {
  const { activeDebugSession } = vscode.debug;
  const known = activeDebugSession === undefined ? sessions : new Set([...sessions, activeDebugSession]);
  return { commands: [...commands.values()], sessions: [...known] };
}
