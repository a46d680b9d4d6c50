import { snapshotName } from '../../model/requests/snapshotResult.ts';
import type { SnapshotFile } from '../../model/snapshotFile.ts';
import { inTerminal, Problem } from '../../protocol/problem.ts';
import { memberOf } from '../../request/text/jsonNode.ts';
import { quoted } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isCi } from './chosenRequests.ts';
import type { RunFile } from './runFiles.ts';

/** A run in CI writes none: an answer without a snapshot would pass unseen, and with the machine what was written is gone. */
export const snapshotWrites = ({ host, values }: Pick<Terminal, 'host' | 'values'>): SnapshotFile['options']['writes'] =>
  values['update-snapshots'] === true ? 'all' : isCi(host.env) ? 'none' : 'new';

/** Maximum number of names in a warning. */
const maxNames = 10;

/** Names the obsolete snapshots of files that were run as a whole; removes them where snapshots are updated. */
export function endSnapshots(files: readonly RunFile[], { output, values, signal, giveUp }: Terminal): void {
  if (values.name !== undefined || values.tags !== undefined || signal.aborted || giveUp.aborted) return;
  for (const { file, snapshots } of files) {
    const expecting = file.requests.filter(({ members }) => memberOf(members.get('expect')?.value, 'snapshot') !== undefined);
    try {
      const obsolete = snapshots?.obsolete(expecting.map(entry => snapshotName(entry))) ?? [];
      if (snapshots === undefined || obsolete.length === 0) continue;
      const names = `${obsolete.slice(0, maxNames).join(', ')}${obsolete.length > maxNames ? ', …' : ''}`;
      if (values['update-snapshots'] === true) {
        snapshots.remove(obsolete);
        output.printError(quoted(`Removed from ${snapshots.shown}, as no request has it: ${names}`));
      } else
        output.printError(
          quoted(`warning: no request has these snapshots of ${snapshots.shown}: ${names}. --update-snapshots removes them.`),
        );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      output.printError(quoted(`warning: ${inTerminal(error.sentence)}`));
    }
  }
}
