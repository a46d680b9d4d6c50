import * as vscode from 'vscode';
import { refusal } from '../../assistant/refusal.ts';
import type { Action, Consent, Recipient } from '../../assistant/world.ts';
import { sentence, type LocalizedMessage, type Problem } from '../../protocol/problem.ts';
import { translatedList } from '../platform/report.ts';
import { escapeIcons, escapeLinks, truncated } from '../platform/untrustedText.ts';

/** Workspace state: what the person allowed for good; of an extension, with a colon and its id. */
const stateKey = 'assistant.access';

/** Longest payload in a question, in UTF-16 code units, and most of its lines. */
const maxPayload = 800;
const maxLines = 20;
/** Most permissions that are kept, and most names in a question. */
const maxKept = 500;
const maxNames = 5;

interface Permission extends Recipient {
  readonly kind: Action['kind'];
}

interface Access {
  readonly read?: boolean;
  readonly acts?: readonly Permission[];
}

interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** Asks the person in a dialog; undefined where they cancel, and in tests, where VS Code shows no dialog. */
async function ask({ message, detail, buttons }: Question): Promise<string | undefined> {
  try {
    return await vscode.window.showWarningMessage(escapeLinks(message), { modal: true, detail }, ...buttons);
  } catch {
    return undefined;
  }
}

/** Ids of the extensions for which something is or was allowed. */
export const extensionsWithAccess = (state: vscode.Memento): readonly string[] =>
  state.keys().flatMap(key => (key.startsWith(`${stateKey}:`) ? [key.slice(stateKey.length + 1)] : []));

/** Throws a `Problem` in Restricted Mode. */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw refusal(
    sentence('Tools read and send nothing in Restricted Mode.'),
    sentence('The person trusts the workspace with "Workspaces: Manage Workspace Trust".'),
  );
}

/**
 * The person's consent to what language model tools, or one other extension, do. It is asked for here, whatever VS Code has asked or
 * remembers, and kept for this workspace: reading as a whole, everything else for each agent with its origin.
 */
export class ToolConsent implements Consent {
  readonly #state: vscode.Memento;
  /** Id of the extension; undefined for language models. */
  readonly #extension: string | undefined;
  readonly #key: string;
  /** Numbers of the last reading of each agent's words, and of the last action at each recipient. */
  readonly #read = new Map<string, number>();
  readonly #acted = new Map<string, number>();
  #count = 0;
  /** Questions come one at a time: what the person remembers with one may answer the next. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(state: vscode.Memento, extension?: string) {
    this.#state = state;
    this.#extension = extension;
    this.#key = extension === undefined ? stateKey : `${stateKey}:${extension}`;
  }

  mayRead(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.mayStillRead) return;
      const allow = vscode.l10n.t('Allow in This Workspace');
      const choice = await ask({ ...readQuestion(this.#extension), buttons: [allow] });
      if (choice !== allow) throw refused(sentence('The person has not allowed tools to read in this workspace.'));
      await this.#state.update(this.#key, { ...this.#access, read: true } satisfies Access);
    });
  }

  /** True if reading is allowed for good. */
  get mayStillRead(): boolean {
    return this.#access.read === true;
  }

  mayAct(action: Action): Promise<void> {
    return this.#inTurn(async () => {
      const { kind, agents, isOpen = false } = action;
      const others = this.#readSince(agents);
      const { acts = [] } = this.#access;
      const isKept = !isOpen && agents.length > 0 && agents.every(agent => acts.some(kept => isSame(kept, { kind, ...agent })));
      if (!isKept || others.length > 0) {
        const [once, always] = buttonsOf(kind);
        const choice = await ask({
          message: this.#extension === undefined ? questionOf(action) : extensionQuestionOf(action, this.#extension),
          detail: [...(this.#extension === undefined ? [] : [unconfirmed(), '']), detailOf(action, others)].join('\n'),
          buttons: isOpen || agents.length === 0 ? [once] : [once, always],
        });
        if (choice === undefined) throw refused(sentence('The person has not allowed this.'));
        if (choice === always) await this.#keep(agents.map(agent => ({ kind, ...agent })));
      }
      for (const agent of agents) this.#acted.set(keyOf(agent), ++this.#count);
    });
  }

  hasRead(agents: ReadonlySet<string>): void {
    for (const agent of agents) this.#read.set(agent, ++this.#count);
  }

