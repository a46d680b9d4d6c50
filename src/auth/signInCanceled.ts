import { Problem, sentence } from '../protocol/problem.ts';

/** The person has canceled. */
export class SignInCanceled extends Problem {
  constructor() {
    super('sign-in-canceled', sentence('The sign-in was canceled.'));
    this.name = 'SignInCanceled';
  }
}
