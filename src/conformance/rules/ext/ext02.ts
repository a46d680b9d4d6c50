import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { unknownPrompt } from '../rule/begun.ts';
import { fromUser } from '../rule/fromUser.ts';
import { failed, notTestable, passed, unlessResult } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';
import { undeclared } from '../rule/unless.ts';

export const rule: Rule = {
  id: 'EXT-02',
  level: 'SHOULD',
  title: 'The answer lists the extensions that are active',
  remedy: 'Write the extensions that were applied into the extensions header of the answer.',
  clause: '3.2.6 Service Parameters',
  clause0_3: '5.5.2.1 AgentExtension Object',
  versions: ['1.0', '0.3'],
  whileReading: true,
  startsWork: true,
  kit: [],
  probe: {
    unless: port => ((port.card.capabilities.extensions ?? []).length > 0 ? undefined : undeclared(port, 'capabilities.extensions')),
    async run(port) {
      const parts = port.prompt('task');
      if (parts === undefined) return notTestable(unknownPrompt('task'));
      const uris = (port.card.capabilities.extensions ?? []).slice(0, 10).map(({ uri }) => uri);
      const header = port.version === '1.0' ? 'A2A-Extensions' : 'X-A2A-Extensions';
      const message = fromUser({ parts: [...parts] });
      const answer = await port.call('SendMessage', { message }, { headers: { [header]: uris.join(', ') } });
      const refused = unlessResult(answer);
      if (refused !== undefined) return refused;
      const active = (answer.headers.get(header.toLowerCase()) ?? answer.headers.get('a2a-extensions') ?? '')
        .split(',')
        .map(uri => uri.trim());
      return uris.some(uri => active.includes(uri))
        ? passed(answer, sentence('{0} is {1}, as it should be.', header, quoted(active.join(', '))))
        : failed(answer, sentence('The answer came without {0}.', header));
    },
  },
};
