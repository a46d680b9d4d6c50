/** What the workbench loads with the first sign-in: a bundle of its own. */
export { exclusiveBy } from '../exclusiveFile.ts';
export { loopbackRedirects } from '../oauth/loopbackRedirects.ts';
export { signInPlan } from './planOf.ts';
export { SignIns } from './signIns.ts';
