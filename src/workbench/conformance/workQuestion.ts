import * as vscode from 'vscode';
import type { CheckedAgent } from '../../conformance/checkedAgent.ts';
import type { Agent } from '../../model/agents/agent.ts';
import { CheckPrompts } from '../../request/file/checkPrompts.ts';
import { isConfigured, setCheckPrompts } from '../platform/settings.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import { translatedList } from '../platform/report.ts';

export interface WorkAnswer {
  readonly allowWork: boolean;
  /** Set to cut streams as well. */
  readonly resume?: true;
  readonly prompts: CheckPrompts;
}

type Made = keyof CheckPrompts;

/** Descriptions of the prompts, by their effect on the agent. */
const wanted = (): Readonly<Record<Made, string>> => ({
  task: vscode.l10n.t('A message whose task ends by itself soon'),
  'long-task': vscode.l10n.t('A message whose task takes several seconds'),
  'input-required': vscode.l10n.t('A message that makes the agent ask for input'),
  'auth-required': vscode.l10n.t('A message that makes the agent ask for authorization'),
});

const shortNames = (): Readonly<Record<Made, string>> => ({
  task: vscode.l10n.t('Task'),
  'long-task': vscode.l10n.t('Long task'),
  'input-required': vscode.l10n.t('Question'),
  'auth-required': vscode.l10n.t('Authorization'),
});

/** Agents that may be made to work, by what was answered last; most of them that are remembered. */
const key = 'conformance.work';
const maxRemembered = 200;

/** Last answers, by agent. */
export class WorkAnswers {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  allowedWork(agent: string): boolean {
    return this.#names.includes(agent);
  }

  async remember(agent: string, { allowWork }: Pick<WorkAnswer, 'allowWork'>): Promise<void> {
    if (allowWork === this.allowedWork(agent)) return;
    const others = this.#names.filter(name => name !== agent);
    await this.#state.update(key, allowWork ? [...others, agent].slice(-maxRemembered) : others);
  }

  get #names(): readonly string[] {
    return this.#state.get<readonly string[]>(key, []);
  }
}

/**
 * Asks whether the agent may be made to work, with what would be sent; undefined where the person gives up, or the token is cancelled. What
 * they choose to send is remembered in the agent's settings.
 * @param expectsWork which answer is chosen to begin with
 */
export async function askForWork(
  agent: Agent,
  checked: CheckedAgent,
  token: vscode.CancellationToken,
  expectsWork: boolean,
): Promise<WorkAnswer | undefined> {
  if (token.isCancellationRequested) return undefined;
  let prompts: CheckPrompts = agent.settings.check ?? {};
  if (checked.working.length === 0) return { allowWork: false, prompts };
  for (;;) {
    const texts: CheckPrompts = { ...exampleOf(checked), ...prompts };
    const names = shortNames();
    const sent = Object.entries(texts).map(([made, text]) => vscode.l10n.t('{0}: {1}', names[made as Made], `“${short(text)}”`));
    const resumed = texts['long-task'] ?? texts.task;
    const choices = [
      {
        label: vscode.l10n.t('Read-Only Checks'),
        detail:
          checked.working.length === 1
            ? vscode.l10n.t('1 rule cannot be tested without starting tasks.')
            : vscode.l10n.t('{0} rules cannot be tested without starting tasks.', checked.working.length),
        choice: 'harmless' as const,
      },
      ...(sent.length === 0
        ? []
        : [
            {
              label: vscode.l10n.t('Include Checks That Start Tasks'),
              detail:
                checked.registered.length === 0
                  ? vscode.l10n.t('Sends several messages. {0}', escapeIcons(translatedList(sent)))
                  : vscode.l10n.t(
                      'Sends messages, and registers an internal webhook, {1}. {0}',
                      escapeIcons(translatedList(sent)),
                      translatedList(checked.registered),
                    ),
              choice: 'work' as const,
            },
          ]),
      ...(checked.resumeMessages === 0 || resumed === undefined
        ? []
        : [
            {
              label: vscode.l10n.t('Include Checks That Start Tasks, and Cut Streams'),
              detail: vscode.l10n.t(
                'Also sends “{0}” up to {1} times, to cut each stream at another event, resume it and compare the outcome.',
                escapeIcons(short(resumed)),
                checked.resumeMessages,
              ),
              choice: 'resume' as const,
            },
          ]),
      {
        label: vscode.l10n.t('Choose What to Send…'),
        detail: vscode.l10n.t(
          "Messages that make the agent start a task, ask for input or run for a while. They are kept in the agent's settings.",
        ),
        choice: 'choose' as const,
      },
    ];
    const title = vscode.l10n.t('Check Conformance of "{0}"', oneLine(agent.name));
    const placeHolder = vscode.l10n.t('Run checks that start tasks?');
    const active = choices.find(({ choice }) => choice === (expectsWork ? 'work' : 'harmless'));
    const picked = await pickOne(choices, active, title, placeHolder, token);
    if (picked === undefined || token.isCancellationRequested) return undefined;
    if (picked.choice !== 'choose')
      return { allowWork: picked.choice !== 'harmless', ...(picked.choice === 'resume' && { resume: true as const }), prompts };
    const chosen = await askForPrompts(title, texts, token);
    if (token.isCancellationRequested) return undefined;
    if (chosen === undefined) continue;
    prompts = chosen;
    expectsWork = true;
    if (isConfigured(agent.name)) await setCheckPrompts(agent.name, prompts);
  }
}

