import { maskCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { isActive, isTerminal, taskStates } from '../../protocol/message/taskState.ts';
import { answerOf } from '../../request/expect/observed.ts';
import type { RequestResult } from '../../request/values/requestResult.ts';
import type { Terminal } from './terminal.ts';
import { oneLine, printable } from './output.ts';

/** Characters already printed that decide how the next character is read, in UTF-16 code units. */
const maxBefore = 8;

/** Short forms of ids. */
export interface IdNames {
  /** A short form that stands for one id alone. */
  short(id: string): string;
}

/**
 * Prints an agent's answer. Standard output gets the answer once: as it comes where a person reads it in a terminal, else as it is in the end.
 * Standard error gets states, findings and questions. With `--json` standard output has each event instead, with `--raw` nothing of this.
 */
export class Printer {
  readonly #terminal: Pick<Terminal, 'host' | 'output' | 'values' | 'ids'>;
  readonly #isLive: boolean;
  /** The printed text of each piece of the answer, by the ids of its task and artifact, or of its message. */
  readonly #printed = new Map<string, string>();
  /** Pieces that were printed in earlier turns. */
  readonly #earlier = new Set<string>();
  readonly #names = new Map<string, string>();
  /** Messages outside any task since the turn began, each in its last form. */
  readonly #messages = new Map<string, Message>();
  /** Ids of messages that were printed with a state, or need no print. */
  readonly #noted = new Set<string>();
  /** The piece that was printed last. */
  #piece: string | undefined;
  /** The agent's id of the context, once it is known. */
  #contextId: string | undefined;
  #lastTask = '';
  #lastStatus = '';
  #shownFindings = new Set<string>();
  /** The last characters printed: a character sequence may arrive in pieces. */
  #before = '';
  /** Text that was received and is not printed yet. */
  #held = '';
  /** Standard output is in the middle of a line. */
  #open = false;

  /** @param isLive a person sees the answer come */
  constructor(terminal: Pick<Terminal, 'host' | 'output' | 'values' | 'ids'>, isLive = terminal.host.stdout.isTTY) {
    this.#terminal = terminal;
    this.#isLive = isLive;
  }

  get #printsText(): boolean {
    const { json: isJson, raw } = this.#terminal.values;
    return isJson !== true && raw !== true;
  }

  /** The answer to another message begins: its words count by themselves, while artifacts are printed again only where they have changed. */
  nextTurn(): void {
    for (const id of this.#printed.keys()) {
      if (isOfMessage(id)) this.#printed.delete(id);
      else this.#earlier.add(id);
    }
    this.#messages.clear();
    this.#piece = undefined;
    this.#lastStatus = '';
  }

  /** Prints an event as JSON; a task that was asked for again and is the same as before only once. */
  event(event: StreamResponse): void {
    if ('task' in event) {
      const task = JSON.stringify(event.task);
      if (task === this.#lastTask) return;
      this.#lastTask = task;
    }
    this.#terminal.output.printValue(event);
  }

  /** Prints what has changed in the task. */
  changes(changes: readonly TaskChange[]): void {
    if (!this.#printsText) return;
    for (const change of changes) {
      if (change.kind === 'message' && change.taskId === undefined) this.#messages.set(change.message.messageId, change.message);
      if (change.kind === 'status') this.#status(change, changes);
      else if (change.kind === 'finding') this.findings([change.finding]);
      else if (!this.#isLive) continue;
      else if (change.kind === 'artifact') this.#artifact(change.taskId, change.artifact);
      else if (change.kind === 'append') this.#append(idOf(change), change.parts);
      else if (change.kind === 'message' && change.taskId === undefined) this.#message(change.message);
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
      for (const artifact of artifacts) this.#artifact(task?.id ?? '', artifact);
      const state = task?.status.state ?? 'TASK_STATE_UNSPECIFIED';
      const said = isTerminal(state) || state === 'TASK_STATE_UNSPECIFIED' ? words : words.filter(one => one === message);
      for (const one of [...this.#messages.values(), ...said]) this.#message(one);
      if (task !== undefined) this.#rest(task, said);
    }
    this.end();
  }

  /** Prints a line on standard error; ends an open output line first where both streams are one. */
  note(text: string): void {
    const { output } = this.#terminal;
    if (output.isShared && this.#open) this.#print('\n');
    output.printError(text);
  }

  /** Ends the current output line. */
  end(): void {
    this.#write('', true);
    if (this.#open) this.#print('\n');
  }

  #message({ messageId, parts }: Message): void {
    this.#whole(`${messagePrefix}${messageId}`, this.#textOf(parts), 'The agent replaced its message:');
  }

  #artifact(taskId: string, { artifactId, name, parts }: Artifact): void {
    const id = idOf({ taskId, artifactId });
    this.#names.set(id, name ?? this.#names.get(id) ?? artifactId);
    this.#whole(id, this.#textOf(parts), `The agent replaced the text of artifact ${this.#nameOf(id)}:`);
  }

  #append(id: string, parts: readonly Part[]): void {
    this.#add(id, this.#textOf(parts, this.#piece === id && (this.#open || this.#held !== '')));
  }

  /** Prints the agent's messages since the person's last one that are neither the answer nor printed with a state, such as a question. */
  #rest({ id, history = [], status: { message } }: Task, answer: readonly Message[]): void {
    for (const { role, messageId, parts } of history.slice(history.findLastIndex(one => one.role === 'ROLE_USER') + 1)) {
      const text = this.#textOf(parts).trimEnd();
      const isKnown = role !== 'ROLE_AGENT' || messageId === message?.messageId || this.#noted.has(messageId);
      if (!isKnown && text !== '' && !answer.some(one => this.#textOf(one.parts).includes(text))) this.note(`${this.#taskOf(id)}: ${text}`);
      this.#noted.add(messageId);
    }
  }

  /** Prints a piece, or the rest of it. @param replaced note for a text that was replaced */
  #whole(id: string, text: string, replaced: string): void {
    const known = this.#printed.get(id);
    if (known === text) return;
    if (this.#earlier.delete(id)) {
      this.#printed.delete(id);
      return this.#add(id, text);
    }
    if (known === undefined || (this.#isLive && text.startsWith(known))) return this.#add(id, text.slice(known?.length ?? 0));
    this.end();
    if (this.#isLive) this.note(replaced);
    this.#piece = id;
    this.#printed.delete(id);
    this.#add(id, text);
  }

  /** Prints more of a piece. An empty line separates pieces, and their names where they come in turn. */
  #add(id: string, text: string): void {
    if (text === '') return;
    const known = this.#printed.get(id);
    if (this.#piece !== undefined && this.#piece !== id) {
      this.end();
      this.#print('\n');
      if (this.#isLive && !isOfMessage(id)) this.note(`${known === undefined ? 'Artifact' : 'More of artifact'} ${this.#nameOf(id)}:`);
    }
    this.#piece = id;
    this.#printed.set(id, (known ?? '') + text);
    this.#write(text);
  }

  #nameOf(id: string): string {
    return JSON.stringify(this.#names.get(id) ?? '');
  }

  #taskOf(id: string): string {
    return `task ${oneLine(this.#terminal.ids?.short(id) ?? id)}`;
  }

  /** The words of the last status are part of the answer. */
  #status({ taskId, status: { state, message }, metadata }: TaskChange & { kind: 'status' }, changes: readonly TaskChange[]): void {
    const contextId = changes.find(change => change.kind === 'task')?.contextId;
    const isNew = contextId !== undefined && contextId !== this.#contextId;
    this.#contextId = contextId ?? this.#contextId;
    const progress = metadata?.['progress'];
    const facts = [
      this.#taskOf(taskId),
      isNew && `context ${oneLine(this.#terminal.ids?.short(contextId) ?? contextId)}`,
      taskStates[state].label,
      typeof progress === 'number' && `${progress} %`,
    ]
      .filter(Boolean)
      .join(', ');
    const words = isTerminal(state) ? '' : this.#textOf(message?.parts ?? []).trimEnd();
    if (message !== undefined) this.#noted.add(message.messageId);
    const line = words === '' ? facts : `${facts}: ${words}`;
    if (line === this.#lastStatus) return;
    this.#lastStatus = line;
    if (!isActive(state)) this.end();
    this.note(line);
  }

  /** Holds back text that may be the beginning of a secret value; `whole`: no more text follows. */
  #write(text: string, whole = text.endsWith('\n')): void {
    const { secrets } = this.#terminal.output;
    const all = this.#held + text;
    const ready = all.length - (whole ? 0 : secrets.pendingIn(all));
    this.#held = all.slice(ready);
    if (ready === 0) return;
    const shown = secrets.mask(all.slice(0, ready));
    const masked = whole ? maskCutSecret(shown, secrets) : shown;
    this.#print(printable(masked, this.#before));
    this.#before = masked.slice(-maxBefore);
  }

  /** The text of parts: data as JSON and files by name and size, on lines of their own. @param isOpen a line stands before it that has no end */
  #textOf(parts: readonly Part[], isOpen = false): string {
    let text = '';
    let open = isOpen;
    for (const part of parts) {
      if ('text' in part) text += part.text;
      else text += `${open ? '\n' : ''}${'data' in part ? this.#terminal.output.json(part.data) : described(part)}\n`;
      if (!('text' in part) || part.text !== '') open = !text.endsWith('\n');
    }
    return text;
  }

  #print(text: string): void {
    if (text === '') return;
    const { host, output } = this.#terminal;
    output.progress.clear();
    output.write('stdout', text);
    this.#open = !text.endsWith('\n');
    output.progress.hold(this.#open && host.stdout.isTTY);
  }
}

const messagePrefix = 'message ';
const isOfMessage = (id: string): boolean => id.startsWith(messagePrefix);

const idOf = ({ taskId, artifactId }: { readonly taskId: string; readonly artifactId: string }): string =>
  `artifact ${taskId}\n${artifactId}`;

function described(part: Exclude<Part, { text: string }>): string {
  const where = 'url' in part ? part.url : 'raw' in part ? `${Buffer.byteLength(part.raw, 'base64')} bytes` : 'data';
  return oneLine(`[${[part.filename, part.mediaType, where].filter(Boolean).join(', ')}]`);
}
