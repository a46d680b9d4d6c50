import { sentence } from '../../../protocol/problem.ts';
import { failed, hasReason, inconclusive, isAside, isNeither, isRefused, nothing, passed, said } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

/** Method not found, version not supported: what an agent answers that takes it for a request of 0.3. Over HTTP the path is unknown, without a code. */
const ofUnknown: ReadonlySet<number | undefined> = new Set([-32601, -32009, -32001, undefined]);

export const rule: Rule = {
  id: 'VER-02',
  level: 'MUST',
  title: 'A request without A2A-Version is treated as 0.3',
  remedy: 'Treat a request without A2A-Version as 0.3, and refuse it if that is not supported.',
  clause: '3.6.2 Server Responsibilities',
  versions: ['1.0'],
  kit: ['VER-SERVER-003'],
  probe: {
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() }, { headers: { 'A2A-Version': undefined }, judgedAs: '0.3' });
      if (isAside(answer, [-32009]) || isNeither(answer)) return nothing(answer);
      // An error that the agent answers to every task it does not know says nothing about the version.
      const isVague = answer.error?.code === undefined && isRefused(answer) && answer.status < 400 && answer.binding !== 'GRPC';
      if (isVague || (answer.error !== undefined && !ofUnknown.has(answer.error.code))) {
        const plain = await port.call('GetTask', { id: crypto.randomUUID() });
        if (plain.error?.code === answer.error?.code)
          return inconclusive(
            answer,
            sentence('It answered {0}, as it does with 1.0, which says nothing about the version.', said(answer)),
          );
      }
      // An agent that takes it for a request of 0.3 knows no such method or path there, or no such version.
      const { error, binding } = answer;
      const isTakenFor1 =
        error === undefined ? !isRefused(answer) : error.code === -32001 && (binding === 'JSONRPC' || hasReason(error.value));
      return isTakenFor1
        ? failed(
            answer,
            sentence('It answered {0} without A2A-Version, as it does with 1.0.', said(answer)),
            error?.pointer ?? answer.pointer,
          )
        : passed(answer, sentence('It answered {0}, as it should.', said(answer)));
    },
  },
};
