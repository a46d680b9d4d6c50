import * as vscode from 'vscode';
import type { RequestHandlers } from '../../chat/host/messages.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { outputFaults } from '../../schema/forms/outputSchema.ts';
import type { Part } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type Entry, partsOf } from '../../protocol/message/transcript.ts';
import { hiddenSecret, withoutSecrets } from '../../protocol/secrets/withoutSecrets.ts';
import { withBytes } from '../../protocol/versions/shared/fileContent.ts';
import { lineOfMatch } from './find.ts';
import { secretsIn, translatedFaults } from './drafts/chatForms.ts';
import { type PartFiles, savePart } from '../documents/partDocument.ts';

/** Handlers of the panel's requests about the parts of its entries. */
export function chatParts(
  context: AgentContext,
  {
    agents,
    partFiles,
  }: {
    readonly agents: Pick<Agents, 'readFile'>;
    readonly partFiles: PartFiles;
  },
): Pick<RequestHandlers, 'findLine' | 'openPart' | 'savePart' | 'copyWhole' | 'loadPart' | 'checkOutput'> {
  const found = (seq: number): Entry => {
    const entry = context.entry(seq);
    if (entry === undefined) throw new Problem('gone', sentence('This entry is no longer in the history.'));
    return entry;
  };
  const partAt = (seq: number, index: number): { readonly part: Part; readonly name: string | undefined; readonly key: string } => {
    const entry = found(seq);
    const part = partsOf(entry)[index];
    if (part === undefined) throw new Problem('gone', sentence('This part is no longer in the history.'));
    return { part: withBytes(part), name: entry.kind === 'artifact' ? entry.artifact.name : undefined, key: `${seq}-${index}` };
  };
  /** The part with passwords masked, as in the panel: bystanders read an editor too. */
  const shownPart = (seq: number, part: Part): Part => {
    const entry = found(seq);
    const mine = entry.kind === 'message' && entry.message.role === 'ROLE_USER';
    return mine && 'data' in part
      ? { ...part, data: withoutSecrets(part.data, secretsIn(context, seq), hiddenSecret) as typeof part.data }
      : part;
  };
  return {
    findLine: async ({ seq, nth, ...query }) => lineOfMatch(found(seq), nth, query) ?? null,
    openPart: async ({ seq, part: index, line }) => {
      const { part, name, key } = partAt(seq, index);
      await partFiles.open(key, shownPart(seq, part), name, { line });
    },
    savePart: async ({ seq, part: index }) => {
      const { part, name } = partAt(seq, index);
      await savePart(part, name);
    },
    copyWhole: async ({ seq, part: index }) => {
      const parts = index === undefined ? partsOf(found(seq)).filter(part => 'text' in part) : [shownPart(seq, partAt(seq, index).part)];
      await vscode.env.clipboard.writeText(parts.map(copiedText).join('\n'));
    },
    loadPart: async ({ seq, part: index }) => {
      const { part } = partAt(seq, index);
      if (!('url' in part)) throw new Problem('gone', sentence('This part is no longer in the history.'));
      const { bytes, mediaType } = await agents.readFile(part.url, context.agent);
      return { raw: Buffer.from(bytes).toString('base64'), mediaType };
    },
    checkOutput: async ({ seq, part: index, asked }) => {
      const faults = outputFaults(found(asked), partAt(seq, index).part);
      return faults === null ? null : translatedFaults(faults);
    },
  };
}

function copiedText(part: Part): string {
  if ('text' in part) return part.text;
  return 'url' in part ? part.url : 'raw' in part ? part.raw : JSON.stringify(part.data, null, 2);
}
