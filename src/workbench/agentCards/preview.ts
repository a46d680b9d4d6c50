import * as vscode from 'vscode';
import * as z from 'zod';
import { cardValue, nodeAt } from '../../card/cardText.ts';
import type { CardVerifying } from '../../client/card/signatures/lazyCardVerifier.ts';
import { CardPageMessage, type CardView, type ShownSignature } from '../../chat/host/cardMessages.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { isObject } from '../../protocol/json.ts';
import { ignoreFindings } from '../../protocol/finding.ts';
import { Problem } from '../../protocol/problem.ts';
import { readAgentCard } from '../../protocol/versions/index.ts';
import { cardLanguage, cardProblemsOf, cardTextOf } from './documents.ts';
import { rangeIn } from '../platform/documentDiagnostics.ts';
import { log, logError } from '../platform/log.ts';
import { translate } from '../platform/report.ts';
import { oneLine } from '../platform/untrustedText.ts';
import { onDidChangeTrustedSigners } from './trustedSigners.ts';
import { showPage } from '../platform/webviewHtml.ts';
import { openPickedFile } from '../platform/workspaceFiles.ts';
import type { SignatureReport, SignatureVerdict } from '../../client/card/signatures/signatureReport.ts';

const cardPreviewType = 'a2a.cardPreview';

const KeptState = z.object({ uri: z.string() });

/** Maximum number of problems that the page lists. */
const maxProblems = 50;

/** Delay between the last keystroke and the update of the page. */
const delayMs = 100;

interface Preview {
  readonly panel: vscode.WebviewPanel;
  uri: vscode.Uri;
  card: AgentCard | undefined;
  /** Defaults and scheme names of the text of `card`, as sent to the page. */
  written: Pick<CardView, 'missing' | 'schemes'>;
  timer: NodeJS.Timeout | undefined;
  /** Number of the shown text: signatures of an earlier one are dropped. */
  shown: number;
}

/** The preview beside the text of agent cards: it follows the card in front, and is updated while that is edited. */
export class CardPreview implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #verifier: CardVerifying;
  #preview: Preview | undefined;
  readonly #registration: vscode.Disposable;

  constructor(extensionUri: vscode.Uri, verifier: CardVerifying) {
    this.#extensionUri = extensionUri;
    this.#verifier = verifier;
    this.#registration = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const preview = this.#preview;
        if (preview?.uri.toString() !== document.uri.toString()) return;
        clearTimeout(preview.timer);
        preview.timer = setTimeout(() => void this.#show(preview, document), delayMs);
      }),
      onDidChangeTrustedSigners(() => {
        const preview = this.#preview;
        const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === preview?.uri.toString());
        if (preview !== undefined && document !== undefined) void this.#show(preview, document);
      }),
      vscode.window.onDidChangeActiveTextEditor(editor => {
        if (this.#preview !== undefined && editor?.document.languageId === cardLanguage) this.#follow(this.#preview, editor.document);
      }),
      vscode.window.registerWebviewPanelSerializer(cardPreviewType, {
        deserializeWebviewPanel: async (panel, state) => {
          const kept = KeptState.safeParse(state);
          if (kept.success && this.#preview === undefined) this.#fill(panel, vscode.Uri.parse(kept.data.uri));
          else panel.dispose();
        },
      }),
    );
  }

  open(document: vscode.TextDocument): void {
    if (this.#preview !== undefined) {
      this.#follow(this.#preview, document);
      this.#preview.panel.reveal(undefined, true);
      return;
    }
    this.#fill(
      vscode.window.createWebviewPanel(cardPreviewType, titleOf(document.uri), {
        viewColumn: vscode.ViewColumn.Beside,
        preserveFocus: true,
      }),
      document.uri,
    );
  }

  dispose(): void {
    this.#registration.dispose();
    this.#preview?.panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel, uri: vscode.Uri): void {
    const preview: Preview = { panel, uri, card: undefined, written: {}, timer: undefined, shown: 0 };
    this.#preview = preview;
    panel.title = titleOf(uri);
    panel.webview.onDidReceiveMessage(message => void this.#receive(preview, message));
    panel.onDidDispose(() => {
      clearTimeout(preview.timer);
      this.#preview = undefined;
    });
    showPage('cardPage', panel, this.#extensionUri);
  }

  #follow(preview: Preview, document: vscode.TextDocument): void {
    if (preview.uri.toString() === document.uri.toString()) return;
    clearTimeout(preview.timer);
    Object.assign(preview, { uri: document.uri, card: undefined, written: {} });
    preview.panel.title = titleOf(document.uri);
    void this.#show(preview, document);
  }

  async #receive(preview: Preview, data: unknown): Promise<void> {
    const message = CardPageMessage.safeParse(data);
    if (!message.success) return log.warn(`The card page sent an invalid message: ${message.error.message}`);
    const { uri } = preview;
    const document = await openPickedFile(uri);
    if (message.data.type === 'ready') return this.#show(preview, document);
    if (message.data.type === 'trust') return void vscode.commands.executeCommand('a2a.trustSigner', uri);
    const card = cardTextOf(document);
    const node =
      message.data.type === 'revealProblem'
        ? { offset: message.data.offset, length: 0 }
        : card === undefined
          ? undefined
          : nodeAt(card, message.data.path);
    if (node === undefined) return;
    const range = rangeIn(document, node);
    const editor = vscode.window.visibleTextEditors.find(shown => shown.document === document);
    await vscode.window.showTextDocument(document, {
      viewColumn: editor?.viewColumn ?? vscode.ViewColumn.One,
      selection: new vscode.Range(range.start, range.start),
    });
  }

  /** Shows the card, and what is known of its signatures as soon as that is known. */
  async #show(preview: Preview, document: vscode.TextDocument): Promise<void> {
    const read = cardTextOf(document);
    const value = read === undefined ? undefined : cardValue(read);
    const card = value === undefined ? undefined : asCard(value, document.uri);
    if (card !== undefined) {
      preview.card = card;
      preview.written = writtenIn(value);
    }
    const shown = (preview.shown += 1);
    const problems = await cardProblemsOf(document);
    if (shown !== preview.shown) return;
    const view: CardView = {
      uri: document.uri.toString(),
      card: preview.card,
      form: read?.form ?? '1.0',
      current: card !== undefined,
      ...preview.written,
      problems: problems.slice(0, maxProblems).map(({ severity, sentence, range }) => ({
        severity,
        text: translate(sentence),
        offset: range.offset,
      })),
      strings: vscode.l10n.bundle ?? {},
    };
    const text = document.getText();
    if (card === undefined || !text.includes('"signatures"')) return void preview.panel.webview.postMessage(view);
    void preview.panel.webview.postMessage({ ...view, signatures: [] } satisfies CardView);
    try {
      const signatures = shownSignatures(await this.#verifier.verify(text));
      if (shown === preview.shown)
        void preview.panel.webview.postMessage({ ...view, ...(signatures && { signatures }) } satisfies CardView);
    } catch (error) {
      logError(error);
    }
  }
}

