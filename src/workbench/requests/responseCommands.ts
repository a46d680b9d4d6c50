import type { RequestRun } from '../../model/requests/requestRun.ts';
import { isAcceptable } from '../../model/requests/snapshotResult.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { requestTitle } from '../documents/requestDocuments.ts';
import { saveText } from '../documents/savedFile.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import type { LanguageContexts } from './language/languageContexts.ts';
import type { ResponseDocuments } from './response/document.ts';
import { wireTab } from './response/lenses.ts';
import type { ResponsePreviews } from './response/previews.ts';
import { requestOf, requireTrust } from './sending/requestTargets.ts';
import { rowIndex } from './testing/chosenTests.ts';
import { failedTest } from './testing/failedTest.ts';
import type { SentRequests } from './sent/sentRequests.ts';
import type { RequestSession, RequestSessions } from './session/requestSessions.ts';

type ResponseCommands = Pick<
  CommandHandlers,
  'a2a.showResponse' | 'a2a.previewResponse' | 'a2a.openRequestInChat' | 'a2a.compareResponses' | 'a2a.saveResponse' | 'a2a.updateSnapshots'
>;

/** Commands for the response of a request, of this session or kept from an earlier one. */
export function responseCommands({
  sessions,
  languageContexts,
  responses,
  previews,
  sent,
  openContext,
}: {
  readonly sessions: RequestSessions;
  readonly languageContexts: LanguageContexts;
  readonly responses: ResponseDocuments;
  readonly previews: ResponsePreviews;
  readonly sent: SentRequests;
  /** Opens the chat of a context. Rejects with a `Problem` if it is not in the history. */
  readonly openContext: (key: string | undefined) => Promise<{ readonly showExchange: (id: string | undefined) => void }>;
}): ResponseCommands {
  const ran = async (file: unknown, key: unknown): Promise<{ session: RequestSession; run: RequestRun; key: string }> => {
    const { document, entry } = await requestOf(file, key, languageContexts);
    const session = sessions.peek(document.uri);
    const run = session?.runs.get(entry.key);
    if (session === undefined || run === undefined)
      throw new Problem('not-sent', sentence('This request has not been sent yet.'), { nextStep: sentence('Send it first.') });
    return { session, run, key: entry.key };
  };

  return {
    'a2a.showResponse': async (file, key) => {
      const found = await ran(file, key);
      await responses.show(found.session, found.key);
    },
    'a2a.previewResponse': async file => {
      const kept = sent.named(file);
      if (kept !== undefined) return previews.openKept(kept.id, await sent.previewOf(kept));
      previews.open(previews.sessionOf(file));
    },
    'a2a.openRequestInChat': async (file, key, given) => {
      const kept = sent.named(file);
      const run = kept === undefined ? (await ran(file, key)).run : undefined;
      const chat = await openContext((kept ?? run)?.contextKey);
      if (given === wireTab) chat.showExchange(kept === undefined ? run?.outcome?.exchangeIds.at(-1) : kept.exchangeId);
    },
    'a2a.compareResponses': async (file, key) => {
      const kept = sent.named(file);
      if (kept !== undefined) return sent.compare(kept);
      const found = await ran(file, key);
      const before = await sent.before(found.session, found.run);
      if (before === undefined) {
        throw new Problem('not-sent', sentence('There is no earlier response to this request.'), {
          nextStep: sentence('Send it again.'),
        });
      }
      await responses.compare(found.session, found.key, before);
    },
    'a2a.saveResponse': async (file, key) => {
      const kept = sent.named(file);
      if (kept !== undefined) {
        const response = await sent.kept.textOf(kept);
        if (response !== undefined) await saveText(kept.title, response);
        return;
      }
      const { run } = await ran(file, key);
      await saveText(requestTitle(run.entry), await responses.textOf(run));
    },
    'a2a.updateSnapshots': async (file, key) => {
      requireTrust();
      const { test } = failedTest(file) ?? {};
      const isRow = test?.parent?.parent !== undefined;
      const { run } = await (test === undefined ? ran(file, key) : ran(test.uri, isRow ? test.parent?.id : test.id));
      if (run.outcome === undefined || !isAcceptable(run.outcome)) {
        throw new Problem('no-snapshot', sentence('This request has no answer that could be its snapshot.'), {
          nextStep: sentence('Send it again.'),
        });
      }
      run.acceptSnapshots(isRow ? rowIndex(test) : undefined);
    },
  };
}
