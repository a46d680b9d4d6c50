import * as vscode from 'vscode';
import type { JsonSchema } from '../../request/schema/jsonSchema.ts';

const reading = new Map<string, Promise<JsonSchema>>();

/**
 * The schema that the manifest ships for files of a name, with its texts in the language of the person, as VS Code's JSON support has it.
 * @param files one of the names in the manifest's `jsonValidation`
 */
export function shippedSchema(files: '*.a2a' | 'agent-card.json'): Promise<JsonSchema> {
  let schema = reading.get(files);
  if (schema === undefined) reading.set(files, (schema = read(files)));
  return schema;
}

async function read(files: string): Promise<JsonSchema> {
  const extension = vscode.extensions.getExtension('a2a-workbench.a2a-workbench')!;
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly jsonValidation: readonly { readonly fileMatch: readonly string[]; readonly url: string }[] };
  };
  // The manifest's strings name the file of each language.
  const { url } = contributes.jsonValidation.find(({ fileMatch }) => fileMatch.includes(files))!;
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension.extensionUri, url));
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonSchema;
}
