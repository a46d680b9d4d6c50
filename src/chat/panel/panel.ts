import { batch, computed, signal } from '@preact/signals';
import { announcements, type StatusTextsByTask } from '../text/announcements.ts';
import { HostError } from '../host/channel.ts';
import { Connections } from './connections.ts';
import { Composition } from '../draft/composition.ts';
import { Finder } from './finder.ts';
import { Forms } from './forms.ts';
import type { Schedule } from '../transcript/frames.ts';
import type { Host } from '../host/host.ts';
import { HostRequests } from '../host/hostRequests.ts';
import type { LoadedFile, Requests } from '../host/messages.ts';
import type { ChatState, ExchangeFindings, ShownVersion } from '../host/chatState.ts';
import { deviantTurns, rowFindings } from '../transcript/rowFindings.ts';
import { reuseRows, type Row, rowsOf } from '../transcript/rows.ts';
import { RowTexts } from '../transcript/rowTexts.ts';
import { Replayer } from './replayer.ts';
import { Scrollback } from '../transcript/scrollback.ts';
import { setStrings, t } from '../text/strings.ts';
import { type NewestTasks, type NumberedTask, type TaskMark, TaskMarks } from '../transcript/taskMarks.ts';
import { ContextTasks } from './contextTasks.ts';
import { Transcript } from '../transcript/transcript.ts';
import type { Tab } from '../host/tab.ts';
import { WireLog } from './wireLog.ts';
import { type Batch, UpdateQueue } from '../transcript/updateQueue.ts';

/** Entries on show while the reader follows the end; older ones are loaded again on the way up. */
const maxFollowed = 1500;
/** Statuses of one text that stay on show together. */
const maxRun = 10_000;

