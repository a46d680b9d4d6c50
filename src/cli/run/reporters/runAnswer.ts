import type { Exchange, Frame } from '../../../protocol/exchange.ts';
import type { Part } from '../../../protocol/message/part.ts';
import type { Artifact } from '../../../protocol/message/task.ts';
import { beginningOf } from '../../../protocol/ownText.ts';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import { textOfObserved } from '../../../request/expect/observed.ts';

/** An artifact as reports name it. */
export interface NamedArtifact {
  readonly artifactId: string;
  readonly name?: string;
  /** Kinds of its parts, each once. */
  readonly mediaTypes: readonly string[];
  /** Size of its texts and files, in bytes; files by reference do not count. */
  readonly bytes: number;
  /** Addresses of its files by reference: the first of them, each shortened. */
  readonly addresses?: readonly string[];
}

/** An exchange with the events of its stream. */
export interface RunExchange {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
}

/** The answer of an agent. */
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

/** Maximum number of addresses of an artifact in a result, and their maximum length. */
const maxAddresses = 20;
const maxAddress = 2_000;

const named = ({ artifactId, name, parts }: Artifact): NamedArtifact => ({
  artifactId,
  ...(name !== undefined && { name }),
  ...addressesOf(parts),
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

function addressesOf(parts: readonly Part[]): Pick<NamedArtifact, 'addresses'> {
  const linked = parts.filter(part => 'url' in part).slice(0, maxAddresses);
  return linked.length === 0 ? {} : { addresses: linked.map(({ url }) => beginningOf(url, maxAddress, '…')) };
}
