import * as vscode from 'vscode';
import type { A2AWorkbench } from '../../api/a2a-workbench.d.ts';
import type { CardVerifying } from '../client/card/signatures/lazyCardVerifier.ts';
import type { Agent } from '../model/agents/agent.ts';
import type { Agents } from '../model/agents/agents.ts';
import type { AgentSignIns } from '../model/agents/agentSignIns.ts';
import type { SecretOrigins } from '../model/agents/secretOrigins.ts';
import type { AgentContext } from '../model/contexts/agentContext.ts';
import type { AgentContexts } from '../model/contexts/agentContexts.ts';
import type { RemoteListings } from '../model/contexts/remoteListings.ts';
import { registerAgentCards } from './agentCards/register.ts';
import { ServedCards } from './agentCards/servedCards.ts';
import { configuredAgent, pickAgent } from './agents/agentCommands.ts';
import { KnownAgents } from './agents/knownAgents.ts';
import { registerAgain } from './again/register.ts';
import { registerAgents } from './agents/register.ts';
import { faultCommands } from './agents/faultCommands.ts';
import { SampleAgents } from './agents/sampleAgents.ts';
import { nodeOf, type Node } from './agentsView/agentNodes.ts';
import type { AgentsTree } from './agentsView/agentsTree.ts';
import { registerAgentsView } from './agentsView/register.ts';
import { registerAssistant } from './assistant/register.ts';
import { registerCompare } from './compare/register.ts';
import { registerChat } from './chat/register.ts';
import type { ConformanceParts } from './conformance/conformanceParts.ts';
import { registerConformance } from './conformance/register.ts';
import { DebuggedAgents } from './agents/debuggedAgents.ts';
import { registerDebug } from './debug/register.ts';
import { ExchangeDocuments } from './documents/exchangeDocuments.ts';
import { PartFiles } from './documents/partDocument.ts';
import { ReadOnlyDocuments } from './documents/readOnlyDocuments.ts';
import { TaskDocuments, taskScheme } from './documents/taskDocuments.ts';
import { documentationCommand } from './help/documentation.ts';
import { registerHistory } from './history/register.ts';
import type { CommandHandlers } from './platform/commands.ts';
import { completeStep } from './platform/contextKeys.ts';
import { log } from './platform/log.ts';
import type { MisbehavingAgents } from './agentsView/misbehavingAgents.ts';
import { report } from './platform/report.ts';
import { PushNotifications } from './push/pushNotifications.ts';
import { registerRequests } from './requests/requests.ts';
import type { Secrets } from './requests/values/secrets.ts';
import { registerSignIn } from './signIn/register.ts';
import type { SignInParts } from './signIn/signInCommands.ts';

/** The parts of the workbench that the entry point has promised already. */
export interface Workbench {
  readonly commands: CommandHandlers;
  /** The API for the extension of that id. Rejects where none is installed. */
  readonly api: (id: string) => Promise<A2AWorkbench>;
}

