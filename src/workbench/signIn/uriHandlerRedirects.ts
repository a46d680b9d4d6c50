import * as vscode from 'vscode';
import type { RedirectReceiver } from '../../auth/signInPrompts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { handleAddresses, ownAddress } from '../network/addressHandler.ts';

/** Longest wait for the person in the browser, in milliseconds. */
const maxWaitMs = 10 * 60_000;

const waiting = new Map<string, (address: URL) => void>();

/** VS Code has decoded the query: a plus sign in a code is one, and no space any more. In words it stands for a space all the same. */
function answered(query: string): URL {
  const address = new URL(`http://127.0.0.1/?${query.replaceAll('+', '%2B')}`);
  const words = address.searchParams.get('error_description');
  if (words !== null) address.searchParams.set('error_description', words.replaceAll('+', ' '));
  return address;
}

/** Receives the answer of an authorization server through VS Code itself, where the browser is on another machine. */
export async function uriHandlerRedirects(): Promise<RedirectReceiver> {
  handleAddresses(({ query }) => {
    const address = answered(query);
    waiting.get(address.searchParams.get('state') ?? '')?.(address);
  });
  const own = vscode.Uri.parse(ownAddress('/signed-in'));
  const uri = (await vscode.env.asExternalUri(own)).toString(true);
  return {
    uri,
    received: (state, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          waiting.delete(state);
        };
        const fail = (problem: Problem): void => {
          stop();
          reject(problem);
        };
        const onAbort = (): void => fail(new Problem('sign-in-canceled', sentence('The sign-in was canceled.')));
        const timer = setTimeout(
          () =>
            fail(
              new Problem('sign-in-late', sentence('The sign-in was not finished within {0} minutes.', maxWaitMs / 60_000), {
                nextStep: sentence('Sign in again.'),
              }),
            ),
          maxWaitMs,
        );
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        else
          waiting.set(state, address => {
            stop();
            resolve(address);
          });
      }),
    close: () => Promise.resolve(),
  };
}
