import { askedForm } from '../../schema/forms/inputForm.ts';
import type { Part } from '../../protocol/message/part.ts';
import { secretPointers } from '../../schema/forms/secretPointers.ts';
import { SecretValues } from '../../protocol/secrets/secretValues.ts';
import { type Entry, partsOf } from '../../protocol/message/transcript.ts';
import { hiddenSecret, membersAt, withoutSecrets } from '../../protocol/secrets/withoutSecrets.ts';

/** Most tasks whose forms are remembered while entries are read. */
const maxTasks = 1000;

/** Calls `write` for the entries without passwords, and removes these passwords from all that it writes, because agents repeat them. */
export function* writtenWithoutPasswords(
  entries: Iterable<Entry>,
  write: (entries: Iterable<Entry>) => Iterable<string>,
): Generator<string> {
  const secrets = new SecretValues();
  for (const piece of write(withoutPasswords(entries, secrets))) yield secrets.mask(piece);
}

/**
 * Entries in their order, without what the person entered into the password fields of a form that the same task had asked with.
 * @param secrets learns these values for later entries, since agents repeat them.
 */
function* withoutPasswords(entries: Iterable<Entry>, secrets: SecretValues): Generator<Entry> {
  const asked = new Map<string, ReadonlySet<string>>();
  for (const entry of entries) {
    const { taskId } = entry;
    if (taskId === undefined) yield entry;
    else if (entry.kind === 'message' && entry.message.role === 'ROLE_USER') {
      const pointers = [...(asked.get(taskId) ?? [])];
      yield pointers.length === 0
        ? entry
        : { ...entry, message: { ...entry.message, parts: entry.message.parts.map(part => hidden(part, pointers, secrets)) } };
    } else {
      const schema = askedForm(partsOf(entry))?.schema;
      const pointers = schema === undefined ? [] : secretPointers(schema);
      if (pointers.length > 0) asked.set(taskId, new Set([...(asked.get(taskId) ?? []), ...pointers]));
      if (asked.size > maxTasks) asked.delete(asked.keys().next().value!);
      yield entry;
    }
  }
}

function hidden(part: Part, pointers: readonly string[], secrets: SecretValues): Part {
  if (!('data' in part)) return part;
  for (const pointer of pointers) for (const { value } of membersAt(part.data, pointer)) secrets.add(value);
  return { ...part, data: withoutSecrets(part.data, pointers, hiddenSecret) };
}
