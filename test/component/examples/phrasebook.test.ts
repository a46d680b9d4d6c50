import * as assert from 'node:assert/strict';
import { textOf } from '../../../examples/agents/parts.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { generations, Peer } from './peer.ts';

suite('sample agent Phrasebook', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents();
  });
  suiteTeardown(() => agents.stop());

  for (const generation of generations) {
    test(`answers with messages alone and remembers by the context, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Phrasebook, generation);
      const ask = async (text: string, contextId?: string): Promise<readonly [string, string | undefined]> => {
        const { message, events } = await peer.send(text, { contextId });
        assert.equal(events.length, 1);
        return [textOf(message?.parts ?? []), message?.contextId];
      };
      const [thanks, contextId] = await ask('How do I say thank you?');
      assert.equal(thanks, 'Kiitos');
      assert.deepEqual(await ask('And how does it sound?', contextId), ['"Kiitos" sounds like KEE-tos.', contextId]);
      assert.match((await ask('How does it sound?'))[0], /^Ask me for a phrase first/);
      assert.match((await ask('What is the time?'))[0], /^I know hello/);
    });
  }
});
