import type { SatisfiedRequirement } from '../../protocol/exchange.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** Which requirement of the agent card a request satisfies, and by whose sign-in. */
export function requirementSentence({ schemes, identity }: SatisfiedRequirement): LocalizedMessage {
  const names = schemes.join(' + ');
  return identity === 'default'
    ? sentence('Satisfies the security requirement "{0}".', names)
    : sentence('Satisfies the security requirement "{0}" with the sign-in "{1}".', names, identity);
}
