import * as assert from 'node:assert/strict';
import { outputFaults } from '../../../../src/schema/forms/outputSchema.ts';
import type { Part } from '../../../../src/protocol/message/part.ts';
import type { Entry } from '../../../../src/protocol/message/transcript.ts';

const schema = { type: 'array', items: { type: 'object', required: ['ticketNumber'], properties: { ticketNumber: { type: 'string' } } } };
const asking = (metadata?: Record<string, unknown>): Entry => ({
  kind: 'message',
  seq: 1,
  at: 0,
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Show my tickets', ...(metadata && { metadata }) }] },
});

suite('protocol: output of a schema', () => {
  const cases: readonly (readonly [what: string, asked: Entry, part: Part, pointers: readonly string[] | null])[] = [
    ['data that fits', asking({ schema }), { data: [{ ticketNumber: 'REQ1' }] }, []],
    ['data that does not', asking({ schema }), { data: [{ ticketNumber: 'REQ1' }, {}] }, ['/1/ticketNumber']],
    ['text that is JSON', asking({ mimeType: 'application/json', schema }), { text: '[{"ticketNumber":7}]' }, ['/0/ticketNumber']],
    ['text that is none', asking({ schema }), { text: 'Here they are' }, ['']],
    ['a file', asking({ schema }), { url: 'https://example.org/' }, null],
    ['nothing asked for', asking(), { data: 7 }, null],
    ['a schema that is none', asking({ schema: 'a list' }), { data: 7 }, null],
  ];
  for (const [what, asked, part, pointers] of cases) {
    test(what, () => assert.deepEqual(outputFaults(asked, part)?.map(({ pointer }) => pointer) ?? null, pointers));
  }
});
