import * as vscode from 'vscode';
import * as z from 'zod';
import { SecretOrigins, type SecretMemory, type SecretQuestion } from '../../../model/agents/secretOrigins.ts';
import { escapeLinks } from '../../platform/untrustedText.ts';
import { originsOfUser } from '../../platform/settings.ts';
import { report, translatedList } from '../../platform/report.ts';

const stateKey = 'requests.secretOrigins';
/** Maximum number of secrets whose origins are stored, and of origins of one secret; the oldest are dropped. */
const most = { secrets: 1_000, origins: 100 };

const Remembered = z.record(z.string(), z.array(z.string()));

/**
 * The origins to which the secrets of request files may be sent: the one of the user's own agents that each was first sent to, and those that the person allowed.
 * @param state global state, so that a file of another workspace cannot send a secret elsewhere either
 */
export const secretOriginsIn = (state: vscode.Memento): SecretOrigins =>
  new SecretOrigins({ memory: memoryIn(state), isNamed: origin => originsOfUser().has(origin), ask });

function memoryIn(state: vscode.Memento): SecretMemory {
  const all = (): Readonly<Record<string, readonly string[]>> => Remembered.safeParse(state.get(stateKey)).data ?? {};
  return {
    get: key => (Object.hasOwn(all(), key) ? (all()[key] ?? []) : []),
    put: (key, origins) => {
      const others = Object.entries(all()).filter(([other]) => other !== key);
      state
        .update(stateKey, Object.fromEntries([...others, [key, origins.slice(-most.origins)]].slice(-most.secrets)))
        .then(undefined, report);
    },
  };
}

async function ask({ names, origin, agent, chosenByAnswer, unsent }: SecretQuestion): Promise<boolean> {
  const secrets = translatedList(names);
  const allow = vscode.l10n.t('Allow');
  const detail = chosenByAnswer
    ? vscode.l10n.t('The request goes to the agent "{0}". Its address was not in the file: it comes from the answer of an agent.', agent)
    : unsent
      ? vscode.l10n.t('It is for the agent "{0}", which is not in your user settings.', agent)
      : vscode.l10n.t('The request goes to the agent "{0}". Until now the secret was sent only to other addresses.', agent);
  return (
    (await vscode.window.showWarningMessage(
      escapeLinks(vscode.l10n.t('Send the secret {0} to {1}?', secrets, origin)),
      { modal: true, detail: escapeLinks(detail) },
      allow,
    )) === allow
  );
}
