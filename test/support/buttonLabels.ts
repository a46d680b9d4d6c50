import ts from 'typescript';

const buttons = new Set(['IconButton', 'TextButton', 'CopyButton', 'button']);
const labelAttributes = new Set(['label', 'title', 'aria-label']);

/** A button whose children are its label, rather than a row that can be pressed. */
const hasWords = (tag: string): boolean => /^<TextButton\b|^<button\b[^]*class="(?:text-button|to-end)/.test(tag);

/** Without these there is no label: most sources need not be parsed. */
const mayHaveLabels = (source: string): boolean =>
  /\bt\(/.test(source) && /[Bb]utton|onPick|iconPath|show(?:Information|Warning|Error)Message/.test(source);

/** The labels of buttons and menu entries in a source of the panel or the workbench: the sentences in `t('…')` that a person can press. */
export const buttonLabels = (path: string, source: string): string[] => pressableTexts(path, source).labels;

/** The sentences of the notifications that a source of the workbench shows, where it writes them itself; not those of modal dialogs. */
export const notifications = (path: string, source: string): string[] => pressableTexts(path, source).notifications;

function pressableTexts(path: string, source: string): { readonly labels: string[]; readonly notifications: string[] } {
  if (!mayHaveLabels(source)) return { labels: [], notifications: [] };
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const labels: string[] = [];
  const shown: string[] = [];
  const constants = new Map<string, ts.Expression>();
  const collectInto =
    (texts: string[]) =>
    (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /(?:^|\.)t$/.test(node.expression.getText(file))) {
        const [text] = node.arguments;
        if (text !== undefined && ts.isStringLiteral(text)) texts.push(text.text);
      } else if (ts.isIdentifier(node) && constants.has(node.text)) {
        const value = constants.get(node.text);
        constants.delete(node.text);
        if (value !== undefined) collectInto(texts)(value);
      } else if (!ts.isObjectLiteralExpression(node)) ts.forEachChild(node, collectInto(texts));
    };
  const collect = collectInto(labels);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      constants.set(node.name.text, node.initializer);
    if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
      if (buttons.has(node.tagName.getText(file))) {
        for (const attribute of node.attributes.properties) {
          if (ts.isJsxAttribute(attribute) && labelAttributes.has(attribute.name.getText(file)) && attribute.initializer !== undefined)
            collect(attribute.initializer);
        }
      }
    }
    if (ts.isJsxElement(node) && hasWords(node.openingElement.getText(file))) node.children.forEach(collect);
    if (ts.isObjectLiteralExpression(node)) {
      const members = new Map(
        node.properties.flatMap(one => (ts.isPropertyAssignment(one) ? [[one.name.getText(file), one.initializer] as const] : [])),
      );
      const label =
        members.get('onPick') !== undefined
          ? members.get('label')
          : members.get('iconPath') !== undefined
            ? members.get('tooltip')
            : undefined;
      if (label !== undefined) collect(label);
    }
    if (ts.isCallExpression(node) && /\.show(?:Information|Warning|Error)Message$/.test(node.expression.getText(file))) {
      const [first, ...others] = node.arguments;
      if (first !== undefined && !others.some(one => /\bmodal\b/.test(one.getText(file)))) collectInto(shown)(first);
      others.forEach(collect);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { labels, notifications: shown };
}
