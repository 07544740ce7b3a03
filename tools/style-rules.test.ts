import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

type Violation = { rule: string; file: string; content: string };

const violation = (rule: string, file: string, ...lines: string[]): Violation => ({
  rule,
  file,
  content: [...lines, ''].join('\n'),
});

const VIOLATIONS: Violation[] = [
  violation('noDefaultExport', 'shared/src/log/default.ts', 'export default 1;'),
  violation('noExplicitAny', 'shared/src/log/anything.ts', 'export let anything: any;'),
  violation('useFilenamingConvention', 'shared/src/log/CamelCase.ts', 'export const a = 1;'),
  violation('useNodejsImportProtocol', 'shared/src/log/path.ts', "import 'path';"),
  violation(
    'useImportType',
    'shared/src/log/value.ts',
    "import { Log } from './log.ts';",
    'export type A = Log;',
  ),
  violation('noRestrictedImports', 'shared/src/log/deep/deeper/parent.ts', "import '../../../log/log.ts';"),
  violation('noRestrictedImports', 'shared/src/log/process.ts', "export { env } from 'node:process';"),
  violation('noBarrelFile', 'shared/src/log/barrel.ts', "export { createLog } from './log.ts';"),
  violation('noEmptyBlockStatements', 'shared/src/log/catch.ts', "try { JSON.parse('') } catch {}"),
  violation('noFloatingPromises', 'shared/src/log/float.ts', 'const run = async () => 1;', 'run();'),
  violation('noUndeclaredDependencies', 'gateway/src/package.ts', "import 'knex';"),
  violation('noConsole', 'gateway/src/console.ts', "console.log('');"),
  violation('noProcessEnv', 'gateway/src/env.ts', 'export const home = process.env.HOME;'),
  violation(
    'noRestrictedGlobals',
    'auth-service/src/added/env-service.ts',
    'export const { env } = process;',
  ),
  violation('noFocusedTests', 'gateway/test/focus.test.ts', "it.only('', () => undefined);"),
  violation('noSkippedTests', 'gateway/test/skip.test.ts', "it.skip('', () => undefined);"),
  violation(
    'suppressions/parse',
    'gateway/src/no-reason.ts',
    '// biome-ignore lint/suspicious/noConsole:',
    "console.log('');",
  ),
  violation('plugin', 'gateway/src/class.ts', 'export class Thing { a = 1 }'),
  violation('plugin', 'gateway/src/prefix.ts', 'export interface IThing { a: 1 }'),
];

describe('style rules', () => {
  let copy: CheckoutCopy;
  let report = '';

  before(async () => {
    copy = await createCheckoutCopy();
    for (const { file, content } of VIOLATIONS) await copy.writeFile(file, content);
    ({ output: report } = await copy.check('style'));
  });
  after(() => copy.removeAll());

  for (const { rule, file } of VIOLATIONS)
    it(`${rule} reports ${file}`, () => {
      const found = report.split('\n').filter((line) => line.startsWith(file) && line.includes(rule));
      expect(found, report).not.to.be.empty;
    });
});
