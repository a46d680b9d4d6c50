import { type LocalizedMessage, sentence } from '../problem.ts';
import type { AssistantCall } from './transcript.ts';

/** The sender of such a message, for people. @param shown makes a name fit for where the sentence stands */
export const assistantSentence = ({ tool, client }: AssistantCall, shown: (name: string) => string): LocalizedMessage =>
  tool === undefined
    ? sentence('Sent by the extension {0}', shown(client))
    : sentence('Sent by a language model ({0}, {1})', shown(tool), shown(client));
