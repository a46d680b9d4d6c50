/** Modules that the workbench loads with the first sign-in. */
export { exclusiveBy } from '../exclusiveFile.ts';
export { askAgent } from '../doctor/askAgent.ts';
export { tokenIn } from '../doctor/explainedSignIn.ts';
export { explainSignIn } from '../doctor/explainSignIn.ts';
export { fetchedFrom } from '../doctor/fetchedFrom.ts';
export { SignInTrace } from '../doctor/signInTrace.ts';
export { loopbackRedirects } from '../oauth/loopbackRedirects.ts';
export { signInPlan } from '../signIns/planOf.ts';
export { SignIns } from '../signIns/signIns.ts';
