import type { Exchange, Frame } from '../../../protocol/exchange.ts';
import type { Artifact } from '../../../protocol/message/task.ts';
import { beginningOf } from '../../../protocol/ownText.ts';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import { textOfObserved } from '../../../request/expect/observed.ts';

/** An artifact as reports name it. */
export interface NamedArtifact {
  readonly artifactId: string;
  readonly name?: string;
  /** Of its parts, each once. */
  readonly mediaTypes: readonly string[];
  /** Of its texts and files, in bytes. */
  readonly bytes: number;
}

/** An exchange with the events of its stream. */
export interface RunExchange {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
}

/** What the agent answered. */
export interface RunAnswer {
  readonly text?: string;
  readonly artifacts?: readonly NamedArtifact[];
}

/** Longest text that results carry, in UTF-16 code units; all of it is written with `--output`. */
const maxTextLength = 64 * 1024;

export function answerOf(outcome: RequestOutcome): RunAnswer {
  const text = textOfObserved(outcome);
  const artifacts = (outcome.task?.artifacts ?? []).map(named);
  return {
    ...(text !== '' && { text: beginningOf(text, maxTextLength, '…') }),
    ...(artifacts.length > 0 && { artifacts }),
  };
}

const named = ({ artifactId, name, parts }: Artifact): NamedArtifact => ({
  artifactId,
  ...(name !== undefined && { name }),
  mediaTypes: [
    ...new Set(parts.map(part => part.mediaType ?? ('text' in part ? 'text/plain' : 'data' in part ? 'application/json' : 'a file'))),
  ],
  bytes: parts.reduce(
    (sum, part) =>
      sum +
      ('text' in part
        ? Buffer.byteLength(part.text)
        : 'raw' in part
          ? Buffer.byteLength(part.raw, 'base64')
          : 'data' in part
            ? Buffer.byteLength(JSON.stringify(part.data))
            : 0),
    0,
  ),
});
