import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

// Prints what the sources weigh: "npm run count" in all, "-- --list" also the files and functions behind the figures, "-- ROOT" those of
// another checkout. It judges nothing: it is for comparing two commits.

const list = process.argv.includes('--list');
const root = resolve(process.argv.slice(2).find(word => !word.startsWith('--')) ?? join(import.meta.dirname, '..'));
const longFunction = 80;

interface Source {
  readonly name: string;
  readonly tree: ts.SourceFile;
  readonly lines: number;
}

const sourcesIn = (folders: readonly string[]): Source[] =>
  folders
    .flatMap(folder => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }))
    .concat(globSync('esbuild.mjs', { cwd: root }))
    .sort()
    .map(name => {
      const text = readFileSync(join(root, name), 'utf8');
      return { name, tree: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true), lines: text.split('\n').length - 1 };
    });

/** Lines with code and lines with a comment; a line with both counts as both. */
function linesOf(tree: ts.SourceFile): { readonly code: number; readonly comment: number } {
  const [code, comment] = [new Set<number>(), new Set<number>()];
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
  const add = (lines: Set<number>, from: number, to: number): void => {
    for (let line = lineAt(from); line <= lineAt(to); line++) lines.add(line);
  };
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(tree.text, node.pos) ?? []) add(comment, pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(tree.text, node.end) ?? []) add(comment, pos, end);
    if (node.getChildCount(tree) === 0 && node.end > node.getStart(tree)) add(code, node.getStart(tree), node.end);
    // The children that `forEachChild` leaves out are tokens without comments of their own, and JSDoc.
    for (const child of node.getChildren(tree)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(tree);
  return { code: code.size, comment: comment.size };
}

function longFunctions({ name, tree }: Source): { readonly at: string; readonly lines: number }[] {
  const found: { at: string; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
      const lines = tree.getLineAndCharacterOfPosition(node.end).line - first + 1;
      if (lines > longFunction) found.push({ at: `${name}:${first + 1}`, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Exports of `src` that no other file imports by name, tests included. */
function homeExports(all: readonly Source[]): string[] {
  const used = new Set<string>();
  for (const { name, tree } of all) {
    const noteUse = (specifier: string, member: string): void => {
      if (specifier.startsWith('.')) used.add(`${join(dirname(name), specifier)} ${member}`);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
        const bindings = node.importClause?.namedBindings;
        if (bindings !== undefined && ts.isNamedImports(bindings))
          for (const { propertyName, name: own } of bindings.elements) noteUse(node.moduleSpecifier.text, (propertyName ?? own).text);
        else noteUse(node.moduleSpecifier.text, '*');
      } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
        if (node.exportClause !== undefined && ts.isNamedExports(node.exportClause))
          for (const { propertyName, name: own } of node.exportClause.elements)
            noteUse(node.moduleSpecifier.text, (propertyName ?? own).text);
      } else if (ts.isImportTypeNode(node) || (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)) {
        const argument = ts.isImportTypeNode(node)
          ? ts.isLiteralTypeNode(node.argument)
            ? node.argument.literal
            : undefined
          : node.arguments[0];
        if (argument !== undefined && ts.isStringLiteralLike(argument)) noteUse(argument.text, '*');
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return all
    .filter(({ name }) => name.startsWith('src/') && !used.has(`${name} *`))
    .flatMap(({ name, tree }) =>
      tree.statements
        .filter(statement => ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.[0]?.kind === ts.SyntaxKind.ExportKeyword)
        .flatMap(statement =>
          ts.isVariableStatement(statement)
            ? statement.declarationList.declarations.map(declaration => declaration.name.getText(tree))
            : [(statement as ts.DeclarationStatement).name?.getText(tree) ?? 'default'],
        )
        .filter(member => !used.has(`${name} ${member}`))
        .map(member => `${name} ${member}`),
    );
}

const counted = sourcesIn(['src', 'scripts']);
const everything = [...counted, ...sourcesIn(['test', 'examples'])];
const src = counted.filter(({ name }) => name.startsWith('src/'));
const sizes = src.map(({ lines }) => lines).sort((a, b) => a - b);
const sums = counted.map(({ tree }) => linesOf(tree));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const [code, comment] = [sum(sums.map(({ code: lines }) => lines)), sum(sums.map(({ comment: lines }) => lines))];
const lines = sum(counted.map(file => file.lines));
const long = src.flatMap(longFunctions).sort((a, b) => b.lines - a.lines);
const home = homeExports(everything);
const large = src.filter(file => file.lines > 400);

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
  };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const json = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
const { contributes, dependencies, devDependencies } = json<Manifest>('package.json');
const hidden = new Set(contributes.menus['commandPalette']?.filter(({ when }) => when === 'false').map(({ command }) => command));
const sentences = ['l10n/bundle.l10n.zh-cn.json', 'l10n/schemas.l10n.zh-cn.json', 'package.nls.json'].map(
  path => Object.keys(json<object>(path)).length,
);
const kilobytes = (folder: string): number =>
  Math.round(sum(globSync(`node_modules/${folder}/**/*`, { cwd: root }).map(path => statSync(join(root, path)).size)) / 1024);

const figures: readonly (readonly [what: string, figure: number | string, behind?: readonly string[]])[] = [
  ['lines of src, scripts and esbuild.mjs', lines],
  ['… with code', code],
  ['… with a comment', `${comment} (${((100 * comment) / lines).toFixed(1)} %)`],
  ['files in src', src.length],
  ['… median of their lines', sizes[Math.floor(sizes.length / 2)]!],
  ['… under 20 lines', sizes.filter(size => size < 20).length],
  ['… over 300 lines', sizes.filter(size => size > 300).length],
  ['… over 400 lines', large.length, large.map(({ name, lines: size }) => `${size} ${name}`)],
  [`functions over ${longFunction} lines`, long.length, long.map(({ at, lines: size }) => `${size} ${at}`)],
  ['exports that no other file imports', home.length, home],
  ['commands', contributes.commands.length],
  ['… in the palette', contributes.commands.filter(({ command }) => !hidden.has(command)).length],
  ['sentences for people', sum(sentences)],
  ['packages that are shipped', Object.keys(dependencies).length, Object.keys(dependencies).map(name => `${kilobytes(name)} KB ${name}`)],
  ['packages for development', Object.keys(devDependencies).length],
];
for (const [what, figure, behind = []] of figures) {
  console.log(`${String(figure).padStart(16)}  ${what}`);
  if (list) for (const line of behind) console.log(`${' '.repeat(20)}${line}`);
}
