import * as vscode from 'vscode';
import { SizeBound, type SizeBoundOptions } from '../../model/run/sizeBound.ts';
import { maxHistorySize } from './settings.ts';
import { log, logError } from '../platform/log.ts';

const setting = 'a2a.history.maxSizeMB';
/** Global state: true once the deletion was announced, in any window. */
const announcedKey = 'history.sizeTold';

const inMegabytes = (bytes: number): string => (bytes / 2 ** 20).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });

/**
 * Keeps the history within `a2a.history.maxSizeMB` while agents write. The first deletion ever is announced; that the limit cannot be kept
 * is announced once per window.
 */
export function enforceSizeLimit(
  history: SizeBoundOptions['history'],
  state: vscode.Memento,
  timing?: SizeBoundOptions['timing'],
): SizeBound {
  let isExcessAnnounced = false;
  return new SizeBound({
    history,
    most: maxHistorySize,
    timing,
    onGone: ({ tasks, contexts, exchanges }) => {
      log.info(
        `The history came to ${setting}: ${tasks.count} tasks, ${contexts.count} contexts and ${exchanges.count} exchanges, the oldest, were deleted.`,
      );
      if (state.get<boolean>(announcedKey) === true) return;
      void state.update(announcedKey, true);
      announce(
        vscode.l10n.t(
          'The history has reached {0} MB, its limit: the oldest tasks are deleted, except pinned and unfinished ones. The limit is the setting {1}.',
          inMegabytes(maxHistorySize() ?? 0),
          setting,
        ),
      );
    },
    onStuck: left => {
      if (isExcessAnnounced) return;
      isExcessAnnounced = true;
      announce(
        vscode.l10n.t(
          'The history has {0} MB, more than the setting {1} allows: the remaining tasks are pinned or unfinished.',
          inMegabytes(left),
          setting,
        ),
      );
    },
    onError: logError,
  });
}

function announce(text: string): void {
  const open = vscode.l10n.t('Open Setting');
  void vscode.window.showInformationMessage(text, open).then(choice => {
    if (choice === open) void vscode.commands.executeCommand('workbench.action.openSettings', setting);
  });
}