/** Asks with one of the choices active, which `showQuickPick` cannot. */
async function pickOne<Choice extends vscode.QuickPickItem>(
  choices: readonly Choice[],
  active: Choice | undefined,
  title: string,
  placeholder: string,
  token: vscode.CancellationToken,
): Promise<Choice | undefined> {
  const pick = vscode.window.createQuickPick<Choice>();
  Object.assign(pick, { title, placeholder, ignoreFocusOut: true, items: choices });
  if (active !== undefined) pick.activeItems = [active];
  const { promise, resolve } = Promise.withResolvers<Choice | undefined>();
  pick.onDidAccept(() => resolve(pick.activeItems[0]));
  pick.onDidHide(() => resolve(undefined));
  const stopping = token.onCancellationRequested(() => pick.hide());
  pick.show();
  return promise.finally(() => {
    stopping.dispose();
    pick.dispose();
  });
}

const exampleOf = ({ prompts }: CheckedAgent): CheckPrompts =>
  Object.fromEntries(prompts.filter(({ isGiven }) => !isGiven).map(({ made, text }) => [made, text]));

const short = (text: string): string => oneLine(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/**
 * Asks for each text, one after the other; an empty one is none. In one box: between two boxes the page gets the focus back, and takes it
 * from the second when that is open already.
 */
async function askForPrompts(title: string, before: CheckPrompts, token: vscode.CancellationToken): Promise<CheckPrompts | undefined> {
  const prompts: Partial<Record<Made, string>> = {};
  const titles = wanted();
  const names = Object.keys(CheckPrompts.shape) as Made[];
  const box = vscode.window.createInputBox();
  box.ignoreFocusOut = true;
  let answered = Promise.withResolvers<string | undefined>();
  box.onDidChangeValue(value => {
    box.validationMessage = value.length > 10_000 ? vscode.l10n.t('At most {0} characters.', 10_000) : undefined;
  });
  box.onDidAccept(() => {
    if (box.validationMessage === undefined) answered.resolve(box.value);
  });
  box.onDidHide(() => answered.resolve(undefined));
  const stopping = token.onCancellationRequested(() => box.hide());
  try {
    for (const [index, made] of names.entries()) {
      answered = Promise.withResolvers();
      box.title = `${title} (${index + 1}/${names.length})`;
      box.prompt = vscode.l10n.t('{0}. Leave it empty if the agent cannot do this.', titles[made]);
      box.value = before[made] ?? '';
      box.show();
      const text = await answered.promise;
      if (text === undefined) return undefined;
      if (text.trim() !== '') prompts[made] = text;
    }
    return prompts;
  } finally {
    stopping.dispose();
    box.dispose();
  }
}