/** State and actions of the panel. Components read the signals and call the methods. */
export class Panel {
  readonly transcript = new Transcript();
  #rows: readonly Row[] = [];
  readonly rows = computed(() => (this.#rows = reuseRows(rowsOf(this.transcript.shapes.value, this.transcript.newer.value), this.#rows)));
  readonly texts = new RowTexts(this.transcript, this.rows);
  readonly findings = signal<readonly ExchangeFindings[]>([]);
  /** The findings of each row that has some, by the row's key. */
  readonly marks = computed(() => rowFindings(this.rows.value, this.transcript.shapes.value, this.findings.value));
  /** Keys of the rows whose turn has findings. */
  readonly deviant = computed(() => deviantTurns(this.rows.value, this.marks.value));
  readonly state = signal<ChatState | undefined>(undefined);
  readonly connections = new Connections(this.state);
  readonly host: HostRequests;
  /** The next message. */
  readonly composer: Composition;
  /** Artifacts among their versions, by their entry. */
  readonly versions = computed(() => new Map(this.state.value?.artifacts.map(version => [version.seq, version])));
  /** Counts wishes to find words in the conversation. */
  readonly findWanted = signal(0);
  readonly tab = signal<Tab>('chat');
  /** The task whose timeline is shown though nothing is under way. */
  readonly timelineOf = signal<string | undefined>(undefined);
  readonly wire: WireLog;
  readonly tasks: ContextTasks;
  readonly forms: Forms;
  /** The row that is to be in sight, by its key. */
  readonly rowWanted = signal<number | undefined>(undefined);
  readonly scrollback: Scrollback;
  readonly finder: Finder;
  /** Steps through a stream that is over. */
  readonly replay: Replayer;
  /** Sentences for screen readers, newest batch. */
  readonly announced = signal<readonly string[]>([]);
  /** Counts batches with updates, so that the transcript can notify a reader who has scrolled up. */
  readonly arrivals = signal(0);
  /** The entry that the reader is to be shown; a new object each time. */
  readonly revealed = signal<{ readonly seq: number } | undefined>(undefined);
  /** The reader is at the end and wants to stay there. */
  following = true;
  readonly #keeper: Host;
  readonly #statusTexts: StatusTextsByTask = new Map();
  readonly #marks = new TaskMarks();
  /** A mark once given stays, so rows need to know only when there is more than one task. */
  readonly #severalTasks = signal(false);
  readonly #queue: UpdateQueue;
  #context = '';

  constructor(host: Host, schedule: Schedule) {
    this.#keeper = host;
    this.host = new HostRequests(host.channel);
    this.composer = new Composition({
      state: this.state,
      transcript: this.transcript,
      host: this.host,
      keep: () => this.#keep(),
      onSend: () => void this.replay.close().then(() => this.follow()),
    });
    this.forms = new Forms({
      host: this.host,
      whileSending: async send => {
        this.host.failure.value = undefined;
        const options = this.composer.how.peek();
        const sent = await this.composer.whileSending(
          () => send(options),
          () => this.composer.used(options),
        );
        // The person may be elsewhere by now, and keeps the focus there.
        if (sent && document.hasFocus()) this.composer.focusWanted.value++;
        return sent;
      },
      keep: () => this.#keep(),
    });
    this.wire = new WireLog(this.host);
    this.scrollback = new Scrollback(this.transcript, this.host, entries => this.#marks.add(entries));
    this.replay = new Replayer({
      host: this.host,
      transcript: this.transcript,
      timesOf: id => this.wire.times(id),
      leave: () => {
        // Anything may have come meanwhile: the end is read anew.
        this.transcript.load([], true, true);
        return this.follow();
      },
    });
    this.finder = new Finder(host.channel, this.host.fail);
    this.tasks = new ContextTasks(this.host, read => this.#markTasks(read, []));
    this.#queue = new UpdateQueue(schedule, changes => this.#apply(changes));
    host.channel.on('updates', updates => this.#queue.updates(updates));
    host.channel.on('state', state => this.#queue.state(state));
    host.channel.on('showExchange', ({ exchangeId }) => void this.showOnWire(exchangeId));
    host.channel.on('reveal', ({ seq }) => void this.reveal(seq));
    host.channel.on('refer', references => this.composer.target.refer(references));
    host.channel.on('attached', parts => this.composer.parts.attach(parts));
    host.channel.on('findings', findings => {
      this.findings.value = findings;
    });
  }

  /** Asks for everything that is on show; also the way to try again. */
  async load(): Promise<void> {
    const snapshot = await this.host.answer('ready', this.#keeper.kept);
    if (snapshot === undefined) return;
    this.#queue.clear();
    batch(() => {
      setStrings(snapshot.strings);
      this.#context = snapshot.context;
      this.forms.restore(snapshot.forms ?? {});
      this.transcript.load(snapshot.entries, snapshot.more);
      this.#markTasks(snapshot.state, snapshot.entries);
      this.state.value = snapshot.state;
      this.findings.value = snapshot.findings;
      this.host.failure.value = undefined;
    });
    this.composer.adopt(snapshot.draft);
    this.#keep();
    if (snapshot.attached !== undefined) this.composer.parts.attach(snapshot.attached);
    if (snapshot.references.length > 0) this.composer.target.refer(snapshot.references);
  }

  /** Shows an entry, wherever in the context it is. */
  async reveal(seq: number): Promise<void> {
    this.tab.value = 'chat';
    await this.replay.close();
    this.following = false;
    if (await this.scrollback.goTo(seq)) this.revealed.value = { seq };
  }

  /** Keeps the newest in sight from now on. */
  async follow(): Promise<void> {
    this.following = true;
    await this.scrollback.goToEnd();
  }

  /** See `HostRequests.ask`. */
  ask<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<boolean> {
    return this.host.ask(name, params);
  }

  /** The version of the same artifact to go on from, where it is not this one. */
  betterVersion({ seq }: ShownVersion): ShownVersion | undefined {
    const versions = this.state.peek()?.artifacts ?? [];
    const best = versions.find(each => each.latest === true && each.history === versions.find(own => own.seq === seq)?.history);
    return best?.seq === seq ? undefined : best;
  }

  /** True for a message of the person's. */
  isMine(seq: number): boolean {
    const entry = this.transcript.view(seq)?.value.entry;
    return entry?.kind === 'message' && entry.message.role === 'ROLE_USER';
  }

  /** Pointers into the data of the person's message that are not to be shown; undefined where the host answered with an error. */
  secretsOf(seq: number): Promise<readonly string[] | undefined> {
    return this.host.answer('secrets', { seq });
  }

  /** The file that a part refers to; undefined where it could not be had, which is then on show. */
  async loadPart(seq: number, part: number): Promise<LoadedFile | undefined> {
    this.host.failure.value = undefined;
    return this.host.answer('loadPart', { seq, part });
  }

  /** Shows an exchange among all that went over the wire; with `at` the event that came at that time, milliseconds since the epoch. */
  async showOnWire(exchangeId: string, at?: number): Promise<void> {
    this.tab.value = 'wire';
    if (await this.wire.find(exchangeId)) this.wire.wanted.value = { exchangeId, at };
  }

  /** True where an entry came with the exchange, as far as is known without those that are not on show. */
  mayHaveEntryOf(exchangeId: string): boolean {
    return (
      this.transcript.more.value ||
      this.transcript.newer.value ||
      this.transcript.shapes.value.some(shape => shape.exchangeId === exchangeId)
    );
  }

  /** Shows the first entry that the exchange carried or brought, or the one that this event of it is about. */
  async showEntryOf(exchangeId: string, event?: number): Promise<void> {
    const shown = event === undefined ? this.transcript.shapes.peek().find(shape => shape.exchangeId === exchangeId)?.seq : undefined;
    const seq = shown ?? (await this.host.answer('entryOf', event === undefined ? { exchangeId } : { exchangeId, event }))?.seq;
    if (seq === undefined) this.host.fail(new HostError(t('Nothing in the conversation belongs to this exchange.'), undefined));
    await this.replay.close();
    if (seq === undefined || !(await this.scrollback.goTo(seq))) return;
    const row = this.texts.rowWith(seq);
    this.following = false;
    batch(() => {
      this.tab.value = 'chat';
      this.rowWanted.value = row?.key;
    });
  }

  async copy(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      this.host.fail(new HostError(t('Could not copy: {0}', error instanceof Error ? error.message : String(error)), undefined));
      return false;
    }
  }

  /** The mark of a task, or undefined while the context has only one. */
  mark(taskId: string | undefined): TaskMark | undefined {
    return taskId === undefined || !this.#severalTasks.value ? undefined : this.#marks.get(taskId);
  }

  #markTasks(newest: NewestTasks, entries: readonly NumberedTask[]): void {
    this.#marks.addNewest(newest);
    this.#marks.add(entries);
    this.#severalTasks.value = this.#marks.size > 1;
  }

  #apply({ updates, state }: Batch): void {
    batch(() => {
      const sentences = announcements(
        updates,
        (state ?? this.state.peek())?.agent ?? '',
        seq => this.transcript.view(seq)?.peek().entry,
        this.#statusTexts,
      );
      // What comes while a stream is stepped through is read when that is over.
      if (this.replay.state.peek() === undefined) this.transcript.apply(updates);
      if (this.following) this.transcript.trim(maxFollowed, maxRun);
      const entries = updates.flatMap(update => (update.type === 'put' ? [update.entry] : []));
      this.#markTasks(state ?? { tasks: [], taskCount: 0 }, entries);
      if (state !== undefined) {
        this.composer.target.onState(state);
        this.state.value = state;
      }
      if (updates.length > 0) this.arrivals.value++;
      if (sentences.length > 0) this.announced.value = sentences;
    });
  }

  #keep(): void {
    if (this.#context === '') return;
    const forms = this.forms.contents;
    this.#keeper.keep({ context: this.#context, draft: this.composer.kept, ...(Object.keys(forms).length > 0 && { forms }) });
  }
}