  /** Permissions that are kept, each with a way to forget it. */
  get kept(): readonly { readonly label: string; readonly description: string; readonly forget: () => Thenable<void> }[] {
    const { read, acts = [] } = this.#access;
    const whose = this.#extension === undefined ? '' : vscode.l10n.t('{0}: {1}', this.#extension, '');
    return [
      ...(read === true
        ? [
            {
              label: `${whose}${vscode.l10n.t('Read cards and history')}`,
              description: vscode.l10n.t("of this workspace's agents"),
              forget: () => this.#state.update(this.#key, { ...this.#access, read: false } satisfies Access),
            },
          ]
        : []),
      ...acts.map(kept => ({
        label: `${whose}${vscode.l10n.t('{0}: {1}', keptWords()[kept.kind], escapeIcons(kept.name))}`,
        description: kept.origin,
        forget: () =>
          this.#state.update(this.#key, {
            ...this.#access,
            acts: (this.#access.acts ?? []).filter(each => !isSame(each, kept)),
          } satisfies Access),
      })),
    ];
  }

  get #access(): Access {
    return this.#state.get<Access>(this.#key, {});
  }

  async #keep(more: readonly Permission[]): Promise<void> {
    const acts = (this.#access.acts ?? []).filter(kept => !more.some(each => isSame(kept, each)));
    await this.#state.update(this.#key, { ...this.#access, acts: [...acts, ...more].slice(-maxKept) } satisfies Access);
  }

  /** Other agents whose words came since something was last done at one of these: they may be why the model does it. */
  #readSince(agents: readonly Recipient[]): readonly string[] {
    const last = Math.min(...agents.map(agent => this.#acted.get(keyOf(agent)) ?? 0));
    return [...this.#read].flatMap(([name, at]) => (at > last && !agents.some(agent => agent.name === name) ? [name] : []));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(() => {
      requireTrust();
      return work();
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const refused = (what: LocalizedMessage): Problem =>
  refusal(
    what,
    sentence('Call the tool again only if the person wants that: they are asked again. "A2A: Manage Tool Access…" shows what is allowed.'),
  );

const isSame = (one: Permission, other: Permission): boolean =>
  one.kind === other.kind && one.name === other.name && one.origin === other.origin;

const keyOf = ({ name, origin }: Recipient): string => JSON.stringify([name, origin]);

const buttonsOf = (kind: Action['kind']): readonly [once: string, always: string] =>
  kind === 'send'
    ? [vscode.l10n.t('Send'), vscode.l10n.t('Always Send to This Agent')]
    : [vscode.l10n.t('Allow'), vscode.l10n.t('Always Allow for This Agent')];

const readQuestion = (extension: string | undefined): Omit<Question, 'buttons'> =>
  extension === undefined
    ? {
        message: vscode.l10n.t('Let language model tools read about the agents of this workspace?'),
        detail: vscode.l10n.t(
          "They read agent cards, and conversations and exchanges in the history, of this workspace's agents alone. What they read goes to the provider of the model. Credentials are masked.",
        ),
      }
    : {
        message: vscode.l10n.t('Let the extension {0} read about the agents of this workspace?', extension),
        detail: [
          unconfirmed(),
          vscode.l10n.t(
            "It gets the names and addresses of this workspace's agents, and the states of their tasks. Credentials are masked.",
          ),
        ].join('\n'),
      };

/** A remark that an extension gives its id itself. */
const unconfirmed = (): string => vscode.l10n.t('The extension gives its name itself: VS Code does not confirm it.');

/** Extensions only send. */
const extensionQuestionOf = ({ agents }: Action, extension: string): string =>
  vscode.l10n.t('Let the extension {0} send this message to {1}?', extension, namesIn(agents.map(({ name }) => name)));

function questionOf({ kind, agents }: Action): string {
  const names = namesIn(agents.map(({ name }) => name));
  switch (kind) {
    case 'send':
      return vscode.l10n.t('Let a language model send this message to {0}?', names);
    case 'cancel':
      return vscode.l10n.t('Let a language model cancel this task of {0}?', names);
    case 'check':
      return vscode.l10n.t('Let a language model check the conformance of {0}, with requests that start no work?', names);
    case 'run':
      return vscode.l10n.t('Let a language model send these requests?');
  }
}

const keptWords = (): Readonly<Record<Action['kind'], string>> => ({
  send: vscode.l10n.t('Send messages'),
  cancel: vscode.l10n.t('Cancel tasks'),
  check: vscode.l10n.t('Check conformance'),
  run: vscode.l10n.t('Run request files'),
});

function detailOf({ agents, payload, isOpen = false }: Action, others: readonly string[]): string {
  const lines = payload.split('\n');
  const shown = truncated(lines.slice(0, maxLines).join('\n'), maxPayload);
  const left = payload.length - shown.length;
  return [
    ...agents
      .map(({ name, origin }) => (agents.length > 1 ? vscode.l10n.t('{0}: {1}', escapeIcons(name), origin) : origin))
      .slice(0, maxLines),
    ...(isOpen ? [vscode.l10n.t('Other agents that the requests are sent to are known only while they run.')] : []),
    '',
    ...shown.split('\n').map(escapeIcons),
    ...(left > 0 ? [vscode.l10n.t('{0} more characters', left)] : []),
    ...(others.length === 0
      ? []
      : [
          '',
          vscode.l10n.t(
            'It has read text of {0} since, which may be the reason. Look at what it sends before you allow it.',
            namesIn(others),
          ),
        ]),
  ].join('\n');
}

const namesIn = (names: readonly string[]): string =>
  translatedList([...names.slice(0, maxNames).map(name => `“${escapeIcons(name)}”`), ...(names.length > maxNames ? ['…'] : [])]);
