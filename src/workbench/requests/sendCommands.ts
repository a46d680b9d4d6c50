import type { Uri } from 'vscode';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import type { LanguageContexts } from './language/languageContexts.ts';
import type { ResponseDocuments } from './response/document.ts';
import type { RequestSender } from './sending/requestSender.ts';
import { documentOf, requestOf } from './sending/requestTargets.ts';
import { sendAllRequests } from './sending/sendAllRequests.ts';
import type { RequestSession, RequestSessions } from './session/requestSessions.ts';

/** Responses of a file that are kept in memory to be compared with later ones: how many, and the longest, in UTF-16 code units. */
const maxEarlier = { count: 20, length: 2_000_000 };

type SendCommands = Pick<CommandHandlers, 'a2a.sendRequest' | 'a2a.sendLastRequest' | 'a2a.sendAllRequests' | 'a2a.stopRequest'>;

/** Commands that send the requests of a file, and stop them. */
export function sendCommands({
  sessions,
  languageContexts,
  sender,
  responses,
}: {
  readonly sessions: RequestSessions;
  readonly languageContexts: LanguageContexts;
  readonly sender: RequestSender;
  readonly responses: ResponseDocuments;
}): SendCommands {
  const keepEarlier = async (session: RequestSession, key: string): Promise<void> => {
    const run = session.runs.get(key);
    if (run === undefined || run.running) return;
    const text = await responses.textOf(run);
    session.earlier.delete(key);
    if (text.length > maxEarlier.length) return;
    session.earlier.set(key, text);
    for (const oldest of session.earlier.keys()) {
      if (session.earlier.size <= maxEarlier.count) break;
      session.earlier.delete(oldest);
    }
  };

  let last: { readonly uri: Uri; readonly key: string } | undefined;
  const send = async (file: unknown, key: unknown): Promise<void> => {
    const { document, entry } = await requestOf(file, key, languageContexts);
    const prepared = await sender.prepare(document, one => one.key === entry.key);
    if (prepared === undefined) return;
    const { session, options } = prepared;
    last = { uri: session.uri, key: entry.key };
    await keepEarlier(session, entry.key);
    session.runs.send(prepared.entries[0]!, prepared.file, options);
    await responses.showSent(session, entry.key);
  };

  return {
    'a2a.sendRequest': send,
    'a2a.sendLastRequest': async () => {
      if (last === undefined)
        throw new Problem('not-sent', sentence('No request has been sent yet.'), { nextStep: sentence('Send one first.') });
      await send(last.uri.toString(), last.key);
    },
    'a2a.sendAllRequests': async file => {
      const document = await documentOf(file);
      if (sessions.peek(document.uri)?.sendingAll === true) return;
      const prepared = await sender.prepare(document);
      // It may have been chosen once more meanwhile.
      if (prepared === undefined || prepared.session.sendingAll) return;
      await sendAllRequests(prepared, { sessions, responses, keepEarlier });
    },
    'a2a.stopRequest': async (file, key) => {
      const session = sessions.peek((await documentOf(file)).uri);
      if (typeof key === 'string') return session?.runs.get(key)?.stop();
      session?.all?.abort();
      session?.runs.stop();
    },
  };
}
