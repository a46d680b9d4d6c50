import * as vscode from 'vscode';
import type { ChatState } from '../../chat/host/chatState.ts';
import { maxNameLength, maxOutputModes } from '../../chat/host/limits.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import { requiredButOff } from '../../model/agents/agentExtensions.ts';
import { findingsIn } from '../../protocol/finding.ts';
import { outputModesOf } from '../../protocol/card/mediaModes.ts';
import { findingText } from '../agentsView/agentTooltip.ts';
import { cardForm } from './drafts/chatForms.ts';
import { truncated } from '../platform/untrustedText.ts';
import { panelConnections } from './connection.ts';
import { checkedText } from '../platform/relativeTime.ts';
import { vTaskRest } from '../../protocol/versions/taskRest/vTaskRest.ts';
import { explain, translate } from '../platform/report.ts';
import { isConfigured, notConfigured, offersChat } from '../platform/settings.ts';
import { panelVersions } from './shownVersions.ts';

/** Maximum number of characters of a card's description in the panel's state. */
const maxDescriptionLength = 2_000;
/** Maximum number of URIs of extensions in the panel's state. */
const maxMissing = 10;
/** Maximum number of example prompts of a card's skills in the panel's state. */
const maxExamples = 6;
/** Maximum number of skills in the panel's state. */
const maxSkills = 20;
/** Maximum number of faults of a card that are named in the panel's state. */
const maxCardProblems = 2;

/** Everything that the panel shows of a context besides its entries. */
export function chatState(context: AgentContext): ChatState {
  const { agent } = context;
  return {
    agent: context.agentName,
    description: agent?.card === undefined ? undefined : truncated(agent.card.description, maxDescriptionLength),
    card: cardShown(agent),
    reachability: agent?.reachability ?? 'not-configured',
    checked: agent === undefined ? '' : checkedText(agent),
    ...(isPlainRecording(context) && { recorded: true as const }),
    problem: problemShown(context),
    ...(Object.keys(agent?.card?.securitySchemes ?? {}).length > 0 && { signsIn: true as const }),
    signedInAt: agent?.signIn.kind === 'signedIn' && agent.standing.signInRefused !== true ? agent.standing.credentialsAt : undefined,
    ...(agent?.settings.tls?.rejectUnauthorized === false && { unchecked: true as const }),
    connections: panelConnections(context),
    interface: agent?.chosen === undefined ? undefined : translate(agent.chosen.reason),
    ...(prefersInterface(agent) && { preferred: true as const }),
    ...(hasChoices(context, agent) && { choices: true as const }),
    ...(agent?.chosen !== undefined && agent.chosen.version !== vTaskRest && { checksRules: true as const }),
    ...(offersChat() && { offersFix: true as const }),
    configured: isConfigured(context.agentName),
    extensions: extensionsShown(agent),
    contextId: context.contextId,
    takesForm: cardForm(agent) !== undefined,
    title: context.title,
    tasks: context.tasks(),
    taskCount: context.taskCount,
    artifacts: panelVersions(context.artifactHistories()),
    waitingTaskId: context.waitingTask?.taskId,
    running: context.running || context.runningElsewhere,
    stopping: context.stopping,
    ...(context.loading && { loading: true as const }),
    examples: (agent?.card?.skills ?? []).flatMap(skill => skill.examples ?? []).slice(0, maxExamples),
    outputModes:
      agent?.card === undefined
        ? []
        : outputModesOf(agent.card)
            .filter(mode => mode !== '' && mode.length <= maxNameLength)
            .slice(0, maxOutputModes),
  };
}

function cardShown(agent: Agent | undefined): ChatState['card'] {
  if (agent?.card === undefined) return undefined;
  const { name, version, provider, capabilities, skills } = agent.card;
  const { findings } = agent.review;
  return {
    name: truncated(name, maxNameLength),
    version: truncated(version, maxNameLength),
    provider: provider && truncated(provider.organization, maxNameLength),
    streaming: capabilities.streaming === true,
    pushNotifications: capabilities.pushNotifications === true,
    extendedCard: capabilities.extendedAgentCard === true,
    skills: skills.slice(0, maxSkills).map(skill => truncated(skill.name, maxNameLength)),
    ...(findings !== undefined && {
      problems: {
        count: findingsIn(findings),
        first: findings.slice(0, maxCardProblems).map(finding => truncated(findingText(finding), maxNameLength)),
      },
    }),
  };
}

/** True where the agent is asked over the interface that its card names first, as that names it. */
function prefersInterface(agent: Agent | undefined): boolean {
  const chosen = agent?.chosen?.interface;
  const first = agent?.card?.supportedInterfaces[0];
  return (
    chosen !== undefined &&
    chosen.url === first?.url &&
    chosen.protocolBinding === first.protocolBinding &&
    chosen.protocolVersion === first.protocolVersion
  );
}

/** An interface can be chosen in the settings of an agent only. */
const hasChoices = ({ agentName }: AgentContext, agent: Agent | undefined): boolean =>
  isConfigured(agentName) && agent?.interfaces.offered.some(({ chosen, isSupported }) => !chosen && isSupported) === true;

const isPlainRecording = ({ agent, isRecorded }: AgentContext): boolean => agent === undefined && isRecorded;

/** Undefined while the agent is being checked again. */
function problemShown(context: AgentContext): ChatState['problem'] {
  const { agent, agentName } = context;
  if (isPlainRecording(context))
    return {
      message: vscode.l10n.t('This is a recording: nothing can be sent.'),
      nextStep: vscode.l10n.t('To go on, play it: "A2A: Start or Stop Mock Agent".'),
    };
  if (agent === undefined) return explain(notConfigured(agentName));
  return agent.reachability === 'unreachable' && agent.problem !== undefined ? explain(agent.problem) : undefined;
}

function extensionsShown(agent: Agent | undefined): ChatState['extensions'] {
  const extensions = agent?.extensions ?? [];
  return {
    known: extensions.length,
    on: extensions.filter(({ on }) => on).length,
    missing: requiredButOff(extensions)
      .slice(0, maxMissing)
      .map(({ uri }) => uri),
  };
}
