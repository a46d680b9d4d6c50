import * as assert from 'node:assert/strict';
import { jsonSchemas } from '../../../src/request/schema/schemas.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { english } from '../../../src/protocol/problem.ts';

const { cardProblemsOf } = await import('../../../src/workbench/agentCards/documents.ts');

test('what a card lacks is an error, in the words of the conformance check', async () => {
  const jsonValidation = [{ fileMatch: ['agent-card.json'], url: 'schema.json' }];
  const extension = { packageJSON: { contributes: { jsonValidation } }, extensionUri: Uri.file('/extension') };
  const schema = JSON.stringify(jsonSchemas()['agent-card.schema.json']);
  const back = [
    inPlaceOf('extensions', { getExtension: () => extension }),
    inPlaceOf('workspace', { fs: { readFile: async () => new TextEncoder().encode(schema) } }),
  ];
  const card = {
    name: 'x',
    description: 'x',
    version: '1',
    supportedInterfaces: [{ url: 'https://x', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: 'yes' },
    defaultInputModes: ['text/plain'],
    skills: [{ id: 's', name: 's', description: 's' }],
  };
  try {
    const problems = await cardProblemsOf({ version: 1, getText: () => JSON.stringify(card) } as never);
    assert.deepEqual(
      problems.map(({ severity, sentence }) => `${severity}: ${english(sentence)}`),
      ['error: "streaming" must be true or false, not text.', 'error: tags is missing.', 'error: defaultOutputModes is missing.'],
    );
  } finally {
    for (const each of back) each();
  }
});
