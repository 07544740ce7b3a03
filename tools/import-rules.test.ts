import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

type SourceFile = { file: string; imports: string[] };
type Violation = SourceFile & { rule: string };
type Rules = Record<'forbidden' | 'required', { name: string }[]>;

const rules: Rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

const valid = (file: string, ...imports: string[]): SourceFile => ({ file, imports });
const violation = (rule: string, file: string, ...imports: string[]): Violation => ({ rule, file, imports });
const value = (from: string) => `import { added } from '${from}';`;
const type = (from: string) => `import type { added } from '${from}';`;

/** The files that the violations import, and the root of a service. */
const VALID: SourceFile[] = [
  valid('gateway/src/added.ts'),
  valid('dev/added.ts'),
  valid('openapi/types/added.ts'),
  valid('openapi/client/src/added.ts', value('openapi-fetch'), type('../../types/added.ts')),
  valid('openapi/client/src/passkeys.ts', value('@simplewebauthn/browser')),
  valid('shared/src/mail/added.ts'),
  valid('shared/src/db/added.ts'),
  valid('shared/src/errors/added.ts', value('node:http')),
  valid('shared/src/http/added.ts', value('express'), value('../errors/added.ts')),
  valid('shared/src/http/serve.ts'),
  valid('shared/src/queue/right.ts', type('./left.ts')),
  valid('shared/testing/added.ts', value('../src/errors/added.ts')),
  valid(
    'auth-service/test/added.test.ts',
    value('@platform/shared/testing/added'),
    value('../src/compose.ts'),
  ),
  valid('auth-service/src/config.ts', value('@platform/shared/config/env')),
  valid('auth-service/src/kinds.ts'),
  valid('auth-service/src/stores.ts', value('./invoices/invoices-store.ts'), type('knex')),
  valid(
    'auth-service/src/security.ts',
    type('./invoices/invoices-feature.ts'),
    value('@platform/shared/tokens/tokens'),
    type('express'),
  ),
  valid('auth-service/src/operations.ts', type('@platform/openapi/types/added')),
  valid(
    'auth-service/src/app.ts',
    value('express'),
    value('./security.ts'),
    value('./invoices/invoice.ts'),
    type('./operations.ts'),
    type('./invoices/invoices-routes.ts'),
  ),
  valid(
    'auth-service/src/compose.ts',
    value('./stores.ts'),
    value('./app.ts'),
    value('./invoices/invoices-feature.ts'),
    value('@platform/shared/http/added'),
    type('@platform/openapi/types/added'),
    value('redis'),
  ),
  valid(
    'auth-service/src/main.ts',
    value('./config.ts'),
    value('./compose.ts'),
    value('@platform/shared/http/serve'),
  ),
];

/** A feature with a file of each role, which uses an earlier feature. */
const FEATURE: SourceFile[] = [
  valid(
    'auth-service/src/invoices/invoice.ts',
    value('@platform/shared/errors/added'),
    value('../kinds.ts'),
    value('../accounts/account.ts'),
    type('@platform/shared/db/added'),
  ),
  valid(
    'auth-service/src/invoices/invoices-mapper.ts',
    value('../kinds.ts'),
    value('./invoice.ts'),
    type('@platform/openapi/types/added'),
  ),
  valid('auth-service/src/invoices/invoice-scripts.ts'),
  valid(
    'auth-service/src/invoices/invoices-store.ts',
    value('knex'),
    value('./invoice.ts'),
    value('./invoices-mapper.ts'),
    value('./invoice-scripts.ts'),
    type('../accounts/account.ts'),
  ),
  valid('auth-service/src/invoices/printer-adapter.ts', value('node:fs'), value('./invoice.ts')),
  valid(
    'auth-service/src/invoices/invoices-service.ts',
    value('./invoice.ts'),
    type('./invoices-store.ts'),
    type('./printer-adapter.ts'),
    type('../stores.ts'),
    value('../accounts/account.ts'),
    type('../accounts/accounts-service.ts'),
    type('@platform/shared/mail/added'),
    value('@platform/shared/errors/added'),
  ),
  valid(
    'auth-service/src/invoices/invoices-routes.ts',
    value('./invoices-mapper.ts'),
    value('../accounts/account-mapper.ts'),
    type('./invoices-service.ts'),
    type('../operations.ts'),
    type('@platform/openapi/types/added'),
    value('@platform/shared/http/added'),
  ),
  valid(
    'auth-service/src/invoices/invoices-feature.ts',
    value('./invoices-service.ts'),
    value('./invoices-routes.ts'),
    value('./printer-adapter.ts'),
    type('../accounts/accounts-feature.ts'),
  ),
];

