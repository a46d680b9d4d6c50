import * as vscode from 'vscode';

/**
 * The command that opens a page of `docs/`, which comes with the extension, as rendered Markdown: in the display language where there is such a page.
 * It takes a page's name with or without a heading (`chat`, `troubleshooting#proxy`); anything else opens the list of all pages.
 */
export const documentationCommand = (extensionUri: vscode.Uri) => ({
  'a2a.openDocumentation': async (page?: unknown): Promise<void> => {
    const [, name = 'README', fragment = ''] = /^([a-z-]+)(?:#([\w-]+))?$/.exec(typeof page === 'string' ? page : '') ?? [];
    const folder = vscode.Uri.joinPath(extensionUri, 'docs');
    const translated = vscode.Uri.joinPath(folder, `${name}.${vscode.env.language}.md`);
    const exists = await vscode.workspace.fs.stat(translated).then(
      () => true,
      () => false,
    );
    const uri = exists ? translated : vscode.Uri.joinPath(folder, `${name}.md`);
    await vscode.commands.executeCommand('markdown.showPreview', uri.with({ fragment }));
  },
});
