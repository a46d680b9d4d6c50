import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { itemOf, nodeOf, selectedHistoryNodes } from '../agentsView/agentNodes.ts';
import type { AgentsView } from '../agentsView/agentsView.ts';
import type { KeyboardRows } from '../agentsView/keyboardRows.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { AgentRecordings } from './agentRecordings.ts';
import { cleanUpHistory, isEmpty } from './cleanup.ts';
import { historyCommands } from './commands.ts';
import { contextCommands } from './contextCommands.ts';
import { exportHistory } from './exporting.ts';
import { importTasks } from './importing.ts';
import { RecordingEditor } from './recordingEditor.ts';
import { HistorySearch } from './search.ts';
import { enforceSizeLimit } from './sizeLimit.ts';
import { openArtifact, taskCommands } from './taskCommands.ts';
import { versionCommands } from './versionCommands.ts';
import { DailyRetention } from '../../model/contexts/dailyRetention.ts';
import { completeStep } from '../platform/contextKeys.ts';
import { retentionSettings } from './settings.ts';
import { log, logError } from '../platform/log.ts';

/** Registers the commands for contexts, tasks and artifacts, and what keeps the history within its limits. */
export function registerHistory({
  agents,
  contexts,
  documents,
  panels,
  partFiles,
  view,
  rowKeys,
  pickAgent,
  globalState,
  workspaceState,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly documents: ReadOnlyDocuments;
  readonly panels: ChatPanels;
  readonly partFiles: PartFiles;
  readonly view: AgentsView;
  readonly rowKeys: KeyboardRows;
  /** The agent that an argument of a command means, or that the person picks. */
  readonly pickAgent: (argument: unknown) => Promise<Agent | undefined>;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
}) {
  const selected = () => view.selected;
  const recordings = new AgentRecordings(contexts, agents, workspaceState);
  const selection = () => view.selection;
  const chosenByKey = () => rowKeys.takeKeyPress();
  const parts = vscode.Disposable.from(
    dailyRetention(contexts, globalState),
    enforceSizeLimit(contexts.history, globalState),
    recordings,
    vscode.window.registerCustomEditorProvider(RecordingEditor.viewType, new RecordingEditor(contexts, panels)),
  );
  const search = (text: string | undefined): void =>
    HistorySearch.open(
      {
        contexts,
        openEntry: async ({ context: key, seq }) => {
          const context = contexts.get(key);
          if (context === undefined) return;
          (await panels.open(context)).revealEntry(seq);
          completeStep('a2a.taskOpened');
        },
        openArtifact: async ({ context, seq }) => {
          const entry = contexts.get(context)?.entry(seq);
          if (entry?.kind === 'artifact') await openArtifact(partFiles, entry);
        },
      },
      text,
    );
  return {
    dispose: () => void parts.dispose(),
    commands: {
      ...historyCommands({ agents, contexts, selection, rowsOfKey: () => rowKeys.meant(selection) }),
      ...contextCommands({ pickAgent, contexts, panels, selected, chosenByKey }),
      ...taskCommands({ contexts, panels, partFiles, documents, selected, chosenByKey }),
      ...versionCommands({ contexts, panels, partFiles, selected }),
      'a2a.searchHistory': (text: unknown) => search(typeof text === 'string' ? text : undefined),
      'a2a.exportHistory': (argument: unknown, rows: unknown) =>
        exportHistory(contexts, agents, { argument, rows, selection: selection() }),
      'a2a.copyIssueReport': async (argument: unknown) => {
        const { copyIssueReport } = await import('./copiedReport.ts');
        const node = argument ?? selected();
        const [row] = selectedHistoryNodes(node, undefined, []);
        const context = typeof argument === 'string' ? argument : argument === undefined ? panels.active?.key : undefined;
        const item = context === undefined ? row && itemOf(row) : { context };
        if (item === undefined) throw new Problem('nothing-selected', sentence('Select a context in the A2A view first.'));
        await copyIssueReport(contexts, agents, item);
      },
      'a2a.recordAgent': async (argument: unknown) => {
        const name = typeof argument === 'string' ? argument : (await pickAgent(argument))?.name;
        if (name !== undefined) await recordings.toggle(name);
      },
      'a2a.importTasks': () => importTasks(contexts),
      'a2a.cleanUpHistory': (argument: unknown) => cleanUpHistory(contexts, nodeOf('agent', argument)?.name),
    },
  };
}

/** Deletes what the settings no longer keep: once a day, in one of the windows. */
function dailyRetention(contexts: AgentContexts, state: vscode.Memento): DailyRetention {
  const key = 'history.retainedAt';
  return new DailyRetention({
    contexts,
    wanted: retentionSettings,
    last: { get: () => state.get<number>(key, 0), set: at => state.update(key, at) },
    onDone: gone => {
      if (!isEmpty(gone))
        log.info(
          `The settings a2a.history no longer keep ${gone.tasks.count} tasks, ${gone.contexts.count} contexts and ${gone.exchanges.count} exchanges: they were deleted.`,
        );
    },
    onError: logError,
  });
}
