import { findNodeAtOffset } from 'jsonc-parser';
import type { JSONDocument, LanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { RequestFile } from '../file/requestFile.ts';
import { sectionAt } from '../file/sections.ts';
import type { JsonSchema } from '../schema/jsonSchema.ts';
import { endOf, type TextRange } from '../text/textRange.ts';
import { placeAt } from './caretPosition.ts';
import type { Completion } from './completion.ts';

/** A fence of a Markdown document, as the JSON service reads it. */
interface Fence {
  readonly service: LanguageService;
  readonly document: TextDocument;
  readonly json: JSONDocument;
}

const services = new WeakMap<JsonSchema, Promise<LanguageService>>();

/** VS Code's JSON service with the schema of request files. It has nothing to load other schemas with: `$schema` is not followed. */
async function serviceFor(schema: JsonSchema): Promise<LanguageService> {
  const { getLanguageService } = await import('vscode-json-languageservice');
  const service = getLanguageService({
    clientCapabilities: { textDocument: { completion: { completionItem: { documentationFormat: ['markdown'] } } } },
  });
  service.configure({ schemas: [{ uri: 'a2a:requests', fileMatch: ['*'], schema }] });
  return service;
}

async function readFence(text: string, schema: JsonSchema): Promise<Fence> {
  let loading = services.get(schema);
  if (loading === undefined) services.set(schema, (loading = serviceFor(schema)));
  const service = await loading;
  const document = TextDocument.create('a2a:fence', 'jsonc', 0, text);
  return { service, document, json: service.parseJSONDocument(document) };
}

/**
 * Keys and values that the schema of request files offers in a fence of a Markdown document, which VS Code's own JSON support does not
 * reach.
 * @param schema with its texts in the language of the person
 */
export async function schemaCompletions(file: RequestFile, offset: number, schema: JsonSchema): Promise<readonly Completion[]> {
  const place = placeAt(file, offset);
  const section = sectionAt(file.sections, offset);
  if (section?.root === undefined || place === undefined || place.template !== undefined) return [];
  const start = section.range.offset;
  const { service, document, json } = await readFence(file.text.slice(start, endOf(section.range)), schema);
  const found = await service.doComplete(document, document.positionAt(offset - start), json);
  const items = (found?.items ?? []).map(item => ({ ...item, sortText: item.sortText ?? item.label }));
  return items
    .sort((one, other) => one.sortText.localeCompare(other.sortText))
    .flatMap(({ label, textEdit, documentation }, rank): Completion[] => {
      if (textEdit === undefined || !('range' in textEdit)) return [];
      const [from, to] = [document.offsetAt(textEdit.range.start), document.offsetAt(textEdit.range.end)];
      return [
        {
          label: label.replaceAll(/^"|"$/g, ''),
          kind: place.isKey ? 'key' : 'value',
          insert: textEdit.newText,
          snippet: true,
          range: { offset: start + from, length: to - from },
          documentation: typeof documentation === 'string' ? documentation : documentation?.value,
          rank,
        },
      ];
    });
}

/** The schema's description of the key at an offset, in Markdown. */
export async function schemaHover(
  file: RequestFile,
  offset: number,
  schema: JsonSchema,
): Promise<{ readonly range: TextRange; readonly description: string } | undefined> {
  const section = sectionAt(file.sections, offset);
  const node = section?.root && findNodeAtOffset(section.root, offset);
  if (section === undefined || node?.parent?.type !== 'property' || node.parent.children?.[0] !== node) return undefined;
  const start = section.range.offset;
  const { service, document, json } = await readFence(file.text.slice(start, endOf(section.range)), schema);
  const found = await service.doHover(document, document.positionAt(offset - start), json);
  const description = [found?.contents ?? []]
    .flat()
    .map(part => (typeof part === 'string' ? part : part.value))
    .join('\n\n');
  return description === '' ? undefined : { range: { offset: node.offset, length: node.length }, description };
}
