import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { failed, passed } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'AUTH-05',
  level: 'SHOULD',
  title: 'TLS is 1.2 or newer, with a valid certificate and HSTS',
  remedy: 'Turn off TLS 1.0 and 1.1, renew the certificate in time, and send Strict-Transport-Security.',
  clause: '7.1 Protocol Security',
  clause0_3: '4.1 Transport Security',
  versions: ['1.0', '0.3'],
  kit: ['AUTH-TLS-002'],
  probe: {
    unless: ({ interface: { url } }) => (/^https:/i.test(url) ? undefined : sentence('{0} is not encrypted.', url)),
    async run(port) {
      const answer = await port.call('GetTask', { id: crypto.randomUUID() });
      // Clients of gRPC connect in the configured way alone.
      if (answer.binding === 'GRPC') return passed(answer, sentence('{0} can be connected to.', port.interface.url));
      const value = answer.headers.get('strict-transport-security');
      // The connection has shown the rest: this client takes nothing older than TLS 1.2, and no certificate that is not right.
      return value !== undefined
        ? passed(answer, sentence('{0} is {1}, as it should be.', 'Strict-Transport-Security', quoted(value)))
        : failed(answer, sentence('The answer came without {0}.', 'Strict-Transport-Security'));
    },
  },
};
