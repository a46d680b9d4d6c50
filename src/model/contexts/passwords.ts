import type { SentPassword } from '../../client/wireLog/wireLog.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { isShallow } from '../../protocol/json/depth.ts';
import { askedForm } from '../../schema/forms/inputForm.ts';
import { inputSchemaOf } from '../../schema/forms/inputSchema.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { secretPointers } from '../../schema/forms/secretPointers.ts';
import { mask } from '../../protocol/secrets/secretValues.ts';
import { type Entry, partsOf } from '../../protocol/message/transcript.ts';
import { membersAt, withoutSecrets } from '../../protocol/secrets/withoutSecrets.ts';

/** Pointers to passwords in the data of an answer, according to the forms in these entries and the one of the agent's card. */
export function passwordsAskedFor(entries: readonly Entry[], card: AgentCard | undefined): readonly string[] {
  const schema = card === undefined ? undefined : inputSchemaOf(card);
  const schemas = [...entries.map(entry => askedForm(partsOf(entry))?.schema), schema];
  return [...new Set(schemas.flatMap(each => (each === undefined ? [] : secretPointers(each))))];
}

/** The message as it may be stored: with dots for the passwords in its data, which are returned separately. */
export function withoutPasswords(
  message: Message,
  pointersOf: () => readonly string[],
): { readonly kept: Message; readonly passwords: readonly SentPassword[] } {
  const pointers = message.parts.some(part => 'data' in part) ? pointersOf() : [];
  const passwords = message.parts.flatMap(part => ('data' in part ? pointers.flatMap(pointer => membersAt(part.data, pointer)) : []));
  if (passwords.length === 0) return { kept: message, passwords };
  return {
    kept: {
      ...message,
      parts: message.parts.map(part => ('data' in part ? { ...part, data: withoutSecrets(part.data, pointers, mask) } : part)),
    },
    passwords,
  };
}

/** Throws a `Problem` `password-not-kept` for data with dots in place of a password, as it is in the history. */
export function requirePasswords(parts: readonly Part[]): void {
  if (!parts.some(part => 'data' in part && isShallow(part.data) && JSON.stringify(part.data)?.includes(JSON.stringify(mask)))) return;
  throw new Problem(
    'password-not-kept',
    sentence('A password in this message is not stored, so the message cannot be sent again unchanged.'),
    {
      nextStep: sentence('Enter the password again in place of the dots, or fill in the form again.'),
    },
  );
}
