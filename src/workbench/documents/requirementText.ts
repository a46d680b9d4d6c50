import type { SatisfiedRequirement } from '../../protocol/exchange.ts';
import { sentence, type LocalizedMessage } from '../../protocol/problem.ts';

/** The requirement of the agent card that a request carries credentials for, accepted or not, and the account whose sign-in they are of. */
export function requirementSentence({ schemes, identity }: SatisfiedRequirement): LocalizedMessage {
  const names = schemes.join(' + ');
  return identity === 'default'
    ? sentence('Carries the credential for the security requirement "{0}".', names)
    : sentence('Carries the credential of the sign-in "{1}" for the security requirement "{0}".', names, identity);
}
