import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Draft, DraftContent, SendingOptions } from '../host/draft.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import type { Requests } from '../host/messages.ts';
import type { ChatState } from '../host/chatState.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { Attachments } from './attachments.ts';
import { DraftParts } from './draftParts.ts';
import { DraftTarget } from './draftTarget.ts';
import { InputHistory } from './inputHistory.ts';
import { OpenEditor } from './openEditor.ts';

interface CompositionNeeds {
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly transcript: Transcript;
  readonly host: HostRequests;
  /** Called when the state to be kept for the next page has changed. */
  readonly keep: () => void;
  /** Something is about to be sent. */
  readonly onSend: () => void;
}

/** Milliseconds after the last change until the host keeps it. */
const pause = 300;

/** The next message: content, target and references. */
export class Composition {
  readonly draft = signal('');
  readonly parts: DraftParts;
  readonly metadata = signal('');
  /** Media types that the answer may have. */
  readonly outputModes = signal<readonly string[]>([]);
  /** Options for sending; empty where the agent's card decides. */
  readonly how = signal<SendingOptions>({});
  readonly target: DraftTarget;
  readonly editor: OpenEditor;
  readonly sending = signal(false);
  /** The text of the message that is being sent. */
  #onItsWay: string | undefined;
  /** Enter was pressed meanwhile, for another text. */
  #sendNext = false;
  /** A message waits for the person to say what becomes of the extensions that the agent requires and that are off. */
  readonly extensionsAsked = signal(false);
  /** Counts wishes for the keyboard focus in the text box. */
  readonly focusWanted = signal(0);
  readonly attachments: Attachments;
  /** There is something to send, and nothing of it is still on its way here. */
  readonly ready = computed(
    () => (this.draft.value.trim() !== '' || this.parts.order.value.parts.length > 0) && this.attachments.uploads.value.length === 0,
  );
  readonly #needs: CompositionNeeds;
  readonly #trail = new InputHistory();
  #version = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The extensions that the person sends without. */
  #sentWithout = '';

  constructor(needs: CompositionNeeds) {
    this.#needs = needs;
    const focusText = (): void => {
      this.focusWanted.value++;
    };
    const changed = (): void => this.#changed();
    this.parts = new DraftParts({ host: needs.host, changed, focusText });
    this.target = new DraftTarget({ state: needs.state, transcript: needs.transcript, changed, focusText });
    this.editor = new OpenEditor(focusText);
    this.attachments = new Attachments({
      host: needs.host,
      onFile: file => this.parts.attach([file]),
      attachedBytes: () => this.parts.bytes,
    });
  }

  /** Everything that is kept of it. */
  get kept(): Draft {
    const target = this.target.chosen.peek();
    const { waiting } = this.#trail;
    return {
      version: this.#version,
      ...this.#content(),
      outputModes: this.outputModes.peek(),
      ...(Object.keys(this.how.peek()).length > 0 && { sending: this.how.peek() }),
      ...(target !== undefined && { target }),
      ...(waiting !== undefined && { waiting }),
    };
  }