const VIOLATIONS: Violation[] = [
  violation('main-starts-the-service', 'gateway/src/main.ts', value('@platform/shared/log/log')),
  violation('compose-stays-in-its-service', 'mailer-worker/src/compose.ts', value('@platform/gateway/added')),
  violation('app-without-database', 'admin-service/src/app.ts', value('knex')),
  violation('app-without-database', 'admin-service/src/security.ts', type('./stores.ts')),
  violation(
    'app-without-database-as-types',
    'auth-service/src/app.ts',
    value('./invoices/invoices-routes.ts'),
  ),
  violation('routes-without-database', 'auth-service/src/sessions/knex-routes.ts', type('knex')),
  violation(
    'routes-without-database',
    'auth-service/src/sessions/shared-routes.ts',
    value('@platform/shared/db/added'),
  ),
  violation('routes-without-database', 'auth-service/src/sessions/compose-routes.ts', type('../compose.ts')),
  violation(
    'services-without-http-and-database',
    'auth-service/src/sessions/http-service.ts',
    type('express'),
  ),
  violation(
    'services-without-http-and-database',
    'auth-service/src/sessions/contract-service.ts',
    type('@platform/openapi/types/added'),
  ),
  violation(
    'services-without-http-and-database-as-types',
    'auth-service/src/invoices/invoices-service.ts',
    value('./invoices-store.ts'),
  ),
  violation(
    'stores-only-access-data',
    'auth-service/src/invoices/service-store.ts',
    type('./invoices-service.ts'),
  ),
  violation('stores-only-access-data', 'auth-service/src/sessions/http-store.ts', value('express')),
  violation(
    'stores-only-access-data-as-types',
    'auth-service/src/invoices/invoices-store.ts',
    value('@platform/shared/config/env'),
  ),
  violation('domain-is-pure', 'auth-service/src/sessions/added.ts', value('node:fs')),
  violation(
    'domain-is-pure-as-types',
    'auth-service/src/invoices/invoice.ts',
    value('@platform/shared/db/added'),
  ),
  violation('mappers-are-pure', 'auth-service/src/invoices/store-mapper.ts', type('./invoices-store.ts')),
  violation(
    'mappers-are-pure-as-types',
    'auth-service/src/invoices/invoices-mapper.ts',
    value('@platform/openapi/types/added'),
  ),
  violation(
    'features-are-isolated',
    'auth-service/src/invoices/other-adapter.ts',
    type('../accounts/accounts-store.ts'),
  ),
  violation(
    'features-are-isolated-as-types',
    'auth-service/src/invoices/value-feature.ts',
    value('../accounts/accounts-service.ts'),
  ),
  violation('features-have-an-order', 'auth-service/src/accounts/later.ts', type('../invoices/invoice.ts')),
  violation('templates-are-pure', 'mailer-worker/src/templates/added.ts', value('@platform/shared/log/log')),
  violation(
    'templates-are-pure-as-types',
    'mailer-worker/src/templates/added.ts',
    value('@platform/shared/mail/added'),
  ),
  violation(
    'services-are-isolated',
    'admin-service/src/teams/added-service.ts',
    type('@platform/gateway/added'),
  ),
  violation('gateway-without-business-logic', 'gateway/src/database.ts', value('pg')),
  violation(
    'gateway-without-business-logic',
    'gateway/src/tokens.ts',
    value('@platform/shared/tokens/tokens'),
  ),
  violation(
    'gateway-without-business-logic',
    'gateway/src/contract.ts',
    type('@platform/openapi/types/added'),
  ),
  violation(
    'shared-imports-no-workspace',
    'shared/src/http/contract.ts',
    type('@platform/openapi/types/added'),
  ),
  violation('openapi-imports-no-workspace', 'openapi/types/shared.ts', type('@platform/shared/mail/added')),
  violation('client-runs-in-browsers', 'openapi/client/src/node.ts', value('node:fs')),
  violation('client-runs-in-browsers-as-types', 'openapi/client/src/added.ts', value('../../types/added.ts')),
  violation('workspaces-by-name', 'auth-service/src/path.ts', value('../../shared/src/mail/added.ts')),
  violation('production-without-development-code', 'mailer-worker/src/dev.ts', value('@platform/dev/added')),
  violation('testing-only-in-tests', 'gateway/src/testing.ts', value('@platform/shared/testing/added')),
  violation('system-tests-are-black-box', 'test/added.test.ts', type('@platform/auth-service/kinds')),
  violation('no-cycles', 'shared/src/queue/left.ts', value('./right.ts')),
  violation('no-barrels', 'shared/src/mail/index.ts'),
  violation('no-catch-all-folders', 'auth-service/src/utils/added.ts'),
];

describe('import rules', () => {
  let copy: CheckoutCopy;
  let report = '';

  const writeAll = async (files: SourceFile[]): Promise<void> => {
    for (const [file, same = []] of Object.entries(Object.groupBy(files, ({ file }) => file))) {
      const imports = same.flatMap((each) => each.imports);
      await copy.writeFile(file, [...imports, 'export const added = 1;', ''].join('\n'));
    }
  };

  before(async () => {
    copy = await createCheckoutCopy();
    await writeAll([...VALID, ...FEATURE]);
  });
  after(() => copy.removeAll());

  it('accept a new feature whose files import what their role allows', async () => {
    const { code, output } = await copy.check('imports');
    expect(code, output).to.equal(0);
  });

  describe('with a violation of each rule', () => {
    before(async () => {
      await writeAll(VIOLATIONS);
      ({ output: report } = await copy.check('imports'));
    });

    for (const { rule, file } of VIOLATIONS)
      it(`${rule} reports ${file}`, () => {
        const reported = rule === 'features-have-an-order' ? dirname(file) : file;
        expect(report).to.include(`error ${rule}: ${reported}`);
      });
  });

  it('have a violation for every rule in this file', () => {
    const names = [...rules.forbidden, ...rules.required].map(({ name }) => name);
    expect(new Set(VIOLATIONS.map(({ rule }) => rule))).to.deep.equal(new Set(names));
  });
});
