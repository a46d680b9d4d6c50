import { unknownPrompt } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectError, notTestable } from '../rule/outcome.ts';
import type { Declared } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

const isRequired = ({ card }: Declared): boolean => (card.capabilities.extensions ?? []).some(({ required }) => required === true);

export const rule: Rule = {
  id: 'EXT-01',
  level: 'MUST',
  title: 'A request without a required extension is refused',
  remedy: 'Compare the extensions header of each request with the extensions that the card marks as required, before work begins.',
  clause: '3.3.4 Capability Validation',
  versions: ['1.0'],
  startsWork: true,
  kit: ['CORE-CAP-004'],
  probe: {
    unless: port => (isRequired(port) ? undefined : undeclared(port, 'capabilities.extensions.required')),
    async run(port) {
      const parts = port.prompt('task');
      if (parts === undefined) return notTestable(unknownPrompt('task'));
      const message = fromUser({ parts: [...parts] });
      return expectError(await port.call('SendMessage', { message }, { headers: { 'A2A-Extensions': undefined } }), [-32008]);
    },
  },
};
