import { Problem, sentence } from '../../protocol/problem.ts';
import type { Recording } from '../../recording/recording.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import { recordedConversations, type ReadExchange } from './recordedConversations.ts';
import { recordedKey } from './storedContext.ts';
import { writeConversation } from './recordedHistory.ts';

/** Stands for the origin of agents of recordings, so that no agent of any settings is the same. */
const recordedOrigin = 'a2a-recording:';

/** See `TaskHistory.putRecording`. */
export async function putRecording(
  store: TaskStore,
  recording: Recording,
  { id, agent }: { readonly id: string; readonly agent: string },
): Promise<string> {
  const first = `${recordedKey}${id}`;
  const exchanges = recording.exchanges.map(({ exchange, frames }, index) => ({
    exchange: { ...exchange, id: `${first}/${index + 1}` },
    frames,
  }));
  const conversations = await recordedConversations({ ...recording, exchanges });
  if (!conversations.flat().some(saysSomething))
    throw new Problem('nothing-recorded', sentence('This recording has no message and no task that could be shown.'), {
      nextStep: sentence('Open it as text to see what it has.'),
    });
  await store.writes.patiently(() =>
    store.together(() => {
      const name = store.identities.ofImport(agent, [recordedOrigin], 'recording', Date.now());
      for (const [index, conversation] of conversations.entries()) {
        const key = index === 0 ? first : `${first}-${index + 1}`;
        if (store.context(key) !== undefined) continue;
        store.deleteContext(key);
        writeConversation(store, conversation, {
          key,
          agent: name,
          recordedAt: recording.recordedAt,
          lacks: index === 0 ? recording.lacks : [],
        });
      }
    }),
  );
  return first;
}

const saysSomething = ({ message, batches }: ReadExchange): boolean =>
  message !== undefined || batches.some(({ events }) => events.length > 0);
