import { unknownPrompt } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { expectError, notTestable } from '../rule/outcome.ts';
import type { Probe, ProbePort } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'A request that does not name a required extension is refused',
  section: '3.3.4',
  versions: ['1.0'],
  active: true,
  startsWork: true,
  kit: ['CORE-CAP-004'],
};

const isRequired = ({ card }: ProbePort): boolean => (card.capabilities.extensions ?? []).some(({ required }) => required === true);

export const probe: Probe = {
  unless: port => (isRequired(port) ? undefined : undeclared(port, 'capabilities.extensions.required')),
  async run(port) {
    const parts = port.prompt('task');
    if (parts === undefined) return notTestable(unknownPrompt('task'));
    const message = fromUser({ parts: [...parts] });
    return expectError(await port.call('SendMessage', { message }, { headers: { 'A2A-Extensions': undefined } }), [-32008]);
  },
};
