import * as assert from 'node:assert/strict';
import { formOf, readStreamResponse } from '../../../src/protocol/versions/index.ts';
import { isPlainChunk } from '../../../src/protocol/versions/shared/plainChunk.ts';

const chunk = {
  taskId: 't',
  contextId: 'c',
  artifact: { artifactId: 'a', name: 'n', parts: [{ text: 'one' }, { text: '' }] },
  append: true,
  lastChunk: false,
};
const { artifact } = chunk;

const plain: Readonly<Record<string, object>> = {
  'of several texts': { artifactUpdate: chunk },
  'without anything that may be left out': { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [] } } },
};

/** Each is read by the readers, whatever they make of it. */
const others: Readonly<Record<string, unknown>> = {
  'no object': 'text',
  'a bare one': chunk,
  'more around it': { artifactUpdate: chunk, status: {} },
  'an inherited name': { artifactUpdate: chunk, constructor: 1 },
  'the name of a prototype': JSON.parse(
    '{"artifactUpdate":{"taskId":"t","contextId":"c","__proto__":{},"artifact":{"artifactId":"a","parts":[]}}}',
  ),
  'another wrapper': { artifact_update: chunk },
  'a kind': { artifactUpdate: { ...chunk, kind: 'artifact-update' } },
  metadata: { artifactUpdate: { ...chunk, metadata: {} } },
  'no task': { artifactUpdate: { ...chunk, taskId: '' } },
  'no context': { artifactUpdate: { ...chunk, contextId: undefined } },
  'a null': { artifactUpdate: { ...chunk, append: null } },
  'a number': { artifactUpdate: { ...chunk, lastChunk: 1 } },
  'an artifact without an id': { artifactUpdate: { ...chunk, artifact: { ...artifact, artifactId: '' } } },
  "an artifact's own metadata": { artifactUpdate: { ...chunk, artifact: { ...artifact, metadata: {} } } },
  'an index of 0.1': { artifactUpdate: { ...chunk, artifact: { ...artifact, index: 0 } } },
  'a name that is none': { artifactUpdate: { ...chunk, artifact: { ...artifact, name: 1 } } },
  'no parts': { artifactUpdate: { ...chunk, artifact: { artifactId: 'a' } } },
  'a part of data': { artifactUpdate: { ...chunk, artifact: { ...artifact, parts: [{ data: 1 }] } } },
  'a part with a kind': { artifactUpdate: { ...chunk, artifact: { ...artifact, parts: [{ kind: 'text', text: 'x' }] } } },
  'a part with a media type': { artifactUpdate: { ...chunk, artifact: { ...artifact, parts: [{ text: 'x', mediaType: 'text/plain' }] } } },
  'a bare string': { artifactUpdate: { ...chunk, artifact: { ...artifact, parts: ['x'] } } },
};

suite('a plain chunk of text', () => {
  for (const [name, event] of Object.entries(plain)) {
    test(name, () => {
      assert.ok(isPlainChunk(event));
      for (const form of ['1.0', '1.0-rc', '1.0-draft']) {
        const version = formOf(form);
        assert.ok(version !== undefined);
        const note = (rule: string): void => assert.fail(`${form} notes ${rule}`);
        assert.deepEqual(readStreamResponse(event, version, note), version.readStreamResponse(event, note), form);
      }
    });
  }

  for (const [name, event] of Object.entries(others)) {
    test(`is not one with ${name}`, () => assert.equal(isPlainChunk(event), false));
  }

  test('is noted all the same where another generation is spoken', () => {
    const spoken = formOf('0.3');
    assert.ok(spoken !== undefined);
    const noted: string[] = [];
    readStreamResponse({ artifactUpdate: chunk }, spoken, rule => noted.push(rule));
    assert.ok(noted.includes('VER-04'));
  });
});
