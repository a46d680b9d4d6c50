import type { Part } from '../../protocol/message/part.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';

/** Neighboring appends to one artifact: one row, and few updates, so that the panel can keep up. */
export interface AppendRun {
  readonly parts: readonly Part[];
  readonly complete: boolean;
  /** They came in a task and not in artifact updates. */
  readonly inTask: boolean;
  /** Number of changes. */
  readonly changes: number;
  /** Number of changes with parts: the end of an artifact is one without. */
  readonly updates: number;
  /** The same parts, grouped by update. */
  readonly pieces: readonly AppendPiece[];
}

interface AppendPiece {
  readonly parts: Part[];
  updates: number;
  /** UTF-16 code units of text. */
  length: number;
}

/** Code units of text after which an update ends, so that the panel can draw in between. */
const maxPieceLength = 2_048;

/** The appends from this index on that go to one artifact with nothing in between. */
export function appendsFrom(changes: readonly TaskChange[], from: number): AppendRun {
  const parts: Part[] = [];
  const pieces: AppendPiece[] = [];
  const first = changes[from];
  let complete = false;
  let index = from;
  for (; index < changes.length; index++) {
    const change = changes[index];
    if (change?.kind !== 'append' || first?.kind !== 'append') break;
    if (change.taskId !== first.taskId || change.artifactId !== first.artifactId || change.inTask !== first.inTask) break;
    let piece = pieces.at(-1);
    if (piece === undefined || piece.length >= maxPieceLength) pieces.push((piece = { parts: [], updates: 0, length: 0 }));
    for (const part of change.parts) {
      parts.push(part);
      piece.parts.push(part);
      if ('text' in part) piece.length += part.text.length;
    }
    if (change.parts.length > 0) piece.updates++;
    complete = change.complete;
  }
  const inTask = first?.kind === 'append' && first.inTask !== undefined;
  const updates = pieces.reduce((sum, piece) => sum + piece.updates, 0);
  return { parts, complete, inTask, changes: index - from, updates, pieces };
}