/** Members that a card is read with although its text does not have them, and the names of the schemes of the text. */
function writtenIn(value: unknown): Pick<CardView, 'missing' | 'schemes'> {
  if (!isObject(value)) return {};
  const schemes = value['securitySchemes'];
  return {
    missing: ['defaultInputModes', 'defaultOutputModes'].filter(name => value[name] === undefined),
    ...(isObject(schemes) && { schemes: Object.keys(schemes) }),
  };
}

function asCard(value: unknown, uri: vscode.Uri): AgentCard | undefined {
  try {
    return readAgentCard(value, ignoreFindings, uri.path);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const titleOf = ({ path }: vscode.Uri): string => vscode.l10n.t('Preview {0}', oneLine(path.slice(path.lastIndexOf('/') + 1)));

const kinds: Readonly<Record<SignatureVerdict, ShownSignature['kind']>> = {
  valid: 'good',
  partial: 'warning',
  invalid: 'bad',
  'expired-key': 'bad',
  'keys-unavailable': 'unknown',
  'untrusted-key': 'unknown',
  'unknown-key': 'unknown',
  unsupported: 'warning',
  malformed: 'warning',
};

/** The signatures of a card for its page; undefined for a card without. */
function shownSignatures(report: SignatureReport | undefined): readonly ShownSignature[] | undefined {
  if (report === undefined) return undefined;
  const { signatures, problems, verdict, message } = report;
  const shown = signatures.map(
    (each): ShownSignature => ({
      kind: kinds[each.verdict],
      text: translate(each.message),
      notes: [
        ...each.notes.map(translate),
        ...(each.key === undefined ? [] : [vscode.l10n.t('Fingerprint of the key: {0}', each.key.thumbprint)]),
      ],
      canTrust: each.verdict === 'untrusted-key' && each.keysUrl !== undefined,
    }),
  );
  const others = [...(signatures.length === 0 ? [message] : []), ...problems];
  return [
    ...shown,
    ...others.map(
      (each): ShownSignature => ({
        kind: kinds[signatures.length === 0 ? verdict : 'malformed'],
        text: translate(each),
        notes: [],
        canTrust: false,
      }),
    ),
  ];
}
