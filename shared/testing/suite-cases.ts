import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');

/** Titles, requests, counts and limits; not names of variables, types and modules. */
const isCaseText = (node: ts.Node): node is ts.LiteralLikeNode =>
  (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
  !ts.isImportDeclaration(node.parent);

/** The literals of a program and of the files that it imports by a relative path. */
const readCases = (file: string, seen: Set<string>): string[] => {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const imported = ts
    .preProcessFile(source.text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .flatMap(({ fileName }) => readCases(join(dirname(file), fileName), seen));
  const own: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isCaseText(node)) own.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...imported, ...own];
};

/** The cases of a suite that generates requests from the contract. */
const listOperations = (): string[] => {
  const document = readFileSync(join(ROOT, 'openapi/platform.json'), 'utf8');
  const { paths } = JSON.parse(document) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
};

/**
 * Identifies the cases of a suite without running it. A moved file or a renamed variable changes nothing, another case does.
 * @param program the path of its main file in the repository
 */
export const hashCases = (program: string): string => {
  const files = new Set<string>();
  const cases = readCases(join(ROOT, program), files);
  if ([...files].some((file) => file.endsWith('/openapi-operations.ts'))) cases.push(...listOperations());
  cases.sort();
  return createHash('sha256').update(cases.join('\n')).digest('hex').slice(0, 16);
};
