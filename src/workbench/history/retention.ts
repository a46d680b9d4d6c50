import type * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { DailyRetention } from '../../model/contexts/dailyRetention.ts';
import { isEmpty } from './cleanup.ts';
import { retentionSettings } from './settings.ts';
import { log } from '../platform/log.ts';

/** Once a day, in one of the windows, deletes what the settings no longer keep. */
export function dailyRetention(contexts: AgentContexts, state: vscode.Memento): DailyRetention {
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
    onError: error => log.error(error instanceof Error ? error : String(error)),
  });
}
