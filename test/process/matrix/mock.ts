import type { BindingName } from '../../../src/mock/binding.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { scriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { coreAgent } from './coreAgent.ts';
import { Fronts, type MatrixAgent } from './matrixAgent.ts';
import type { Spoken } from './servers.ts';

/** The workbench's own scripted agent, for what nobody publishes a server of. */
export async function startMock({ generation, binding }: Spoken): Promise<MatrixAgent> {
  const fronts = new Fronts();
  const front = await fronts.open();
  const url = `http://${front.address}/`;
  const fail = (error: unknown): void =>
    queueMicrotask(() => {
      throw error;
    });
  const { SendMessage, ...rest } = coreAgent(fronts.gates, fail);
  // A task API takes every task at once and tells of it over its WebSocket.
  const own =
    binding === 'TASK-REST'
      ? { binding: undefined, script: { ...rest, SubscribeToTask: [] } }
      : { binding: binding as BindingName, script: { ...rest, SendMessage } };
  const agent = scriptedAgent({
    version: generation,
    ...own,
    card: () => minimalCard(url, generation, binding),
    onError: fail,
    isOwnHost: host => host === front.address,
  });
  await agent.start();
  fronts.onStop(() => agent.stop());
  front.target = Number(new URL(agent.url).port);
  return fronts.agent(url);
}
