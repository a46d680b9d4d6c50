import { hint, Problem, sentence } from '../../protocol/problem.ts';

export const otherCertificates = (identity: string): Problem =>
  new Problem(
    'sign-in-certificates',
    sentence(
      'The request was not sent: the settings of this workspace decide which certificates are trusted, and your sign-in "{0}" would go along.',
      identity,
    ),
    {
      nextStep: hint(
        sentence('Sign in again and allow it, or move "tls" of the agent to your user settings.'),
        'Say it in the command line if you trust them (--ca FILE, --insecure), or send without it: --identity none.',
      ),
    },
  );

export const notSignedIn = (identity: string): Problem =>
  new Problem('sign-in-missing', sentence('You are not signed in as "{0}" at this agent.', identity), {
    nextStep: {
      ...sentence('Sign in with "A2A: Sign In…".'),
      terminal: { template: 'Sign in with: a2a auth login URL --identity {0}', args: [identity] },
    },
  });
