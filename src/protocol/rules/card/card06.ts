import { sentence } from '../../problem.ts';
import { quoted } from '../../quoted.ts';
import { judged, passed } from '../rule/outcome.ts';
import type { PassiveCheck } from '../rule/passiveCheck.ts';
import type { Probe } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';
import { objects } from '../rule/values.ts';

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

const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
/** What a server listens at for every address of its machine; nobody can connect to it from another one. */
const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

export const passive: PassiveCheck = {
  card({ card, version }, note) {
    const check = (url: unknown, pointer: string, isGrpc: boolean): void => {
      if (typeof url !== 'string' || url === '') return;
      // Cards give the address of gRPC as a URL or as host:port; the texts have both.
      if (isGrpc && !/^https?:/i.test(url)) return;
      if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url) || !URL.canParse(url)) {
        note(pointer, sentence('{0} is not an absolute address.', quoted(url)));
        return;
      }
      const { protocol, hostname } = new URL(url);
      if (anyAddress.has(hostname))
        note(pointer, sentence('{0} is the address a server listens at; clients cannot connect to it.', quoted(url)));
      else if (protocol === 'http:' && !loopback.test(hostname))
        note(pointer, sentence('{0} is not encrypted: the address should be https.', quoted(url)));
    };
    if (version === '1.0') {
      for (const [index, { url, protocolBinding }] of objects(card['supportedInterfaces']))
        check(url, `/supportedInterfaces/${index}/url`, protocolBinding === 'GRPC');
      return;
    }
    check(card['url'], '/url', card['preferredTransport'] === 'GRPC');
    for (const [index, { url, transport }] of objects(card['additionalInterfaces']))
      check(url, `/additionalInterfaces/${index}/url`, transport === 'GRPC');
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
