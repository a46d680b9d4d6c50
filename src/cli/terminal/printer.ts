import { maskCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import { repliesIn } from '../../protocol/message/replies.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../../protocol/message/task.ts';
import { isActive, taskStates } from '../../protocol/message/taskState.ts';
import type { Values } from './options.ts';
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

/** Most that is kept of what was printed, to print it once: in UTF-16 code units over all artifacts with their names, and how many. */
const maxKept = { length: 16 * 1024 * 1024, items: 10_000 };

/** Longest description of a part that is remembered, in UTF-16 code units; a longer one is printed again. */
const maxWords = 1_000;

/** Characters already printed that decide how the next character is read, in UTF-16 code units. */
const maxBefore = 8;

/** How ids are told; whole where it is undefined. */
export interface IdNames {
  /** A short form by which it is known again. */
  short(id: string): string;
}

/** Prints an agent's answer: its content goes to standard output, once; information about it to standard error. */
export class Printer {
  readonly #values: Values;
  readonly #ids: IdNames | undefined;
  /** Printed text by artifact id; `undefined` where it is too long to keep. */
  readonly #artifacts = new Map<string, string | undefined>();
  readonly #names = new Map<string, string | undefined>();
  /** Artifacts not printed, because another one has the same text. */
  readonly #repeated = new Set<string>();
  /** Parts that were described rather than printed, so that a snapshot does not describe them again. */
  readonly #described = new Set<string>();
  #keptLength = 0;
  #lastStatus = '';
  /** The last characters printed: a character sequence may arrive in pieces. */
  #before = '';
  /** Received and not printed yet. */
  #held = '';
  /** Standard output is in the middle of a line. */
  #open = false;
  #said = false;

  constructor({ values, ids }: { readonly values: Values; readonly ids?: IdNames | undefined }) {
    this.#values = values;
    this.#ids = ids;
  }

  /** The agent has sent text, data or files. */
  get hasPrinted(): boolean {
    return this.#said;
  }

  show(event: StreamResponse): void {
    if (this.#values.raw) return;
    if (this.#values.json) {
      printNextValue(event);
      if ('message' in event || 'artifactUpdate' in event || ('task' in event && event.task.artifacts !== undefined)) this.#said = true;
    } else if ('task' in event) this.showTask(event.task);
    else if ('message' in event) this.#message(event.message);
    else if ('artifactUpdate' in event)
      this.#artifact(event.artifactUpdate.artifact, event.artifactUpdate.append === true, event.artifactUpdate.lastChunk === true);
    else this.#status(event.statusUpdate.taskId, { status: event.statusUpdate.status, metadata: event.statusUpdate.metadata });
  }

  showTask(task: Task): void {
    // An artifact of a running task may be continued on the same line.
    for (const artifact of task.artifacts ?? []) this.#artifact(artifact, false, !isActive(task.status.state));
    // Some agents put their answer in the history only.
    if (!this.#said && !isActive(task.status.state) && task.status.message === undefined)
      repliesIn(task).forEach(message => this.#message(message));
    this.#status(task.id, task);
  }

  /** Prints deviations from the protocol, such as an event that cannot be parsed. */
  findings(findings: readonly Finding[]): void {
    if (this.#values.raw) return;
    for (const { rule, pointer, message } of findings) this.note(`${rule} ${pointer || '/'}: ${message}`);
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

  #message({ parts }: Message): void {
    const text = this.#textOf(parts);
    const last = parts.at(-1);
    this.#write(last !== undefined && 'data' in last ? text : `${text}\n`);
    this.#said = true;
  }

  #artifact({ artifactId, name, parts }: Artifact, append: boolean, last: boolean): void {
    const isKnown = this.#artifacts.has(artifactId);
    const known = this.#artifacts.get(artifactId) ?? '';
    const text = this.#textOf(parts, append ? known : '');
    const whole = append ? known + text : text;
    this.#said = true;
    this.#keep(artifactId, whole, name);
    const first =
      append || whole.length > maxKept.length || !parts.every(part => 'text' in part && part.filename === undefined)
        ? undefined
        : this.#sameAs(artifactId, whole);
    if (first !== undefined) {
      // Reports the duplicate once and does not print its text again.
      if (!this.#repeated.has(artifactId))
        this.note(
          `STRM-10 /: Artifact ${JSON.stringify(artifactId)} has the same text as artifact ${JSON.stringify(first)} of the task: it is shown once.`,
        );
      this.#repeated.add(artifactId);
      return;
    }
    if (this.#repeated.delete(artifactId)) {
      // It was not the end: the artifact continues.
      this.end();
      this.#write(whole);
    } else if (append) this.#write(text);
    else if (isKnown && whole.startsWith(known)) this.#write(whole.slice(known.length));
    else {
      this.end();
      this.#write(whole);
    }
    // An empty artifact gets a line as well, once.
    if (last && (this.#open || this.#held !== '' || !isKnown)) this.#write('\n');
  }

  /** Forgets the oldest artifacts where too much is kept: what comes of them again is printed again. */
  #keep(artifactId: string, text: string, name: string | undefined): void {
    this.#keptLength -= this.#lengthOf(artifactId);
    this.#artifacts.set(artifactId, text.length > maxKept.length ? undefined : text);
    this.#names.set(artifactId, this.#names.get(artifactId) ?? name);
    this.#keptLength += this.#lengthOf(artifactId);
    for (const oldest of this.#artifacts.keys()) {
      if (this.#keptLength <= maxKept.length && this.#artifacts.size <= maxKept.items) return;
      this.#keptLength -= this.#lengthOf(oldest);
      this.#artifacts.delete(oldest);
      this.#names.delete(oldest);
      this.#repeated.delete(oldest);
    }
  }

  #lengthOf(artifactId: string): number {
    if (!this.#artifacts.has(artifactId)) return 0;
    return artifactId.length + (this.#artifacts.get(artifactId)?.length ?? 0) + (this.#names.get(artifactId)?.length ?? 0);
  }

  /** Id of a printed artifact with the same text and the same name, or no name. */
  #sameAs(artifactId: string, text: string): string | undefined {
    if (text.trim() === '') return undefined;
    const name = this.#names.get(artifactId);
    for (const [other, printed] of this.#artifacts) {
      if (other === artifactId) return undefined;
      if (printed?.length !== text.length || printed !== text || this.#repeated.has(other)) continue;
      const otherName = this.#names.get(other);
      if (name === otherName || name === undefined || otherName === undefined) return other;
    }
    return undefined;
  }

  #status(taskId: string, { status: { state, message }, contextId, metadata }: Pick<Task, 'status' | 'contextId' | 'metadata'>): void {
    const words = message?.parts.map(part => ('text' in part ? part.text : described(part))).join(' ');
    const told = JSON.stringify([taskId, state, words, progressOf(metadata)]);
    if (told === this.#lastStatus) return;
    this.#lastStatus = told;
    if (words && !isActive(state)) this.#said = true;
    const named = (id: string): string => oneLine(this.#ids?.short(id) ?? id);
    const facts = [`task ${named(taskId)}`, contextId && `context ${named(contextId)}`, taskStates[state].label, progressOf(metadata)]
      .filter(Boolean)
      .join(', ');
    if (!isActive(state)) this.end();
    this.note(words ? `${facts}: ${words}` : facts);
  }

  /** Text and data, which has lines of its own; other parts are described. @param before what stands before it */
  #textOf(parts: readonly Part[], before = ''): string {
    let text = '';
    for (const part of parts) {
      if ('text' in part) text += part.text;
      else if ('data' in part) text += `${isOpen(before + text) ? '\n' : ''}${json(part.data)}\n`;
      else {
        const words = described(part);
        if (!this.#described.has(words)) this.note(words);
        if (this.#described.size >= maxKept.items) this.#described.clear();
        if (words.length <= maxWords) this.#described.add(words);
      }
    }
    return text;
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

/** A text in the middle of a line. */
const isOpen = (text: string): boolean => text !== '' && !text.endsWith('\n');

const progressOf = (metadata: Task['metadata']): string | undefined =>
  typeof metadata?.['progress'] === 'number' ? `${metadata['progress']} %` : undefined;

function described(part: Part): string {
  const where = 'url' in part ? part.url : 'raw' in part ? `${Buffer.byteLength(part.raw, 'base64')} bytes` : 'data';
  return oneLine(`[${[part.filename, part.mediaType, where].filter(Boolean).join(', ')}]`);
}
