import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

type Fault = { rule: string; file: string; content: string };

const fault = (rule: string, file: string, ...lines: string[]): Fault => ({
  rule,
  file,
  content: [...lines, ''].join('\n'),
});

const FAULTS: Fault[] = [
  fault('noDefaultExport', 'shared/src/log/default.ts', 'export default 1;'),
  fault('noExplicitAny', 'shared/src/log/anything.ts', 'export let anything: any;'),
  fault('useFilenamingConvention', 'shared/src/log/CamelCase.ts', 'export const a = 1;'),
  fault('useNodejsImportProtocol', 'shared/src/log/path.ts', "import 'path';"),
  fault(
    'useImportType',
    'shared/src/log/value.ts',
    "import { Log } from './log.ts';",
    'export type A = Log;',
  ),
  fault('noRestrictedImports', 'shared/src/log/deep/deeper/parent.ts', "import '../../../log/log.ts';"),
  fault('noRestrictedImports', 'shared/src/log/process.ts', "export { env } from 'node:process';"),
  fault('noBarrelFile', 'shared/src/log/barrel.ts', "export { createLog } from './log.ts';"),
  fault('noEmptyBlockStatements', 'shared/src/log/catch.ts', "try { JSON.parse('') } catch {}"),
  fault('noFloatingPromises', 'shared/src/log/float.ts', 'const run = async () => 1;', 'run();'),
  fault('noUndeclaredDependencies', 'gateway/src/package.ts', "import 'knex';"),
  fault('noConsole', 'gateway/src/console.ts', "console.log('');"),
  fault('noProcessEnv', 'gateway/src/env.ts', 'export const home = process.env.HOME;'),
  fault('noRestrictedGlobals', 'auth-service/src/planted/env-service.ts', 'export const { env } = process;'),
  fault('noFocusedTests', 'gateway/test/focus.test.ts', "it.only('', () => undefined);"),
  fault('noSkippedTests', 'gateway/test/skip.test.ts', "it.skip('', () => undefined);"),
  fault(
    'suppressions/parse',
    'gateway/src/no-reason.ts',
    '// biome-ignore lint/suspicious/noConsole:',
    "console.log('');",
  ),
  fault('plugin', 'gateway/src/class.ts', 'export class Thing { a = 1 }'),
  fault('plugin', 'gateway/src/prefix.ts', 'export interface IThing { a: 1 }'),
];

describe('The style rules', () => {
  let copy: CheckoutCopy;
  let report = '';

  before(async () => {
    copy = await createCheckoutCopy();
    for (const { file, content } of FAULTS) await copy.plant(file, content);
    ({ output: report } = await copy.check('style'));
  });
  after(() => copy.removeAll());

  for (const { rule, file } of FAULTS)
    it(`When ${file} breaks ${rule}, then it is reported`, () => {
      const found = report.split('\n').filter((line) => line.startsWith(file) && line.includes(rule));
      expect(found, report).not.to.be.empty;
    });
});
