import { checkedAgent } from '../../../src/conformance/checkedAgent.ts';
import { callTool } from '../../../src/assistant/tools.ts';
import type { World } from '../../../src/assistant/world.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import type { Window } from '../model/world.ts';

/** The tools over a window of the model, with a person who allows everything until `refuses` is set. */
export class ToolDesk {
  /** What was asked of the person, and noted for them, in order. */
  readonly asked: string[] = [];
  readonly shown: string[] = [];
  readonly defects: unknown[] = [];
  readonly secrets = new SecretValues();
  refuses = false;
  readonly world: World;

  constructor({ agents, contexts }: Pick<Window, 'agents' | 'contexts'>, more: Partial<World> = {}) {
    this.world = {
      client: 'Test Editor',
      agents,
      contexts,
      consent: {
        mayRead: () => this.#ask('read'),
        mayAct: ({ kind, agents: meant, payload }) => this.#ask(`${kind} ${meant.map(({ name }) => name).join(', ')}: ${payload}`),
        hasRead: names => void (names.size > 0 && this.asked.push(`words of ${[...names].join(', ')}`)),
      },
      check: async (agent, rules, signal) => {
        const { settings, access } = agent;
        const options = { wanted: settings.interface, prompts: {}, trusted: () => undefined, signal };
        const checked = await checkedAgent({ ...access, ...options, ...(rules !== undefined && { rules: new Set(rules) }) });
        return checked.run({ allowWork: false, onProgress: () => {} });
      },
      run: async () => {
        throw new Error('no requests here');
      },
      show: ({ agent, context }) => void this.shown.push(context === undefined ? agent : `${agent} ${context}`),
      link: ({ agent, context, exchange }) => `test:${[agent, context, exchange].filter(Boolean).join('/')}`,
      mask: text => this.secrets.mask(text),
      onError: error => void this.defects.push(error),
      ...more,
    };
  }

  call(name: string, input: unknown = {}, signal = new AbortController().signal): Promise<string> {
    return callTool(name, input, this.world, signal);
  }

  async #ask(what: string): Promise<void> {
    this.asked.push(what);
    if (this.refuses) throw new Problem('tool-refused', sentence('The person said no.'));
  }
}
