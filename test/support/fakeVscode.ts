import { EventEmitter as NodeEvents } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';

// As much of VS Code's API as the host's side of the chat panel touches, so that it runs outside of VS Code.

export class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }

  static from(...all: readonly { dispose(): void }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }

  dispose(): void {
    this.#dispose();
  }
}

export class EventEmitter<T> {
  readonly #events = new NodeEvents();
  readonly event = (listener: (value: T) => void): Disposable => {
    this.#events.on('fired', listener);
    return new Disposable(() => this.#events.off('fired', listener));
  };

  fire(value: T): void {
    this.#events.emit('fired', value);
  }

  dispose(): void {
    this.#events.removeAllListeners();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export const Uri = {
  file: (path: string) => ({
    scheme: 'file',
    path,
    fsPath: path,
    toString: () => `file://${path}`,
    with: ({ scheme, path: to = path }: { scheme?: string; path?: string }): object =>
      scheme === undefined ? Uri.file(to) : Uri.from({ scheme, path: to }),
  }),
  /** `toString` returns the text unchanged, without VS Code's normalization. */
  parse: (value: string) => ({ scheme: new URL(value).protocol.slice(0, -1), path: new URL(value).pathname, toString: () => value }),
  joinPath: (base: { path: string }, ...names: string[]) => Uri.file([base.path, ...names].join('/')),
  from: (parts: { scheme: string; path: string; query?: string }) => ({
    query: '',
    ...parts,
    toString: () => `${parts.scheme}:${parts.path}`,
  }),
};

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: unknown;
  readonly end: unknown;
  constructor(start: unknown, end: unknown) {
    this.start = start;
    this.end = end;
  }
}

export class CodeLens {
  readonly range: unknown;
  command: unknown;
  constructor(range: unknown, command?: unknown) {
    this.range = range;
    this.command = command;
  }
}

export const languages = { registerCodeLensProvider: () => new Disposable(() => {}) };

export class Location {
  readonly uri: unknown;
  readonly range: unknown;
  constructor(uri: unknown, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export class TestRunRequest {
  readonly include: readonly unknown[];

  constructor(include: readonly unknown[]) {
    this.include = include;
  }
}

export class TestMessage {
  expectedOutput?: string;
  actualOutput?: string;
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }

  static diff(message: string, expectedOutput: string, actualOutput: string): TestMessage {
    return Object.assign(new TestMessage(message), { expectedOutput, actualOutput });
  }
}

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

/** Its value is what was appended, text and Markdown alike. */
export class MarkdownString {
  value = '';

  appendText(text: string): this {
    this.value += text;
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const UIKind = { Desktop: 1, Web: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const debug = { activeDebugSession: undefined };
export const env = { language: 'en' };
export const l10n = {
  bundle: undefined,
  t: (template: string, ...args: unknown[]) =>
    args.length === 0 ? template : template.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)])),
};
export const lm = {};
export class McpStdioServerDefinition {
  cwd: unknown;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
  constructor(
    ...given: readonly [label: string, command: string, args: readonly string[], env: Readonly<Record<string, string>>, version: string]
  ) {
    [this.label, this.command, this.args, this.env, this.version] = given;
  }
}
export const commands = { executeCommand: async () => undefined };
export const DocumentDropOrPasteEditKind = { Empty: { append: () => ({}) } };
export class DocumentPasteEdit {
  readonly insertText: string;
  constructor(insertText: string) {
    this.insertText = insertText;
  }
}
// For modules that are loaded with others and not used: the classes that they extend, and what their tables name.
export class CodeAction {}
export class SemanticTokensLegend {}
export const CompletionItemKind = {};
export const FileType = { File: 1, Directory: 2 };
export class FileSystemError extends Error {
  readonly code: string;
  constructor(cause: NodeJS.ErrnoException | string) {
    super(typeof cause === 'string' ? cause : cause.message, { cause });
    const code = typeof cause === 'string' ? undefined : cause.code;
    this.code = code === 'ENOENT' ? 'FileNotFound' : (code ?? 'Unknown');
  }
}
/** `workspace.fs` over the files of this machine. */
const onDisk =
  <Rest extends unknown[], Result>(work: (path: string, ...rest: Rest) => Promise<Result>) =>
  ({ fsPath }: { readonly fsPath: string }, ...rest: Rest): Promise<Result> =>
    work(fsPath, ...rest).catch((error: unknown) => {
      throw new FileSystemError(error as NodeJS.ErrnoException);
    });
const fs = {
  readFile: onDisk(path => readFile(path)),
  writeFile: onDisk((path, bytes: Uint8Array) => writeFile(path, bytes)),
  createDirectory: onDisk(path => mkdir(path, { recursive: true })),
  readDirectory: onDisk(async path =>
    (await readdir(path, { withFileTypes: true })).map(entry => [entry.name, entry.isDirectory() ? FileType.Directory : FileType.File]),
  ),
  stat: onDisk(async path => {
    const { mtimeMs: mtime, size } = await stat(path);
    return { mtime, size };
  }),
  delete: onDisk((path, options: { readonly recursive?: boolean } = {}) => rm(path, options)),
};
const quiet = new EventEmitter<unknown>();
export const workspace = {
  fs,
  isTrusted: true,
  getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
  onDidChangeConfiguration: quiet.event,
  onDidGrantWorkspaceTrust: quiet.event,
  onDidChangeTextDocument: quiet.event,
  onDidCloseTextDocument: quiet.event,
  textDocuments: [],
  asRelativePath: (path: string) => path,
  createFileSystemWatcher: () => ({ onDidCreate: quiet.event, onDidChange: quiet.event, onDidDelete: quiet.event, dispose: () => {} }),
};
export const tests = {};

export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };

export const window = {
  createOutputChannel: () => ({
    error: console.error,
    warn: console.warn,
    info: () => undefined,
    debug: () => undefined,
    trace: () => undefined,
  }),
};

/** The extension, as far as it names the schema of cards. */
export const extensions = {
  getExtension: () => ({
    extensionUri: Uri.file('/extension'),
    packageJSON: { contributes: { jsonValidation: [{ fileMatch: ['agent-card.json'], url: 'schema.json' }] } },
  }),
};
