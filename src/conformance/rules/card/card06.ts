import { addresses } from '../../../protocol/card/checks/interfaces.ts';
import { Problem, sentence } from '../../../protocol/problem.ts';
import { isOneOf, noteFaults } from '../rule/cardFaults.ts';
import { failed, hasReason, judged, passed } from '../rule/outcome.ts';
import type { ProbeAnswer } from '../rule/probe.ts';
import type { Rule } from '../rule/rule.ts';

/** True for an answer of a server that has no such path. */
const isNowhere = ({ binding, status, error }: ProbeAnswer): boolean =>
  binding !== 'GRPC' && (status === 404 || status === 405) && error?.code === undefined && !hasReason(error?.value);

export const rule: Rule = {
  id: 'CARD-06',
  level: 'MUST',
  title: 'The address of an interface is absolute and can be connected to',
  remedy:
    'Write the address that clients reach, with its scheme; behind a proxy, take it from the configuration and not from the listening socket.',
  clause: '4.4.6 AgentInterface',
  clause0_3: '5.5 AgentCard Object Structure',
  versions: ['1.0', '0.3'],
  kit: ['AUTH-TLS-001', 'GRPC-SVC-003'],
  passive: {
    card(view, note) {
      noteFaults(view, note, addresses, isOneOf('url-space', 'url-scheme', 'url-relative', 'url-unspecified', 'url-http'));
    },
  },
  probe: {
    async run(port) {
      const { url, protocolBinding } = port.interface;
      const card = await port.get(port.cardUrl);
      const said = judged('CARD-06', card.exchange);
      if (said.verdict !== 'pass') return said;
      try {
        const answer = await port.call('GetTask', { id: crypto.randomUUID() });
        // Over HTTP+JSON an unknown task has the same status: there the list of tasks is what each agent of 1.0 has.
        const there =
          protocolBinding !== 'JSONRPC' && isNowhere(answer) && port.version === '1.0' ? await port.call('ListTasks', {}) : answer;
        return isNowhere(there) && (protocolBinding === 'JSONRPC' || there !== answer)
          ? failed(there, sentence('The agent is not at {0}: requests there are answered with HTTP {1}.', url, there.status))
          : passed(answer, sentence('{0} can be connected to.', url));
      } catch (error) {
        if (!(error instanceof Problem) || (error.code !== 'unreachable' && error.code !== 'not-http')) throw error;
        const { exchangeId } = error;
        return {
          verdict: 'fail',
          why: sentence('{0} cannot be connected to. {1}', url, error.sentence),
          ...(exchangeId !== undefined && { exchangeId }),
        };
      }
    },
  },
};
