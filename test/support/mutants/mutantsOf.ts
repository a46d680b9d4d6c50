import ts from 'typescript';

/** A source with one small mistake in it. */
export interface Mutant {
  /** Where and what, such as `12: === becomes !==`. */
  readonly title: string;
  /** The text of the source from `start` to `end` is this one. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const swapped: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);

/**
 * The mistakes that people make: an operator in the place of another, a condition the wrong way round, one more or one less, a statement that is
 * missing. What is for people to read (a sentence, a name) stays as it is: a test that holds each word would say nothing more.
 */
export function mutantsOf(source: string): Mutant[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, text: string, what: string): void => {
    const start = node.getStart(file);
    mutants.push({ title: `${file.getLineAndCharacterOfPosition(start).line + 1}: ${what}`, start, end: node.getEnd(), text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'sentence') return;
    if (ts.isBinaryExpression(node)) {
      const to = swapped.get(node.operatorToken.kind);
      if (to !== undefined) add(node.operatorToken, to, `${node.operatorToken.getText(file)} becomes ${to}`);
    }
    const condition =
      ts.isIfStatement(node) || ts.isWhileStatement(node) ? node.expression : ts.isConditionalExpression(node) ? node.condition : undefined;
    if (condition !== undefined) add(condition, `!(${condition.getText(file)})`, `not ${short(condition.getText(file))}`);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, node.operand.getText(file), `without ! before ${short(node.operand.getText(file))}`);
    if (ts.isNumericLiteral(node) && !ts.isEnumMember(node.parent)) add(node, `(${node.text} + 1)`, `${node.text} becomes one more`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false', 'true becomes false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true', 'false becomes true');
    if (ts.isExpressionStatement(node) && !isSuper(node)) add(node, ';', `without ${short(node.getText(file))}`);
    if (ts.isThrowStatement(node)) add(node, ';', `without ${short(node.getText(file))}`);
    if (ts.isReturnStatement(node) && node.expression === undefined) add(node, ';', 'without return');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

const isSuper = (node: ts.ExpressionStatement): boolean =>
  ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword;

const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 60);
