import { maskCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isActive, isTerminal, taskStates } from '../../protocol/message/taskState.ts';
import { answerOf } from '../../request/expect/observed.ts';
import type { RequestResult } from '../../request/values/requestResult.ts';
import type { Terminal } from './terminal.ts';
import {
  endLines,
  outputsAreOne,
  json,
  oneLine,
  printable,
  printNextValue,
  progressLine,
  secretValues,
  printError,
  write,
} from './output.ts';

/** Characters already printed that decide how the next character is read, in UTF-16 code units. */
const maxBefore = 8;

/** How ids are told; whole where it is undefined. */
export interface IdNames {
  /** A short form by which it is known again. */
  short(id: string): string;
}

/**
 * Prints an agent's answer. Standard output gets the answer once: as it comes where a person reads it in a terminal, else as it is in the end.
 * Standard error gets states, findings and questions. With `--json` standard output has each event instead, with `--raw` nothing of this.
 */
export class Printer {
  readonly #terminal: Pick<Terminal, 'values' | 'ids'>;
  readonly #isLive: boolean;
  /** What is printed of each piece of the answer, by the id of its artifact or message. */
  readonly #printed = new Map<string, string>();
  readonly #names = new Map<string, string>();
  /** Artifacts that repeat the text of another one, which is printed. */
  readonly #repeated = new Set<string>();
  /** Messages printed since the last turn began. */
  readonly #messages = new Set<string>();
  /** The piece that was printed last. */
  #piece: string | undefined;
  /** The agent's id of the context, once it was told. */
  #contextId: string | undefined;
  #lastTask = '';
  #shownFindings = new Set<string>();
  /** The last characters printed: a character sequence may arrive in pieces. */
  #before = '';
  /** Received and not printed yet. */
  #held = '';
  /** Standard output is in the middle of a line. */
  #open = false;

  /** @param isLive a person sees the answer come */
  constructor(terminal: Pick<Terminal, 'values' | 'ids'>, isLive = process.stdout.isTTY) {
    this.#terminal = terminal;
    this.#isLive = isLive;
  }

