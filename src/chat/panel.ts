import { batch, computed, signal } from '@preact/signals';
import type { Entry } from '../protocol/transcript.ts';
import { announcements } from './announcements.ts';
import { HostError } from './channel.ts';
import { Finder } from './find/finder.ts';
import { isChatSnapshot } from './envelope.ts';
import type { Host, KeptForms } from './host.ts';
import type { ChatState, DataFault, ExchangeFindings, LoadedFile, Reference, Referral, Requests, ShownForm, ShownVersion } from './messages.ts';
import { sameReference, withReference } from './references.ts';
import { rowFindings } from './rowFindings.ts';
import { rowsOf } from './rows.ts';
import { Scrollback } from './scrollback.ts';
import { setStrings, t } from './strings.ts';
import { placeOf, type Target, targetLine, type TaskPlace } from './target.ts';
import { type TaskMark, TaskMarks } from './taskMarks.ts';
import { Transcript } from './transcript.ts';
import type { Tab } from './wire/tabs.tsx';
import { WireLog } from './wire/wireLog.ts';
import { type Batch, UpdateQueue } from './updateQueue.ts';

/** Something the host answered that the person should read. */
export interface Failure {
  readonly message: string;
  readonly nextStep: string | undefined;
}

/** Entries on show while the reader follows the end; older ones are loaded again on the way up. */
const maxFollowed = 1500;

/** Forms whose unsent answers are kept. */
const maxForms = 5;

