import type { Note } from '../../protocol/finding.ts';
import type { Operation, OperationParams } from '../../protocol/message/operations.ts';
import { quoted } from '../../protocol/quoted.ts';
import { taskIdOf, type StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import { sentence } from '../../protocol/problem.ts';

/**
 * Checks the events of one stream: notes where the first one is about a task that neither the stream nor the request has introduced, and
 * where another one follows a message (A2A 1.0 §3.1.2).
 */
export function streamBeginning<O extends Operation>(
  operation: O,
  params: OperationParams[O],
  { announcesTasks }: Version,
): (event: StreamResponse, note: Note) => void {
  const isNew =
    announcesTasks === true && operation === 'SendStreamingMessage' && 'message' in params && params.message.taskId === undefined;
  let place = 0;
  let isMessage = false;
  return (event, note) => {
    if (place === 0) isMessage = announcesTasks === true && 'message' in event;
    else if (place === 1 && isMessage) note('STRM-02', '', sentence('Another event followed the message, which should be the only one.'));
    if (place++ === 0 && isNew && !isMessage && !('task' in event)) {
      note(
        'STRM-02',
        '',
        sentence(
          'The first event of the stream is about the unknown task {0}; a task or a message should come first.',
          quoted(taskIdOf(event) ?? ''),
        ),
      );
    }
  };
}
