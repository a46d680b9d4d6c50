import { addresses } from '../../card/checks/interfaces.ts';
import { sentence } from '../../problem.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import { judged, passed } from '../rule/outcome.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  level: 'MUST',
  title: 'The address of an interface is absolute and can be connected to',
  section: '4.4.6',
  section0_3: '5.5',
  versions: ['1.0', '0.3'],
  passive: true,
  active: true,
  kit: ['AUTH-TLS-001', 'GRPC-SVC-003'],
};

export const passive: PassiveCheck = {
  card(view, note) {
    noteFaults(view, note, addresses, isOneOf('url-space', 'url-scheme', 'url-relative', 'url-unspecified', 'url-http'));
  },
};

export const probe: Probe = {
  async run(port) {
    const { url } = port.interface;
    const card = await port.get(port.cardUrl);
    const said = judged('CARD-06', card.exchange);
    if (said.verdict !== 'pass') return said;
    const answer = await port.call('GetTask', { id: crypto.randomUUID() });
    return passed(answer, sentence('{0} can be connected to.', url));
  },
};
