import { resolve } from 'node:path';
import { refusal } from '../../assistant/refusal.ts';
import { actionOf, refuseProduction, sendRequests } from '../../assistant/requestFileRuns.ts';
import type { World } from '../../assistant/world.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import type { RequestModel } from '../../model/requests/requestPorts.ts';
import { RequestRuns } from '../../model/requests/requestRuns.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isMarkdownPath } from '../../request/check/readImports.ts';
import { agentsOf } from '../../request/file/matrix.ts';
import { withNeeded } from '../../request/file/imports.ts';
import type { UsedValue } from '../../request/resolve/usedValues.ts';
import { isPrivate } from '../../request/text/value.ts';
import { problemsOf } from '../run/fileProblems.ts';
import { isOutside, readRunFile, type RunFile } from '../run/runFiles.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { FileError, UsageError } from '../terminal/usage.ts';

interface FileSending {
  readonly terminal: Pick<Terminal, 'host' | 'output' | 'values'>;
  readonly model: RequestModel;
  readonly configured: Agents;
  readonly secretOrigins: SecretOrigins;
  /** See `World`. */
  readonly client: string;
  readonly onError: (error: unknown) => void;
}

/** Sends requests of a file in the folder of the command, or below, as `a2a run` does where there is no terminal. */
export const runFileFor =
  ({ terminal, model, configured, secretOrigins, client, onError }: FileSending): World['run'] =>
  async ({ file: written, request, environment }, mayRun, signal) => {
    const { output } = terminal;
    const found = await readFile(written, environment, terminal);
    const { path, file, host, values, production, snapshots } = found;
    // Errors quote the file.
    for (const value of values.values()) if (isPrivate(value)) output.addSecret(value.value);
    refuseProduction({ production, name: environment });
    refuseFaults(found, configured);
    const entries = file.requests.filter(entry => request === undefined || entry.name === request);
    if (entries.length === 0)
      throw refusal(sentence('The file has no such request.'), sentence('Use the name of a request in it, or leave "request" out.'));
    const known = (name: string) => configured.get(name) ?? configured.configuredAt(name);
    const needed = withNeeded(entries, file);
    const action = () => actionOf(needed, { path, text: file.text, agent: undefined, known });
    await mayRun(action());
    // Cards say where requests go: what was not known before is looked at once more.
    const unread = needed
      .flatMap(entry => agentsOf(entry).flatMap(({ value }) => known(value) ?? []))
      .filter(({ card }) => card === undefined);
    await Promise.all(unread.map(agent => agent.check()));
    if (unread.length > 0) await mayRun(action());
    const runs = new RequestRuns(model, onError);
    try {
      const options = {
        host,
        values,
        secretOrigins,
        ...(snapshots !== undefined && { snapshots }),
        onDraw: (draw: UsedValue) => {
          if (draw.kind === 'secret' && draw.isShown !== true) output.addSecret(draw.value);
        },
      };
      return await sendRequests({ runs, file, entries: request === undefined ? undefined : entries, options, client }, signal);
    } finally {
      runs.dispose();
    }
  };

async function readFile(
  written: string,
  environment: string | undefined,
  { host, values, output }: FileSending['terminal'],
): Promise<RunFile> {
  const path = resolve(host.cwd(), written);
  if (isOutside(host.cwd(), path)) throw refusal(sentence('This file is not in the workspace.'));
  if (!path.endsWith('.a2a') && !isMarkdownPath(path))
    throw refusal(sentence('This is not a request file.'), sentence('Name an .a2a file, or a Markdown file with requests.'));
  try {
    // A model sends at agents that the person allows; what is expected of them stays the person's choice.
    const snapshots = { writes: 'none', secrets: output.secrets } as const;
    const options = { host, variables: values.var ?? [], snapshots, ...(environment !== undefined && { environment }) };
    // As one that was found, and not named by the person: a link out of the folder is not followed.
    return await readRunFile({ path, named: false }, options);
  } catch (error) {
    if (error instanceof FileError || error instanceof UsageError) throw new Problem('request-file', sentence('{0}', error.message));
    throw error;
  }
}

/** Throws a `Problem` with the errors of a file, as `a2a run` prints them, but with the tool's input for its options. */
function refuseFaults(file: RunFile, agents: Agents): void {
  const hint = (names: readonly string[]): string => `Set "environment" to ${names.map(name => JSON.stringify(name)).join(' or ')}.`;
  const errors = problemsOf(file, agents.all, undefined, hint).filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  throw new Problem('request-file', sentence('Nothing was sent: the file has errors.'), {
    details: errors.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`).join('\n'),
  });
}