  get #printsText(): boolean {
    const { json: isJson, raw } = this.#terminal.values;
    return isJson !== true && raw !== true;
  }

  /** The answer to another message begins: its words count by themselves, while artifacts are printed again only where they have changed. */
  nextTurn(): void {
    for (const id of this.#messages) this.#printed.delete(id);
    this.#messages.clear();
    this.#piece = undefined;
  }

  /** Prints an event as JSON; a task that was asked for again and is the same as before only once. */
  event(event: StreamResponse): void {
    if ('task' in event) {
      const task = JSON.stringify(event.task);
      if (task === this.#lastTask) return;
      this.#lastTask = task;
    }
    printNextValue(event);
  }

  /** Prints what has changed in the task. */
  changes(changes: readonly TaskChange[]): void {
    if (!this.#printsText) return;
    for (const change of changes) if (change.kind === 'retold') this.#retold(change.artifactId, change.of !== undefined);
    for (const change of changes) {
      if (change.kind === 'status') this.#status(change, changes);
      else if (change.kind === 'finding') this.findings([change.finding]);
      else if (!this.#isLive) continue;
      else if (change.kind === 'artifact') this.#artifact(change.artifact);
      else if (change.kind === 'append') this.#append(change.artifactId, change.parts);
      else if (change.kind === 'removed') this.#removed(change.artifactId);
      else if (change.kind === 'message' && change.taskId === undefined) this.#message(change.message.messageId, change.message.parts);
    }
  }

  /** Prints the deviations from the protocol that were not printed before, such as an event that cannot be parsed. */
  findings(findings: readonly Finding[] = []): void {
    if (this.#terminal.values.raw) return;
    for (const { rule, pointer, message } of findings) {
      const line = `${rule} ${pointer || '/'}: ${message}`;
      if (!this.#shownFindings.has(line)) this.note(line);
      this.#shownFindings.add(line);
    }
  }

  /** Prints the state of a task and all of its answer so far. */
  task(task: Task): void {
    this.changes([
      { kind: 'task', taskId: task.id, ...(task.contextId !== undefined && { contextId: task.contextId }) },
      { kind: 'status', taskId: task.id, status: task.status, ...(task.metadata !== undefined && { metadata: task.metadata }) },
    ]);
    this.answer({ task });
  }

  /** Prints the answer as it is in the end, as far as it is not printed. A question is not part of it, nor are the words of a task at work. */
  answer({ task, message }: Pick<RequestResult, 'task' | 'message'>): void {
    if (this.#printsText) {
      const { artifacts, words } = answerOf({ ...(task !== undefined && { task }), ...(message !== undefined && { message }) });
      for (const artifact of artifacts) if (!this.#repeated.has(artifact.artifactId)) this.#artifact(artifact);
      const state = task?.status.state ?? 'TASK_STATE_UNSPECIFIED';
      if (isTerminal(state) || state === 'TASK_STATE_UNSPECIFIED')
        for (const { messageId, parts } of words) this.#message(messageId, parts);
    }
    this.end();
  }

  /** Prints a line on standard error; ends an open output line first where both streams are one. */
  note(text: string): void {
    if (outputsAreOne() && this.#open) this.#print('\n');
    printError(text);
  }

  /** Ends the current output line. */
  end(): void {
    endLines();
    this.#write('', true);
    if (this.#open) this.#print('\n');
  }

  #message(messageId: string, parts: readonly Part[]): void {
    const id = `message ${messageId}`;
    this.#messages.add(id);
    this.#whole(id, textOf(parts), 'The agent replaced its message:');
  }

  #artifact({ artifactId, name, parts }: Artifact): void {
    if (name !== undefined) this.#names.set(artifactId, name);
    if (!this.#repeated.has(artifactId))
      this.#whole(artifactId, textOf(parts), `The agent replaced the text of artifact ${this.#nameOf(artifactId)}:`);
  }

  #append(artifactId: string, parts: readonly Part[]): void {
    const isOpen = this.#piece === artifactId && (this.#open || this.#held !== '');
    if (!this.#repeated.has(artifactId)) this.#add(artifactId, textOf(parts, isOpen));
  }

  /** Prints a piece, or the rest of it. @param replaced what is said where its text is another now */
  #whole(id: string, text: string, replaced: string): void {
    const known = this.#printed.get(id);
    if (known === text) return;
    if (known === undefined || (this.#isLive && text.startsWith(known))) return this.#add(id, text.slice(known?.length ?? 0));
    this.end();
    if (this.#isLive) this.note(replaced);
    this.#piece = id;
    this.#printed.delete(id);
    this.#add(id, text);
  }

  /** Prints more of a piece. Pieces are told apart by an empty line, and by their names where they come in turn. */
  #add(id: string, text: string): void {
    if (text === '') return;
    const known = this.#printed.get(id);
    if (this.#piece !== undefined && this.#piece !== id) {
      this.end();
      this.#print('\n');
      if (this.#isLive && !this.#messages.has(id))
        this.note(`${known === undefined ? 'Artifact' : 'More of artifact'} ${this.#nameOf(id)}:`);
    }
    this.#piece = id;
    this.#printed.set(id, (known ?? '') + text);
    this.#write(text);
  }

  #retold(artifactId: string, isRepeated: boolean): void {
    if (isRepeated) this.#repeated.add(artifactId);
    else this.#repeated.delete(artifactId);
  }

  #removed(artifactId: string): void {
    if (this.#printed.delete(artifactId)) this.note(`The agent removed artifact ${this.#nameOf(artifactId)}.`);
  }

  #nameOf(artifactId: string): string {
    return JSON.stringify(this.#names.get(artifactId) ?? artifactId);
  }

  /** The words of the last status are part of the answer. */
  #status({ taskId, status: { state, message }, metadata }: TaskChange & { kind: 'status' }, changes: readonly TaskChange[]): void {
    const contextId = changes.find(change => change.kind === 'task')?.contextId;
    const named = (id: string): string => oneLine(this.#terminal.ids?.short(id) ?? id);
    const isNew = contextId !== undefined && contextId !== this.#contextId;
    this.#contextId = contextId ?? this.#contextId;
    const progress = metadata?.['progress'];
    const facts = [
      `task ${named(taskId)}`,
      isNew && `context ${named(contextId)}`,
      taskStates[state].label,
      typeof progress === 'number' && `${progress} %`,
    ]
      .filter(Boolean)
      .join(', ');
    const words = isTerminal(state) ? '' : textOf(message?.parts ?? []).trimEnd();
    if (!isActive(state)) this.end();
    this.note(words === '' ? facts : `${facts}: ${words}`);
  }

  /** Holds back text that may be the beginning of a secret value; `whole`: no more text follows. */
  #write(text: string, whole = text.endsWith('\n')): void {
    const all = this.#held + text;
    const ready = all.length - (whole ? 0 : secretValues.pendingIn(all));
    this.#held = all.slice(ready);
    if (ready === 0) return;
    const shown = secretValues.mask(all.slice(0, ready));
    const masked = whole ? maskCutSecret(shown, secretValues) : shown;
    this.#print(printable(masked, this.#before));
    this.#before = masked.slice(-maxBefore);
  }

  #print(text: string): void {
    if (text === '') return;
    progressLine.clear();
    write('stdout', text);
    this.#open = !text.endsWith('\n');
    progressLine.hold(this.#open && process.stdout.isTTY);
  }
}

/** The text of parts: data as JSON and files by name and size, on lines of their own. @param isOpen a line stands before it that has no end */
function textOf(parts: readonly Part[], isOpen = false): string {
  let text = '';
  let open = isOpen;
  for (const part of parts) {
    if ('text' in part) text += part.text;
    else text += `${open ? '\n' : ''}${'data' in part ? json(part.data) : described(part)}\n`;
    if (!('text' in part) || part.text !== '') open = !text.endsWith('\n');
  }
  return text;
}

function described(part: Exclude<Part, { text: string }>): string {
  const where = 'url' in part ? part.url : 'raw' in part ? `${Buffer.byteLength(part.raw, 'base64')} bytes` : 'data';
  return oneLine(`[${[part.filename, part.mediaType, where].filter(Boolean).join(', ')}]`);
}