  /** Shows the draft that was kept, where it is newer than the one on show; the host then gets the one that counts. */
  adopt(draft: Draft | undefined): void {
    if (draft !== undefined && draft.version > this.#version) {
      this.#version = draft.version;
      this.#show(draft);
      this.#needs.keep();
    }
    if (this.#version > 0) this.#store();
  }

  /** Sends the draft to the target of the target line, after the message that is being sent. What was typed stays until the host has taken it. */
  async send(): Promise<void> {
    const text = this.draft.peek();
    const line = this.target.line.peek();
    if (!this.ready.peek() || line === undefined) return;
    if (this.sending.peek()) {
      this.#sendNext = text !== this.#onItsWay;
      return;
    }
    if (!(await this.editor.take())) return;
    if (this.#missing() !== this.#sentWithout && this.#missing() !== '') {
      this.extensionsAsked.value = true;
      return;
    }
    this.extensionsAsked.value = false;
    // The task on show, not whichever waits when the message arrives: another may have asked in the meantime.
    const { target, place } = line;
    const order = this.parts.order.peek();
    const metadata = this.metadata.peek();
    const [outputModes, how] = [this.outputModes.peek(), this.how.peek()];
    const references = this.target.references.peek();
    this.#onItsWay = text;
    await this.whileSending(
      () =>
        this.#needs.host.ask('send', {
          text,
          ...(typeof target === 'object' && { taskId: target.taskId }),
          ...(place === 'over' && { anyway: true }),
          ...(target === 'new-context' && { newContext: true }),
          ...(references.length > 0 && { references }),
          ...(order.parts.length > 0 && order),
          ...(metadata.trim() !== '' && { metadata }),
          ...(outputModes.length > 0 && { outputModes }),
          ...(Object.keys(how).length > 0 && { sending: how }),
        }),
      () =>
        batch(() => {
          // A draft that waited while an earlier message was written anew is there again.
          const before = this.#trail.end();
          const written = this.draft.peek();
          if (written === text) this.draft.value = before?.text ?? '';
          // Typed on while it was on its way.
          else if (written.startsWith(text)) this.draft.value = written.slice(text.length);
          if (this.parts.order.peek() === order) this.parts.order.value = { parts: before?.parts ?? [], textAt: before?.textAt ?? 0 };
          if (this.metadata.peek() === metadata) this.metadata.value = before?.metadata ?? '';
          if (this.target.references.peek() === references) this.target.references.value = before?.references ?? [];
          this.used(how);
          this.target.chosen.value = undefined;
          this.#changed();
        }),
    );
  }

  /** Something was sent with these options: they are gone if they were for it alone. */
  used(options: SendingOptions): void {
    if (options.once === true && this.how.peek() === options) this.change(this.how, {});
  }

  /** Sends something and, where the host took it, what Enter was pressed for meanwhile. False where it was not taken, or while something is being sent. */
  async whileSending(send: () => Promise<boolean>, onTaken?: () => void): Promise<boolean> {
    if (this.sending.peek()) return false;
    this.sending.value = true;
    this.#sendNext = false;
    this.#needs.onSend();
    const taken = await send();
    this.sending.value = false;
    this.#onItsWay = undefined;
    if (!taken) return false;
    onTaken?.();
    if (this.#sendNext) await this.send();
    return true;
  }

  /** Sends what waits, once the required extensions are on, or `anyway`; it is not asked again for the same ones then. */
  async sendWithExtensions(anyway: boolean): Promise<void> {
    if (!anyway && !(await this.#needs.host.ask('turnOnExtensions', null))) return;
    this.#sentWithout = this.#missing();
    await this.send();
  }

  #missing(): string {
    return JSON.stringify(this.#needs.state.peek()?.extensions.missing ?? []).replace('[]', '');
  }

  /** Reason why the agent is not likely to accept a part of this media type; undefined where there is none. */
  async checkMode(mediaType: string): Promise<string | undefined> {
    return (await this.#needs.host.answer('checkMode', { mediaType })) ?? undefined;
  }

  /** Changes a setting of the message, which is kept. */
  change<Value>(setting: Signal<Value>, value: Value): void {
    setting.value = value;
    this.#changed();
  }

  /** Shows the person's message before the one on show; the draft waits. False where there is none. */
  async recallOlder(): Promise<boolean> {
    const known = this.#trail.older(this.#content());
    if (known !== undefined) return this.#recalled(known);
    const before = this.#trail.seq;
    return this.#recall(before === undefined ? {} : { before });
  }

  /** Shows the message after the one on show, at last the draft again. */
  recallNewer(): boolean {
    const next = this.#trail.newer(this.#content());
    return next !== undefined && this.#recalled(next);
  }

  get recalling(): boolean {
    return this.#trail.away;
  }

  /** Puts a message of the person's into the composer, for a new one; the draft waits. */
  async writeAnew(seq: number): Promise<void> {
    if (await this.#recall({ seq })) this.focusWanted.value++;
  }

  async #recall(wanted: Requests['recall']['params']): Promise<boolean> {
    const found = await this.#needs.host.answer('recall', wanted);
    return !!found && this.#recalled(this.#trail.goTo(this.#content(), found));
  }

  #recalled(content: DraftContent): boolean {
    this.#showContent(content);
    this.#changed();
    return true;
  }

  /** Puts a prompt into the composer for the person to read, change and send. */
  prefill(text: string): void {
    this.write(text);
    this.focusWanted.value++;
  }

  write(draft: string): void {
    this.draft.value = draft;
    this.#changed();
  }

  #content(): DraftContent {
    return {
      text: this.draft.peek(),
      ...this.parts.order.peek(),
      references: this.target.references.peek(),
      metadata: this.metadata.peek(),
    };
  }

  #show(draft: Draft): void {
    this.#showContent(draft);
    this.#trail.restore(draft.waiting);
    this.outputModes.value = draft.outputModes;
    this.how.value = draft.sending ?? {};
    this.target.chosen.value = draft.target;
  }

  #showContent({ text, parts, textAt, references, metadata }: DraftContent): void {
    batch(() => {
      this.draft.value = text;
      this.parts.order.value = { parts, textAt };
      this.target.references.value = references;
      this.metadata.value = metadata;
    });
  }

  #changed(): void {
    this.#version++;
    this.#needs.keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#store(), pause);
  }

  #store(): void {
    void this.#needs.host.answer('keepDraft', this.kept);
  }
}
