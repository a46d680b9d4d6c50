import { withoutCutSecret } from '../../protocol/secrets/cutSecrets.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { Message } from '../../protocol/message/message.ts';
import type { Part } from '../../protocol/message/part.ts';
import { repliesIn } from '../../protocol/message/replies.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import type { Artifact, Task } from '../../protocol/message/task.ts';
import { isActive, taskStates } from '../../protocol/message/taskState.ts';
import type { Values } from './options.ts';
import { endLines, isShared, json, oneLine, printable, printJson, progressLine, secretValues, tell } from './output.ts';

/** Longest text of an artifact that is kept to see what is new in it, in code units; a longer one that is replaced is printed anew. */
const mostKept = 16 * 1024 * 1024;

/** How much of what was printed says how the next character is to be taken, in code units. */
const mostBefore = 8;

/** Prints what an agent says: what it made goes to standard output, once, and what is said about it to standard error. */
export class Printer {
  readonly #values: Values;
  /** What was printed of each artifact; `undefined` where that is too long to keep. */
  readonly #artifacts = new Map<string, string | undefined>();
  readonly #names = new Map<string, string | undefined>();
  /** Artifacts that are not printed, since another one had the same text. */
  readonly #retold = new Set<string>();
  /** Parts that are described and not printed, so that a snapshot does not describe them again. */
  readonly #described = new Set<string>();
  #lastStatus = '';
  /** The end of what was printed: what belongs together may come in several pieces. */
  #before = '';
  /** Came, and is not printed yet. */
  #held = '';
  /** Standard output stands in the middle of a line. */
  #open = false;
  #said = false;

  constructor({ values }: { readonly values: Values }) {
    this.#values = values;
  }

  /** The agent has given an answer in words, data or files. */
  get said(): boolean {
    return this.#said;
  }

  show(event: StreamResponse): void {
    if (this.#values.raw) return;
    if (this.#values.json) {
      printJson(json(event));
      if ('message' in event || 'artifactUpdate' in event || ('task' in event && event.task.artifacts !== undefined)) this.#said = true;
    } else if ('task' in event) this.showTask(event.task);
    else if ('message' in event) this.#message(event.message);
    else if ('artifactUpdate' in event)
      this.#artifact(event.artifactUpdate.artifact, event.artifactUpdate.append === true, event.artifactUpdate.lastChunk === true);
    else this.#status(event.statusUpdate.taskId, { status: event.statusUpdate.status, metadata: event.statusUpdate.metadata });
  }

  showTask(task: Task): void {
    // What the agent still works on may go on in the same line.
    for (const artifact of task.artifacts ?? []) this.#artifact(artifact, false, !isActive(task.status.state));
    // Some agents keep their answer in the history and nowhere else.
    if (!this.#said && !isActive(task.status.state) && task.status.message === undefined)
      repliesIn(task).forEach(message => this.#message(message));
    this.#status(task.id, task);
  }

  /** Departures from the protocol, such as an event that cannot be read. */
  findings(findings: readonly Finding[]): void {
    if (this.#values.raw) return;
    for (const { rule, pointer, message } of findings) this.tell(`${rule} ${pointer || '/'}: ${message}`);
  }

  /** A line on standard error; where both go to one place it does not stand in the middle of what the agent says. */
  tell(text: string): void {
    if (isShared() && this.#open) this.#print('\n');
    tell(text);
  }

  /** Nothing more comes in this line. */
  end(): void {
    endLines();
    this.#write('', true);
    if (this.#open) this.#print('\n');
  }

  #message({ parts }: Message): void {
    this.#write(this.#textOf(parts));
    this.#write('\n');
    this.#said = true;
  }

  #artifact({ artifactId, name, parts }: Artifact, append: boolean, last: boolean): void {
    const text = this.#textOf(parts);
    const isKnown = this.#artifacts.has(artifactId);
    const known = this.#artifacts.get(artifactId) ?? '';
    const whole = append ? known + text : text;
    this.#said = true;
    this.#artifacts.set(artifactId, whole.length > mostKept ? undefined : whole);
    this.#names.set(artifactId, this.#names.get(artifactId) ?? name);
    const first =
      append || whole.length > mostKept || !parts.every(part => 'text' in part && part.filename === undefined)
        ? undefined
        : this.#sameAs(artifactId, whole);
    if (first !== undefined) {
      // The finding is told once, and the text not again.
      if (!this.#retold.has(artifactId))
        this.tell(
          `STRM-10 /: Artifact ${JSON.stringify(artifactId)} has the same text as artifact ${JSON.stringify(first)} of the task: it is shown once.`,
        );
      this.#retold.add(artifactId);
      return;
    }
    if (this.#retold.delete(artifactId)) {
      // It goes on after all.
      this.end();
      this.#write(whole);
    } else if (append) this.#write(text);
    else if (isKnown && whole.startsWith(known)) this.#write(whole.slice(known.length));
    else {
      this.end();
      this.#write(whole);
    }
    // An empty artifact has a line, too, but only once.
    if (last && (this.#open || this.#held !== '' || !isKnown)) this.#write('\n');
  }

  /** The artifact whose text this is as well: one that was printed, under the same name or none. */
  #sameAs(artifactId: string, text: string): string | undefined {
    if (text.trim() === '') return undefined;
    const name = this.#names.get(artifactId);
    for (const [other, printed] of this.#artifacts) {
      if (other === artifactId) return undefined;
      if (printed?.length !== text.length || printed !== text || this.#retold.has(other)) continue;
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
    const facts = [`task ${oneLine(taskId)}`, contextId && `context ${oneLine(contextId)}`, taskStates[state].label, progressOf(metadata)]
      .filter(Boolean)
      .join(', ');
    if (!isActive(state)) this.end();
    this.tell(words ? `${facts}: ${words}` : facts);
  }

  /** Text and data; other parts are described instead. */
  #textOf(parts: readonly Part[]): string {
    return parts
      .map(part => {
        if ('text' in part) return part.text;
        if ('data' in part) return json(part.data);
        const words = described(part);
        if (!this.#described.has(words)) this.tell(words);
        this.#described.add(words);
        return '';
      })
      .join('');
  }

  /** What may be the beginning of a secret value waits for what comes next; `whole`: nothing comes. */
  #write(text: string, whole = text.endsWith('\n')): void {
    const all = this.#held + text;
    const ready = all.length - (whole ? 0 : secretValues.pendingIn(all));
    this.#held = all.slice(ready);
    if (ready === 0) return;
    const shown = secretValues.mask(all.slice(0, ready));
    const masked = whole ? withoutCutSecret(shown, secretValues) : shown;
    this.#print(printable(masked, this.#before));
    this.#before = masked.slice(-mostBefore);
  }

  #print(text: string): void {
    if (text === '') return;
    progressLine.clear();
    process.stdout.write(text);
    this.#open = !text.endsWith('\n');
    progressLine.hold(this.#open && process.stdout.isTTY);
  }
}

const progressOf = (metadata: Task['metadata']): string | undefined =>
  typeof metadata?.['progress'] === 'number' ? `${metadata['progress']} %` : undefined;

function described(part: Part): string {
  const where = 'url' in part ? part.url : 'raw' in part ? `${Buffer.byteLength(part.raw, 'base64')} bytes` : 'data';
  return oneLine(`[${[part.filename, part.mediaType, where].filter(Boolean).join(', ')}]`);
}
