import type { SatisfiedRequirement } from '../../protocol/exchange.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** The requirement of the agent card that a request satisfies, and the account whose sign-in it uses. */
export function requirementSentence({ schemes, identity }: SatisfiedRequirement): LocalizedMessage {
  const names = schemes.join(' + ');
  return identity === 'default'
    ? sentence('Satisfies the security requirement "{0}".', names)
    : sentence('Satisfies the security requirement "{0}" with the sign-in "{1}".', names, identity);
}
