import { EventEmitter } from './fakeVscode.ts';
import type { Window } from './model/world.ts';
import { inPlaceOf } from './shimmedVscode.ts';

const { AgentsTree } = await import('../../src/workbench/agentsView/agentsTree.ts');
const { AgentsView } = await import('../../src/workbench/agentsView/agentsView.ts');
const { TaskFilter } = await import('../../src/workbench/agentsView/taskFilter.ts');
const { Grouping } = await import('../../src/workbench/agentsView/grouping.ts');
const { RemoteListings } = await import('../../src/model/contexts/remoteListings.ts');
type Node = NonNullable<Parameters<InstanceType<typeof AgentsView>['getChildren']>[0]>;

/** What VS Code keeps of a view. */
interface View {
  message: string | undefined;
  badge: { readonly value: number } | undefined;
}

/** The tree of a window, asked for its rows as VS Code asks. */
export class ShownTree {
  readonly filter: InstanceType<typeof TaskFilter>;
  readonly grouping: InstanceType<typeof Grouping>;
  readonly rows: InstanceType<typeof AgentsView>;
  readonly listings: InstanceType<typeof RemoteListings>;
  readonly view: View;
  /** Keys of contexts that are run again on restart. */
  readonly onRestart = new Set<string>();
  readonly #restore: () => void;

  constructor(
    { agents, contexts }: Window,
    { isStoppedSample = (_: string) => false, isEndedSession = (_: string): boolean => false } = {},
  ) {
    const fired = (): EventEmitter<never> => new EventEmitter<never>();
    const view = {
      message: undefined,
      badge: undefined,
      visible: false,
      selection: [],
      onDidExpandElement: fired().event,
      onDidChangeVisibility: fired().event,
      dispose: () => {},
    };
    const back = [inPlaceOf('window', { createTreeView: () => view }), inPlaceOf('commands', { executeCommand: async () => undefined })];
    this.view = view;
    this.filter = new TaskFilter();
    const kept = new Map<string, unknown>();
    this.grouping = new Grouping({
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => kept.set(key, value),
    } as never);
    this.listings = new RemoteListings({ agentOf: name => agents.get(name), contexts, onError: () => {} });
    this.rows = new AgentsView({
      tree: new AgentsTree(),
      agents,
      contexts,
      listings: this.listings,
      filter: this.filter,
      grouping: this.grouping,
      mistakes: () => new Map(),
      isStoppedSample,
      isEndedSession,
      faultsOf: () => undefined,
      runsOnRestart: key => this.onRestart.has(key),
      known: Promise.resolve(),
    });
    this.#restore = () => back.forEach(restore => restore());
  }

  /** What is drawn: each row's label and description, below an open row its own. Rows whose labels do not match stay closed. */
  async texts(opens = /^/, below?: Node): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const node of await this.rows.getChildren(below)) {
      const { label, description } = this.rows.getTreeItem(node);
      texts.push([label, description].filter(Boolean).join(' | '));
      if (opens.test(String(label))) texts.push(...(await this.texts(opens, node)));
    }
    return texts;
  }

  /** The row whose label matches, below another one or among the agents. */
  async find(label: RegExp, below?: Node): Promise<Node> {
    const found = (await this.rows.getChildren(below)).find(node => label.test(String(this.rows.getTreeItem(node).label)));
    if (found === undefined) throw new Error(`There is no row ${label}.`);
    return found;
  }

  dispose(): void {
    this.#restore();
    this.rows.dispose();
    this.listings.dispose();
  }
}