/** Builds the user interface and connects it to the model. Returns the command handlers, which the entry point has registered already. */
export function registerWorkbench({
  tree,
  agents,
  contexts,
  listings,
  verifier,
  extensionUri,
  globalStorageUri,
  workspaceState,
  globalState,
  secrets,
  secretOrigins,
  signIns,
  signInParts,
  conformanceParts,
  toolNames,
}: {
  readonly tree: AgentsTree;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  readonly verifier: CardVerifying;
  /** State shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly secrets: Secrets;
  /** Origins that each secret may be sent to. */
  readonly secretOrigins: SecretOrigins;
  readonly signIns: AgentSignIns;
  readonly signInParts: SignInParts;
  readonly conformanceParts: ConformanceParts;
  /** Tools for language models in the manifest. */
  readonly toolNames: readonly string[];
}): vscode.Disposable & Workbench {
  const documents = new ReadOnlyDocuments();
  const exchanges = new ExchangeDocuments(contexts, documents);
  const taskDocuments = new TaskDocuments(contexts, exchange => exchanges.uri(exchange));
  documents.add(taskScheme, { extension: 'txt', render: key => taskDocuments.render(key) });
  const partFiles = new PartFiles();

  const samples = new SampleAgents(extensionUri, workspaceState);
  const served = new ServedCards();
  const debugged = new DebuggedAgents();
  const known = new KnownAgents({ agents, contexts, samples, served, debugged });
  const misbehaving: MisbehavingAgents = {
    faultsOf: name => samples.faultsOf(name) ?? served.faultsOf(name),
    chooseFaults: (name, chosen) => (samples.faultsOf(name) === undefined ? served : samples).chooseFaults(name, chosen),
  };
  const rows = registerAgentsView({
    tree,
    agents,
    contexts,
    listings,
    globalState,
    mistakes: () => known.mistakes,
    isStoppedSample: name => samples.isStopped(name),
    isEndedSession: name => debugged.isEnded(name),
    faultsOf: name => misbehaving.faultsOf(name),
    runsOnRestart: key => again.isOn(key),
    known: known.resumed,
  });
  const { view, rowKeys } = rows;
  const selected = (): Node | undefined => view.selected;
  const chat = registerChat({
    agents,
    contexts,
    exchanges,
    partFiles,
    samples,
    view,
    extensionUri,
    storageUri: globalStorageUri,
    workspaceState,
  });
  const { panels } = chat;
  const again = registerAgain({ agents, contexts, panels, selected, workspaceState, onDidChange: () => tree.refresh() });
  const activeChat = (): AgentContext | undefined => panels.active;
  // Without a row or a name, the agent is that of the active chat.
  const meantName = (argument: unknown): string | undefined =>
    typeof argument === 'string' ? argument : (nodeOf('agent', argument)?.name ?? agents.get(activeChat()?.agentName ?? '')?.name);
  const meantAgent = (argument: unknown): Promise<Agent | undefined> => configuredAgent(agents, meantName(argument));

  const signIn = registerSignIn({
    agents,
    signIns,
    parts: signInParts,
    secrets,
    documents,
    meantAgent,
    ask: async name => {
      await listings.refresh(name, { anew: true });
      if (agents.get(name)?.standing.signInRefused !== true) contexts.followAgain(name);
    },
    onChanged: () => tree.refresh(),
  });
  const push = new PushNotifications({
    contexts,
    workspaceState,
    activeChat,
    selected,
    openExchange: (context, id) => exchanges.open(id, context),
  });
  push.reportGone().catch(report);
  const conformance = registerConformance({
    contexts,
    extensionUri,
    state: workspaceState,
    agents,
    meantName,
    meantAgent,
    parts: conformanceParts,
    push,
    openExchange: id => exchanges.open(id),
    onChecked: () => {
      completeStep('a2a.checkFinished');
      tree.refresh();
    },
  });
  const requests = registerRequests({
    agents,
    contexts,
    documents,
    partFiles,
    sentFolder: vscode.Uri.joinPath(globalStorageUri, 'sent'),
    state: workspaceState,
    secrets,
    secretOrigins,
    extensionUri,
    openChat: context => panels.open(context, vscode.ViewColumn.Beside),
    activeChat,
    selected,
    onFirstTest: conformance.makeTests,
  });
  const cards = registerAgentCards({ agents, documents, served, verifier, selected, extensionUri, workspaceState });
  const history = registerHistory({
    agents,
    contexts,
    documents,
    panels,
    partFiles,
    view,
    rowKeys,
    pickAgent: argument => pickAgent(agents, argument),
    globalState,
    workspaceState,
  });
  const openChat = async (agent: string): Promise<unknown> => panels.open(await contexts.patiently(() => contexts.create(agent)));
  const debug = registerDebug({
    agents,
    debugged,
    // The chat of the session before is as good as a new one.
    openChat: async agent => {
      const open = panels.shown.find(({ context }) => context.agentName === agent);
      return open === undefined ? openChat(agent) : panels.open(open.context);
    },
  });
  const compare = registerCompare({
    agents,
    contexts,
    documents,
    extensionUri,
    state: workspaceState,
    activeChat,
    selection: () => view.selection,
    messageOf: requests.messageOf,
    openChat: context => panels.open(context),
  });
  const ofAgents = registerAgents({
    agents,
    contexts,
    listings,
    documents,
    openChat,
    revealRow: name => view.revealAgent(name),
    signIn: agent => signIn.signIn(agent),
    selected,
    meantAgent,
    inSight: ({ name }) =>
      again.watches(name) ||
      (vscode.window.state.focused && (view.visible || panels.shown.some(({ visible, context }) => visible && context.agentName === name))),
    runsOnRestart: ({ name }) => again.watches(name),
  });

  const assistant = registerAssistant({
    agents,
    contexts,
    check: conformance.readOnlyCheck,
    run: requests.assistantRuns,
    runOf: requests.runOf,
    toolNames,
    workspaceState,
    revealAgent: name => view.revealAgent(name),
    openChat: context => panels.open(context),
    openExchange: (id, context) => exchanges.open(id, context),
  });

  const parts = vscode.Disposable.from(
    assistant,
    ofAgents,
    debug,
    debugged,
    again,
    taskDocuments,
    documents,
    partFiles,
    chat,
    rows,
    requests,
    history,
    compare,
    push,
    conformance,
    signIn,
    known,
    cards,
  );
  return {
    dispose: () => void parts.dispose(),
    api: assistant.api,
    commands: {
      ...rows.commands,
      ...chat.commands,
      ...again.commands,
      ...requests.commands,
      ...signIn.commands,
      ...push.handlers,
      ...conformance.commands,
      ...cards.commands,
      ...history.commands,
      ...ofAgents.commands,
      ...debug.commands,
      ...assistant.commands,
      ...compare.commands,
      'a2a.showLog': () => log.show(),
      ...documentationCommand(extensionUri),
      ...faultCommands({ agents, misbehaving, onChanged: () => tree.refresh() }),
    },
  };
}
