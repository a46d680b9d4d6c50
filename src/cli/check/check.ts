import { join } from 'node:path';
import { offeredInterfaces } from '../../client/interfaces/offeredInterface.ts';
import { outcomeOf } from '../../conformance/checkSummary.ts';
import { ExchangeRecorder } from '../../conformance/exchangeRecorder.ts';
import { runCheck, type CheckOptions } from '../../conformance/runCheck.ts';
import { signatureCheck } from '../../conformance/signatureCheck.ts';
import { resumeMessages, withResume } from '../../conformance/withResume.ts';
import { registeredBy, resumePrompt, workingRules, workPrompts, type WorkPrompt } from '../../conformance/workPrompts.ts';
import type { AgentCard, AgentInterface } from '../../protocol/card/agentCard.ts';
import { isEmptySelector } from '../../protocol/card/interfaceSelector.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { trustedKeysOf } from '../card/cardSignatures.ts';
import type { Output } from '../terminal/output.ts';
import { resolve, selectorOf, signedIn, trustOf, type Terminal } from '../terminal/terminal.ts';
import { exitStatus, UsageError } from '../terminal/usage.ts';
import { tlsFilesOf } from '../run/filesRead.ts';
import { refuseReplacing, wantedReporters } from '../run/reporters/reportOutputs.ts';
import { checkReporters, openCheckReporters, type CheckReporters } from './checkReporters.ts';
import { otherHeadersOf, promptsOf, rulesOf } from './checkOptions.ts';
import { checkWebhooks } from './checkWebhooks.ts';

const outcomes = { broken: exitStatus.taskFailed, nothing: exitStatus.agent, fine: exitStatus.fine };

/** `a2a check URL`: checks the agent's conformance. 1 where it breaks a MUST or loses what a cut stream had, 3 where no answer is of use, or the check reached a limit. */
export async function check(terminal: Terminal, [url = '']: readonly string[]): Promise<number> {
  const { output, values, http, signal, agent } = terminal;
  if (values.resume === true && values['allow-work'] !== true)
    throw new UsageError('--resume sends messages that make the agent work: it needs --allow-work, too.');
  const rules = rulesOf(values);
  const prompts = promptsOf(terminal);
  const other = otherHeadersOf(values);
  const selector = selectorOf(values);
  const trusted = trustedKeysOf(terminal);
  const wanted = wantedReporters(terminal, checkReporters);
  refuseReplacing(terminal, wanted, [
    ...(values.prompts === undefined ? [] : [values.prompts]),
    ...(values['trusted-key'] ?? []).filter(key => !/^https?:/i.test(key)),
    ...tlsFilesOf(terminal, agent === undefined ? [] : [agent.settings]),
    ...(agent?.settings.base === undefined ? [] : [join(agent.settings.base, '.vscode', 'settings.json')]),
  ]);
  const webhooks = await checkWebhooks(terminal);
  let reporters: CheckReporters | undefined;
  try {
    reporters = openCheckReporters(wanted, terminal);
    const recorder = new ExchangeRecorder(terminal.log);
    const resolved = await resolve({ ...terminal, log: recorder }, url);
    const { card, cardUrl, agentUrl, source, findings } = resolved;
    // Missing credentials would fail every rule.
    const headers = signedIn(terminal, agentUrl);
    await headers.credentialsUsed(new URL(agentUrl));
    const allowWork = values['allow-work'] === true;
    const known = workPrompts(card, prompts);
    const noCard = resolved.noCard !== undefined;
    announceWork(workingRules({ card, cardUrl, noCard }, rules, other !== undefined), known, { allowWork, output });
    let words = 'connecting';
    const options: CheckOptions = {
      http,
      card,
      noCard,
      cardJson: JSON.parse(source) as Record<string, unknown>,
      cardUrl,
      agentUrl,
      findings,
      recorder,
      signal,
      allowWork,
      headers,
      trust: trustOf(terminal, selector, agentUrl),
      signature: signatureCheck(http, resolved, () => trusted),
      prompts: Object.fromEntries(known.map(({ made, text }) => [made, [{ text }]])),
      bail: values.bail === true,
      openWebhook: webhooks.open,
      onProgress: ({ done, total, rule, interface: entry, waitMs }) =>
        (words = `${done + 1} of ${total}: ${rule} over ${entry.protocolBinding} ${entry.protocolVersion}${waitMs === undefined ? '' : `, waiting ${Math.ceil(waitMs / 1000)} s as the agent asks`}`),
      ...(rules !== undefined && { rules }),
      ...(other !== undefined && { other }),
      ...(!isEmptySelector(selector) && { wants: isSelected(selector, card, cardUrl) }),
    };
    if (values.resume === true) announceResume(resumeMessages(options), known, output);
    output.progress.start(() => words);
    const checked = await runCheck(options);
    const report = values.resume === true ? await withResume(options, checked) : checked;
    output.progress.stop();
    reporters.write(report);
    if (signal.aborted) return signal.reason as number;
    return outcomes[outcomeOf(report)];
  } finally {
    output.progress.stop();
    reporters?.close();
    // What listens would keep the program from ending.
    await webhooks.stop();
  }
}

/** Announces what makes the agent work, before it does, or how that is allowed. */
function announceWork(
  working: readonly RuleId[],
  prompts: readonly WorkPrompt[],
  { allowWork, output }: { readonly allowWork: boolean; readonly output: Output },
): void {
  const count = working.length;
  if (count === 0) return;
  const sent = prompts.map(
    ({ made, text, isGiven }) => `${made}: ${JSON.stringify(shortened(text))}${isGiven ? '' : " (an example of the card's)"}`,
  );
  const what = sent.length === 0 ? 'nothing is known to send: give --prompt task=TEXT' : `messages with ${sent.join('; ')}`;
  const registered = registeredBy(working).join(', ');
  const webhook =
    registered === ''
      ? ''
      : ` A webhook at ${registered}, an address of internal networks, ${allowWork ? 'is' : 'would be'} registered, to see whether the agent refuses it.`;
  output.printError(
    allowWork
      ? `${count} of the rules make the agent work; ${what}.${webhook}`
      : `${count} of the rules would make the agent work; ${what}.${webhook} They are asked with --allow-work.`,
  );
}

/** Announces what cutting streams sends, which may cost money. */
function announceResume(messages: number, prompts: readonly WorkPrompt[], output: Output): void {
  const text = resumePrompt(prompts);
  if (messages === 0) return;
  output.printError(
    text === undefined
      ? '--resume has nothing to send: give --prompt task=TEXT.'
      : `--resume sends ${JSON.stringify(shortened(text))} up to ${messages} times, and cuts the streams of the answers.`,
  );
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);

/** True for the interfaces that the selector names; an address may be as the card writes it. */
function isSelected(
  { url, protocolBinding, protocolVersion }: ReturnType<typeof selectorOf>,
  card: AgentCard,
  cardUrl: string,
): (entry: AgentInterface) => boolean {
  const chosen = offeredInterfaces(card, cardUrl)
    .filter(
      ({ interface: entry, declaredUrl }) =>
        (protocolBinding === undefined || entry.protocolBinding.toLowerCase() === protocolBinding.toLowerCase()) &&
        (protocolVersion === undefined || entry.protocolVersion === protocolVersion) &&
        (url === undefined || entry.url === new URL(url).href || declaredUrl === url),
    )
    .map(({ interface: entry }) => entry);
  return entry => chosen.includes(entry);
}
