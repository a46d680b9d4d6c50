import jsonLanguageService, { type Diagnostic, type LanguageService, type TextDocument } from 'vscode-json-languageservice';
import { jsonSchemas } from '../../../src/request/schema/schemas.ts';

const { ClientCapabilities, getLanguageService, TextDocument: Documents } = jsonLanguageService;

const files = {
  'a2a.schema.json': { languageId: 'a2a', name: 'file:///workspace/requests.a2a', match: ['*.a2a'] },
  'agent-card.schema.json': { languageId: 'json', name: 'file:///workspace/agent-card.json', match: ['agent-card.json'] },
} as const;
type SchemaFile = keyof typeof files;

/** The JSON language service as VS Code's JSON server configures it: schemas by file match, comments and trailing commas are errors. */
function service(): LanguageService {
  const languageService = getLanguageService({ clientCapabilities: ClientCapabilities.LATEST });
  const schemas = jsonSchemas();
  languageService.configure({
    validate: true,
    allowComments: false,
    // A round trip through text, as the shipped files make it.
    schemas: (Object.keys(files) as SchemaFile[]).map(file => ({
      uri: `a2a://schemas/${file}`,
      fileMatch: [...files[file].match],
      schema: JSON.parse(JSON.stringify(schemas[file])) as object,
    })),
  });
  return languageService;
}
const languageService = service();

function open(file: SchemaFile, text: string): { document: TextDocument; json: ReturnType<LanguageService['parseJSONDocument']> } {
  const { name, languageId } = files[file];
  const document = Documents.create(name, languageId, 1, text);
  return { document, json: languageService.parseJSONDocument(document) };
}

export interface SchemaFinding {
  /** The stretch that is underlined. */
  readonly at: string;
  readonly offset: number;
  readonly message: string;
}

/** What the editor underlines, in the order of the text. */
export async function findings(file: SchemaFile, text: string): Promise<SchemaFinding[]> {
  const { document, json } = open(file, text);
  const diagnostics: Diagnostic[] = await languageService.doValidation(document, json, { comments: 'error', trailingCommas: 'error' });
  return diagnostics
    .map(({ range, message }) => ({
      at: document.getText(range),
      offset: document.offsetAt(range.start),
      message: typeof message === 'string' ? message : message.value,
    }))
    .sort((a, b) => a.offset - b.offset);
}

/** The labels that completion offers at an offset, without the quotes, sorted. */
export async function completions(file: SchemaFile, text: string, offset: number): Promise<string[]> {
  const { document, json } = open(file, text);
  const list = await languageService.doComplete(document, document.positionAt(offset), json);
  return [...new Set((list?.items ?? []).map(({ label }) => label.replaceAll(/^"|"$/g, '')))].sort();
}

/** The text of the hover at an offset. */
export async function hover(file: SchemaFile, text: string, offset: number): Promise<string> {
  const { document, json } = open(file, text);
  const found = await languageService.doHover(document, document.positionAt(offset), json);
  const contents = found?.contents ?? [];
  return (Array.isArray(contents) ? contents : [contents]).map(item => (typeof item === 'string' ? item : item.value)).join('\n');
}
