import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindings, type BindingName } from '../../../src/mock/binding.ts';
import { versions } from '../../../src/protocol/versions/index.ts';
import { Player } from '../../../src/recording/player.ts';
import { readRecording, recordingText, type Recording } from '../../../src/recording/recording.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { startSampleAgents, type SampleAgentName, type StartedSampleAgents } from '../../support/sampleAgents.ts';

/** A conversation with each sample agent: what a person types, a line a message. */
const conversations: Readonly<Record<SampleAgentName, readonly string[]>> = {
  Sailboat: ['Generate an image of a sailboat on the ocean.', 'Please modify the sailboat to be red.'],
  Currency: ['How much is 10 USD?', 'in EUR'],
  Helsinki: ["I'd like to book a flight to Helsinki."],
  Writer: ['Write a short text about the sea.'],
  Phrasebook: ['Hello'],
};

const served = versions.flatMap(version =>
  version.taskRoutes !== undefined
    ? []
    : (Object.keys(bindings) as BindingName[])
        .filter(binding => bindings[binding].versionFor(version) !== undefined)
        .map(binding => ({ version: version.protocolVersion, binding })),
);

suite('played agents', () => {
  let agents: StartedSampleAgents;
  let folder: TerminalFolder;
  const recorded = new Map<SampleAgentName, { readonly recording: Recording; readonly out: string }>();

  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
    folder = await TerminalFolder.make();
    for (const [name, lines] of Object.entries(conversations) as [SampleAgentName, readonly string[]][]) {
      const file = `${name}.a2a-recording.jsonl`;
      const { out, err } = await folder.run(['chat', agents.urls[name], '--record', file], { stdin: lines.join('\n') });
      assert.match(err, /Recording .* \(requests: \d+/);

      recorded.set(name, { recording: readRecording(readFileSync(join(folder.folder, file), 'utf8')), out });
    }
  });

  suiteTeardown(async () => {
    await agents.stop();
    await folder.remove();
  });

  for (const name of Object.keys(conversations) as SampleAgentName[])
    for (const { version, binding } of served)
      test(`${name} in A2A ${version} over ${binding}`, async () => {
        const { recording, out } = recorded.get(name)!;
        const player = new Player(recording, { version, binding, speed: 0, isLoose: false, onError: error => assert.fail(error as Error) });
        await player.start();
        try {
          const again = await folder.run(['chat', player.url, '--protocol-version', version], { stdin: conversations[name].join('\n') });
          assert.equal(again.out, out, again.err);
          assert.deepEqual(player.counts, { reused: conversations[name].length, through: 0, unmatched: 0 });
        } finally {
          await player.stop();
        }
      });

  test('a recording is the same after it was written and read', () => {
    for (const { recording } of recorded.values()) assert.deepEqual(readRecording(recordingText(recording)), recording);
  });
});
