import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

// The packages that a process loads, found by following its imports: an image contains these and no others.

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCE = /\.(?:ts|mjs|js)$/;

/** One reference from a file: a URL is relative to the file even without `./`. */
type Reference = { specifier: string; isUrl: boolean };

/** `import type` and `export type` load nothing, but `import { type A }` does: Node removes only the name. */
const isErased = (node: ts.ImportDeclaration | ts.ExportDeclaration): boolean =>
  ts.isExportDeclaration(node)
    ? node.isTypeOnly
    : node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;

const isDynamic = ({ expression }: ts.CallExpression): boolean =>
  expression.kind === ts.SyntaxKind.ImportKeyword || expression.getText() === 'import.meta.resolve';

const isRelativeUrl = ({ expression, arguments: values }: ts.NewExpression): boolean =>
  expression.getText() === 'URL' && values?.[1]?.getText() === 'import.meta.url';

/** `import(new URL(file, FOLDER).href)`: the URL of the folder is a reference to all of its files. */
const isFileOfFolder = (node: ts.Expression | undefined): boolean =>
  /^new URL\(\w+, [A-Z]+\)\.href$/.test(node?.getText() ?? '');

/** `import … from '…'`, `import('…')`, `import.meta.resolve('…')` and `new URL('…', import.meta.url)`. */
const findExpression = (node: ts.Node): ts.Expression | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return isErased(node) ? undefined : node.moduleSpecifier;
  if (ts.isCallExpression(node) && isDynamic(node))
    return isFileOfFolder(node.arguments[0]) ? undefined : node.arguments[0];
  return ts.isNewExpression(node) && isRelativeUrl(node) ? node.arguments?.[0] : undefined;
};

/** @throws Error for a reference that is not a literal, because it cannot be followed */
const readReferences = (path: string): Reference[] => {
  const found: Reference[] = [];
  const visit = (node: ts.Node): void => {
    const expression = findExpression(node);
    if (expression && !ts.isStringLiteralLike(expression))
      throw new Error(`${path}: ${node.getText()} is not a literal, so its package is unknown`);
    if (expression) found.push({ specifier: expression.text, isUrl: ts.isNewExpression(node) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
};

const getPackageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The main module of a process and its operator commands, which run in the same image. */
const findEntries = async (folder: string): Promise<string[]> => {
  const files = await readdir(folder, { recursive: true });
  const entries = files.filter((file) => /(?:^|[\\/])(?:main|run-[^\\/]+)\.ts$/.test(file));
  return entries.map((file) => join(folder, file));
};

/** What one file refers to: packages, and the files to follow. */
const resolveReferences = (file: string) => {
  const packages: string[] = [];
  const files: string[] = [];
  for (const { specifier, isUrl } of SOURCE.test(file) ? readReferences(file) : []) {
    const path = resolve(dirname(file), specifier);
    if (isUrl && specifier.endsWith('/')) files.push(...readdirSync(path).map((name) => join(path, name)));
    else if (isUrl || specifier.startsWith('.')) files.push(path);
    else if (!isBuiltin(specifier)) packages.push(getPackageName(specifier));
    if (specifier.startsWith('@platform/')) files.push(createRequire(file).resolve(specifier));
  }
  return { packages, files };
};

/** The packages that a process loads at its start or later, other workspaces (`@platform/…`) included. */
export const findLoadedPackages = async (workspace: string, root = ROOT): Promise<Set<string>> => {
  const loaded = new Set<string>();
  const files = new Set(await findEntries(join(root, workspace, 'src')));
  for (const file of files) {
    const references = resolveReferences(file);
    for (const name of references.packages) loaded.add(name);
    for (const path of references.files) files.add(path);
  }
  return loaded;
};
