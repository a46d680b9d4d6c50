import * as assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pace } from '../../../examples/agents/turn.ts';
import { unrelatedBuiltins } from '../../../scripts/builtinExtensions.ts';
import { eventually } from '../eventually.ts';
import { type SampleAgentName, type StartedSampleAgents, startSampleAgents } from '../sampleAgents.ts';
import { ChatView } from './chatView.ts';
import type { TreeView } from './treeView.ts';
import { launchWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

const exampleWorkspace = resolve(import.meta.dirname, '../../../examples/workspace');

export interface StageOptions extends Omit<WorkbenchOptions, 'folder'> {
  /** Names of agents in `a2a.agents` with their addresses; all sample agents when left out. */
  readonly agents?: Readonly<Record<string, string>>;
  /** Of the sample agents, those that are configured beside `agents`. */
  readonly withAgents?: readonly SampleAgentName[];
  /** The interface used with the agents, where it is not the one that their cards prefer. */
  readonly interface?: { readonly protocolVersion: string };
  /** Of the sample agents' pauses. */
  readonly pace?: Pace;
}

/**
 * A VS Code window on a copy of the example workspace, with the sample agents running and configured; without those of VS Code's own
 * extensions that have nothing to do with it, unless it is asked for others.
 */
export class Stage {
  readonly workbench: Workbench;
  readonly agents: StartedSampleAgents;
  readonly folder: string;
  readonly #temporary: string;

  private constructor(workbench: Workbench, agents: StartedSampleAgents, temporary: string, folder: string) {
    this.workbench = workbench;
    this.agents = agents;
    this.#temporary = temporary;
    this.folder = folder;
  }

  static async open({
    agents: configured,
    withAgents = [],
    interface: wanted,
    pace,
    settings,
    ...options
  }: StageOptions = {}): Promise<Stage> {
    const temporary = await mkdtemp(join(tmpdir(), 'a2a-stage-'));
    const folder = join(temporary, 'workspace');
    await cp(exampleWorkspace, folder, { recursive: true });
    const agents = await startSampleAgents({ pace });
    const entries = Object.entries({
      ...Object.fromEntries(withAgents.map(name => [name, agents.urls[name]])),
      ...(configured ?? agents.urls),
    }).map(([name, url]) => [name, { url, interface: wanted }]);
    const workbench = await launchWorkbench({
      withoutBuiltins: unrelatedBuiltins,
      ...options,
      folder,
      settings: { 'a2a.agents': Object.fromEntries(entries), ...settings },
    });
    return new Stage(workbench, agents, temporary, folder);
  }

  /** The tree of agents, with the side bar showing it. */
  tree(): Promise<TreeView> {
    return this.workbench.view('A2A', 'Agents');
  }

  /** The chat panel of this agent that is on show. */
  chat(agent: string): ChatView {
    return new ChatView(this.workbench, agent);
  }

  /** A new chat with an agent, opened from its row in the tree. */
  async newChat(agent: string): Promise<ChatView> {
    const tree = await this.tree();
    await tree.item(agent).waitFor();
    await tree.inlineAction(agent, 'New Chat');
    const chat = this.chat(agent);
    const asked = this.workbench.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: agent });
    // A chat with the same agent may still be in front, and goes away while one looks at it.
    await eventually(async () => {
      // VS Code tells no row to a command that is pressed while the tree is made anew: then the agent is asked for, at any time until
      // the panel is there.
      if ((await asked.count()) > 0) await asked.first().click({ timeout: 2_000 });
      const frame = await chat.frame(1_000);
      await frame.getByRole('textbox').waitFor({ timeout: 1_000 });
      assert.equal(await frame.locator('.row').count(), 0);
      // One without a message looks like the new one: it may go away still.
      await chat.idle();
    }, 60_000);
    return chat;
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.agents.stop();
    await rm(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}
