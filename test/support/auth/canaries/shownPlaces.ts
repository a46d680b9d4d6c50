import { randomUUID } from 'node:crypto';
import { emptyDraft } from '../../emptyDraft.ts';
import type { AgentContext } from '../../../../src/model/contexts/agentContext.ts';
import type { AgentContexts } from '../../../../src/model/contexts/agentContexts.ts';
import type { Agents } from '../../../../src/model/agents/agents.ts';
import { RequestRuns } from '../../../../src/model/requests/requestRuns.ts';
import { codeLanguages } from '../../../../src/request/export/languages.ts';
import { readRequestFile } from '../../../../src/request/check/readRequestFile.ts';
import { systemHost } from '../../../../src/request/template/functions.ts';
import type { Drafts } from '../../../../src/workbench/chat/drafts/drafts.ts';
import { chatPanelHost } from '../../chatPanelHost.ts';
import { responsePreviewHost } from '../../responsePreviewHost.ts';
import { inPlaceOf } from '../../shimmedVscode.ts';

const { explain, report, translate } = await import('../../../../src/workbench/platform/report.ts');
const { log } = await import('../../../../src/workbench/platform/log.ts');
const { responseText } = await import('../../../../src/workbench/requests/response/text.ts');
const { verdictOf } = await import('../../../../src/workbench/requests/testing/testMessages.ts');
const { requestAsCode, requestAsCurl } = await import('../../../../src/workbench/requests/requestExports.ts');
const { escapeIcons } = await import('../../../../src/workbench/platform/untrustedText.ts');

export interface Model {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly drafts: Drafts;
}

/** What a window shows, copies and logs, by where. */
export type ShownPlaces = Readonly<Record<'response' | 'test' | 'code' | 'panel' | 'crash', string>>;

/** Sends a request of a file to an agent, and returns its response as document and preview, its test's messages and it as code. */
export async function requestPlaces(name: string, { agents, contexts }: Model): Promise<Pick<ShownPlaces, 'response' | 'test' | 'code'>> {
  const file = readRequestFile(JSON.stringify({ agent: name, message: 'hi', expect: { text: 'nowhere', state: 'completed' } }));
  const runs = new RequestRuns({ agents, contexts }, error => {
    throw error;
  });
  await runs.sendAll(file, { host: systemHost });
  const [run] = runs.all;
  const [entry] = file.requests;
  if (run?.outcome === undefined || entry === undefined) throw new Error('The request was not sent.');
  const document = { uri: 'x.a2a', positionAt: (offset: number) => offset };
  const scope = { file, functions: systemHost, result: () => run.outcome };
  const code = await Promise.all([
    ...Object.keys(codeLanguages).map(language => requestAsCode(language, entry, scope, agents, undefined)),
    requestAsCurl(entry, scope, agents, undefined),
  ]);
  const preview = responsePreviewHost(run);
  await preview.say({ type: 'ready' });
  const places = {
    response: [responseText('x', run, { exchange: id => contexts.exchange(id), explain, translate }), preview.told()].join('\n'),
    test: JSON.stringify(verdictOf(entry, run.outcome, document as never)),
    code: code.join('\n'),
  };
  preview.dispose();
  runs.dispose();
  return places;
}

/**
 * Opens the chat of a context, asks everything that its page can ask, and keeps the last message as a draft about the agent's artifacts.
 * What was put on the clipboard or into a notification is told too.
 */
export async function panelPlace(context: AgentContext, { agents, drafts }: Model): Promise<string> {
  const copied: string[] = [];
  const back = [
    inPlaceOf('env', { clipboard: { writeText: async (text: string) => void copied.push(text) } }),
    inPlaceOf('window', { showInformationMessage: async (text: string) => void copied.push(text) }),
  ];
  const host = chatPanelHost(context, { agents, drafts });
  const snapshot = await host.request('ready', null);
  const { exchanges = [] } = (await host.request('exchanges', {})) ?? {};
  for (const { id: exchangeId, frames } of exchanges) {
    await host.request('exchange', { exchangeId });
    const { events = [] } = (await host.request('wireEvents', { exchangeId })) ?? {};
    for (const { seq } of events) await host.request('wireEvent', { exchangeId, event: seq });
    if (frames > 0) await host.request('replay', { exchangeId, to: frames });
    for (const form of ['curl', 'a2a'] as const) await host.request('copyExchange', { exchangeId, form });
  }
  await host.request('tasks', { unfolded: [] });
  await host.request('form', {});
  const artifacts = (snapshot?.entries ?? []).flatMap(entry =>
    entry.kind === 'artifact' && entry.taskId !== undefined ? [{ taskId: entry.taskId, artifactId: entry.artifact.artifactId }] : [],
  );
  const recalled = await host.request('recall', {});
  if (recalled !== null && recalled !== undefined) {
    const { seq: _, ...content } = recalled;
    const answer = snapshot?.entries.findLast(entry => entry.kind === 'message' && entry.message.role === 'ROLE_AGENT');
    const quoted = answer?.kind === 'message' ? answer.message.parts : [];
    await host.request('keepDraft', {
      ...emptyDraft,
      ...content,
      parts: quoted.flatMap(part => ('text' in part ? [{ kind: 'text' as const, id: randomUUID(), text: part.text }] : [])),
      references: artifacts,
      version: 1,
    });
  }
  back.forEach(restore => restore());
  const told = [host.told(), ...copied].join('\n');
  host.dispose();
  return told;
}

/** What a defect of ours, whose text has these values, tells in a notification, a title and the log. */
export async function crashPlace(values: readonly string[]): Promise<string> {
  const said: string[] = [];
  const note = (...all: unknown[]): void => void said.push(...all.map(String));
  const restore = inPlaceOf('window', { showErrorMessage: async (message: string) => note(message) });
  const { error, warn } = log;
  Object.assign(log, { error: note, warn: note });
  try {
    for (const value of values) {
      const defect = new TypeError(`Cannot read ${value} of ${encodeURIComponent(value)}`);
      await report(defect);
      log.error(defect);
      log.warn(JSON.stringify({ value }));
      said.push(escapeIcons(value), JSON.stringify(explain(defect)));
    }
  } finally {
    Object.assign(log, { error, warn });
    restore();
  }
  return said.join('\n');
}