/** What the panel knows and what can be done in it. Components read the signals and call the methods. */
export class Panel {
  readonly transcript = new Transcript();
  readonly rows = computed(() => rowsOf(this.transcript.shapes.value, this.transcript.newer.value));
  readonly findings = signal<readonly ExchangeFindings[]>([]);
  /** The findings of each row that has some, by the row's key. */
  readonly marks = computed(() => rowFindings(this.rows.value, this.transcript.shapes.value, this.findings.value));
  readonly state = signal<ChatState | undefined>(undefined);
  readonly failure = signal<Failure | undefined>(undefined);
  readonly draft = signal('');
  readonly chosenTarget = signal<Target | undefined>(undefined);
  /** What the next message refers to. */
  readonly references = signal<readonly Reference[]>([]);
  /** Artifacts among their versions, by their entry. */
  readonly versions = computed(() => new Map(this.state.value?.artifacts.map(version => [version.seq, version])));
  readonly sending = signal(false);
  /** A message waits for the person to say what becomes of the extensions that the agent requires and that are off. */
  readonly extensionsAsked = signal(false);
  /** The extensions that the person sends without. */
  #sentWithout = '';
  /** Counts wishes for the keyboard focus in the composer. */
  readonly focusWanted = signal(0);
  /** Counts wishes to find words in the conversation. */
  readonly findWanted = signal(0);
  readonly tab = signal<Tab>('chat');
  readonly wire: WireLog;
  /** The exchange that is to be in sight. */
  readonly wireWanted = signal<string | undefined>(undefined);
  /** The row that is to be in sight, by its key. */
  readonly rowWanted = signal<number | undefined>(undefined);
  readonly scrollback: Scrollback;
  readonly finder: Finder;
  /** Sentences for screen readers, newest batch. */
  readonly spoken = signal<readonly string[]>([]);
  /** Counts batches that brought something, so that the transcript can tell the reader below of it. */
  readonly arrivals = signal(0);
  readonly target = computed(() => {
    const state = this.state.value;
    return state === undefined ? undefined : targetLine(state, this.chosenTarget.value, this.#question(state));
  });
  /** The entry that the reader is to be shown; a new object each time. */
  readonly revealed = signal<{ readonly seq: number } | undefined>(undefined);
  /** The reader is at the end and wants to stay there. */
  following = true;
  readonly #host: Host;
  readonly #marks = new TaskMarks();
  readonly #tasks = signal(0);
  readonly #queue: UpdateQueue;
  #context = '';
  #forms: KeptForms;

  constructor(host: Host, schedule: (run: () => void) => void) {
    this.#host = host;
    this.draft.value = host.keptDraft;
    this.references.value = host.keptReferences;
    this.#forms = host.keptForms;
    this.wire = new WireLog(host.channel, error => this.#fail(error));
    this.scrollback = new Scrollback(this.transcript, host.channel, entries => this.#markTasks([], entries), error => this.#fail(error));
    this.finder = new Finder(host.channel, error => this.#fail(error));
    this.#queue = new UpdateQueue(schedule, changes => this.#apply(changes));
    host.channel.on('updates', updates => this.#queue.updates(updates));
    host.channel.on('state', state => this.#queue.state(state));
    host.channel.on('reveal', ({ seq }) => void this.reveal(seq));
    host.channel.on('refer', references => this.refer(references));
    host.channel.on('findings', findings => { this.findings.value = findings; });
  }

  /** Asks for everything that is on show; also the way to try again. */
  async load(): Promise<void> {
    try {
      const snapshot: unknown = await this.#host.channel.request('ready', null);
      if (!isChatSnapshot(snapshot)) throw new HostError(t('The panel does not understand what the extension told it.'), undefined);
      this.#queue.clear();
      batch(() => {
        setStrings(snapshot.strings);
        this.#context = snapshot.context;
        this.transcript.load(snapshot.entries, snapshot.more);
        this.#markTasks(snapshot.state.tasks, snapshot.entries);
        this.state.value = snapshot.state;
        this.findings.value = snapshot.findings;
        this.failure.value = undefined;
      });
      this.#keep();
      if (snapshot.references.length > 0) this.refer(snapshot.references);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Shows an entry, wherever in the context it is. */
  async reveal(seq: number): Promise<void> {
    this.tab.value = 'chat';
    this.following = false;
    if (await this.scrollback.goTo(seq)) this.revealed.value = { seq };
  }

  /** Keeps the newest in sight from now on. */
  async follow(): Promise<void> {
    this.following = true;
    await this.scrollback.goToEnd();
  }

  /** Sends the draft where the target line says. What was typed stays until the host has taken it. */
  async send(): Promise<void> {
    const text = this.draft.peek();
    const line = this.target.peek();
    if (text.trim() === '' || line === undefined || this.sending.peek()) return;
    if (this.#missing() !== this.#sentWithout && this.#missing() !== '') {
      this.extensionsAsked.value = true;
      return;
    }
    this.extensionsAsked.value = false;
    this.sending.value = true;
    void this.follow();
    // The task on show, not whichever waits when the message arrives: another may have asked in the meantime.
    const { target, place } = line;
    const references = this.references.peek();
    const taken = await this.ask('send', {
      text, ...(typeof target === 'object' && { taskId: target.taskId }), ...(place === 'over' && { anyway: true }), ...(target === 'new-context' && { newContext: true }),
      ...(references.length > 0 && { references }),
    });
    batch(() => {
      this.sending.value = false;
      if (!taken) return;
      if (this.references.peek() === references) this.references.value = [];
      if (this.draft.peek() === text) this.write('');
      this.chosenTarget.value = undefined;
    });
    this.#keep();
  }

  /** Sends what waits, once the required extensions are on, or `anyway`; it is not asked again for the same ones then. */
  async sendWithExtensions(anyway: boolean): Promise<void> {
    if (!anyway && !await this.ask('turnOnExtensions', null)) return;
    this.#sentWithout = this.#missing();
    await this.send();
  }

  #missing(): string {
    return JSON.stringify(this.state.peek()?.extensions.missing ?? []).replace('[]', '');
  }

  /** Asks the host for something that has no result to show. False when it answered with an error, which is then on show. */
  async ask<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<boolean> {
    this.failure.value = undefined;
    try {
      await this.#host.channel.request(name, params);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Where the next message goes, until it is sent. */
  choose(target: Target): void {
    this.chosenTarget.value = target;
    this.focusWanted.value++;
  }

  /** The next message refers to these, too. */
  refer(referrals: readonly Referral[]): void {
    // A task that is over never changes: another version of what it made is a task of its own.
    if (referrals.some(({ refine }) => refine === true)) this.chosenTarget.value = 'new-task';
    this.references.value = referrals.map(({ taskId, artifactId }) => ({ taskId, ...(artifactId !== undefined && { artifactId }) })).reduce(withReference, this.references.peek());
    this.focusWanted.value++;
    this.#keep();
  }

  unrefer(reference: Reference): void {
    this.references.value = this.references.peek().filter(each => !sameReference(each, reference));
    this.focusWanted.value++;
    this.#keep();
  }

  /** The next message asks for another version of this one. */
  refine({ taskId, artifactId }: ShownVersion): void {
    this.refer([{ taskId, artifactId, refine: true }]);
  }

  /** The version of the same artifact to go on from, where it is not this one. */
  betterVersion({ seq }: ShownVersion): ShownVersion | undefined {
    const versions = this.state.peek()?.artifacts ?? [];
    const best = versions.find(each => each.latest === true && each.history === versions.find(own => own.seq === seq)?.history);
    return best?.seq === seq ? undefined : best;
  }

  /** The form of a status, or without `seq` of the agent's card; undefined where there is none. */
  async form(seq: number | undefined): Promise<ShownForm | undefined> {
    return await this.#answer('form', ofSeq(seq)) ?? undefined;
  }

  async checkForm(seq: number | undefined, data: unknown): Promise<readonly DataFault[]> {
    return await this.#answer('checkForm', { ...ofSeq(seq), data }) ?? [];
  }

  /** False where the host did not take it; the error is then on show. */
  async sendForm(seq: number | undefined, data: Readonly<Record<string, unknown>>, words: string): Promise<boolean> {
    if (this.sending.peek()) return false;
    this.sending.value = true;
    void this.follow();
    const taken = await this.ask('sendForm', { ...ofSeq(seq), data, ...(words.trim() === '' ? {} : { text: words }) });
    this.sending.value = false;
    return taken;
  }

  /** The seq of the person's newest message before an entry, in its task, where that asks for output of a schema. */
  askedSchemaOf(seq: number): number | undefined {
    const shapes = this.transcript.shapes.value;
    const taskId = shapes.find(shape => shape.seq === seq)?.taskId;
    const asked = shapes.findLast(shape => shape.seq < seq && shape.mine && (shape.taskId === undefined || shape.taskId === taskId));
    const entry = asked === undefined ? undefined : this.transcript.view(asked.seq)?.peek().entry;
    return entry?.kind === 'message' && entry.message.parts.some(({ metadata }) => metadata?.['schema'] !== undefined) ? entry.seq : undefined;
  }

  /** The file that a part refers to; undefined where it could not be had, which is then on show. */
  async loadPart(seq: number, part: number): Promise<LoadedFile | undefined> {
    this.failure.value = undefined;
    return this.#answer('loadPart', { seq, part });
  }

  /** Undefined where there is nothing to check against. */
  async checkOutput(seq: number, part: number, asked: number): Promise<readonly DataFault[] | undefined> {
    return await this.#answer('checkOutput', { seq, part, asked }) ?? undefined;
  }

  /** Shows an exchange among all that went over the wire. */
  async showOnWire(exchangeId: string): Promise<void> {
    this.tab.value = 'wire';
    if (await this.wire.find(exchangeId)) this.wireWanted.value = exchangeId;
  }

  /** True where an entry came with the exchange, as far as is known without those that are not on show. */
  mayHaveEntryOf(exchangeId: string): boolean {
    return this.transcript.more.value || this.transcript.newer.value || this.transcript.shapes.value.some(shape => shape.exchangeId === exchangeId);
  }

  /** Shows the first entry that the exchange carried or brought. */
  async showEntryOf(exchangeId: string): Promise<void> {
    const shown = this.transcript.shapes.peek().find(shape => shape.exchangeId === exchangeId)?.seq;
    const seq = shown ?? (await this.#answer('entryOf', { exchangeId }))?.seq;
    if (seq === undefined) this.#fail(new HostError(t('Nothing in the conversation came with this exchange.'), undefined));
    if (seq === undefined || !await this.scrollback.goTo(seq)) return;
    const row = this.rows.peek().find(({ seqs }) => seqs.includes(seq));
    this.following = false;
    batch(() => {
      this.tab.value = 'chat';
      this.rowWanted.value = row?.key;
    });
  }

  /** What was typed into a form and is not sent yet. */
  keptForm(key: string): KeptForms[string] | undefined {
    return Object.hasOwn(this.#forms, key) ? this.#forms[key] : undefined;
  }

  keepForm(key: string, typed: KeptForms[string] | undefined): void {
    const others = Object.entries(this.#forms).filter(([name]) => name !== key).slice(1 - maxForms);
    this.#forms = Object.fromEntries(typed === undefined ? others : [...others, [key, typed]]);
    this.#keep();
  }

  /** What the host answers; undefined where that was an error, which is then on show. */
  async #answer<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<Requests[Name]['result'] | undefined> {
    try {
      return await this.#host.channel.request(name, params);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /** Puts a prompt into the composer for the person to read, change and send. */
  prefill(text: string): void {
    this.write(text);
    this.focusWanted.value++;
  }

  write(draft: string): void {
    this.draft.value = draft;
    this.#keep();
  }

  async copy(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      this.#fail(new HostError(t('Nothing was copied: {0}', error instanceof Error ? error.message : String(error)), undefined));
      return false;
    }
  }

  /** The mark of a task, or undefined while the context has only one. */
  mark(taskId: string | undefined): TaskMark | undefined {
    return taskId === undefined || this.#tasks.value < 2 ? undefined : this.#marks.get(taskId);
  }

  #markTasks(tasks: ChatState['tasks'], entries: readonly Entry[]): void {
    this.#marks.add([...tasks.toSorted((a, b) => a.createdAt - b.createdAt), ...entries].map(({ taskId }) => taskId));
    this.#tasks.value = this.#marks.size;
  }

  #apply({ updates, state }: Batch): void {
    batch(() => {
      const sentences = announcements(updates, (state ?? this.state.peek())?.agent ?? '', seq => this.transcript.view(seq)?.peek().entry);
      this.transcript.apply(updates);
      if (this.following) this.transcript.trim(maxFollowed);
      this.#markTasks(state?.tasks ?? [], updates.flatMap(update => update.type === 'put' ? [update.entry] : []));
      if (state !== undefined) {
        if (this.#choiceIsStale(state)) this.chosenTarget.value = undefined;
        this.state.value = state;
      }
      if (updates.length > 0) this.arrivals.value++;
      if (sentences.length > 0) this.spoken.value = sentences;
    });
  }

  /** A task was chosen for what it did, or it was chosen against another one: where that changes the choice is no longer the person's. */
  #choiceIsStale(next: ChatState): boolean {
    const chosen = this.chosenTarget.peek();
    const before = this.state.peek();
    if (before === undefined || chosen === undefined) return false;
    if (typeof chosen === 'object') {
      const placeIn = ({ tasks }: ChatState): TaskPlace | undefined => tasks.filter(({ taskId }) => taskId === chosen.taskId).map(({ state }) => placeOf(state))[0];
      return placeIn(before) !== placeIn(next);
    }
    return next.waitingTaskId !== before.waitingTaskId && this.references.peek().length === 0;
  }

  /** The words with which the waiting task asks, on one line. */
  #question(state: ChatState): string {
    const { waitingTaskId } = state;
    if (waitingTaskId === undefined) return '';
    const asked = this.transcript.shapes.value.findLast(({ kind, taskId }) => kind === 'status' && taskId === waitingTaskId);
    const entry = asked === undefined ? undefined : this.transcript.view(asked.seq)?.value.entry;
    const parts = entry?.kind === 'status' ? entry.message?.parts ?? [] : [];
    const words = parts.map(part => ('text' in part ? part.text : '')).join(' ').replace(/\s+/g, ' ').trim();
    const question = words === '' ? state.tasks.find(({ taskId }) => taskId === waitingTaskId)?.title ?? '' : words;
    return question.length > 120 ? `${question.slice(0, 119)}…` : question;
  }

  #keep(): void {
    if (this.#context !== '') {
      const forms = Object.keys(this.#forms).length === 0 ? {} : { forms: this.#forms };
      this.#host.keep({ context: this.#context, draft: this.draft.peek(), references: this.references.peek(), ...forms });
    }
  }

  #fail(error: unknown): void {
    if (!(error instanceof HostError)) throw error;
    this.failure.value = { message: error.message, nextStep: error.nextStep };
  }
}

const ofSeq = (seq: number | undefined): { readonly seq?: number } => (seq === undefined ? {} : { seq });
