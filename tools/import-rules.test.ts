import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

type SourceFile = { file: string; imports: string[] };
type Rules = Record<'forbidden' | 'required', { name: string }[]>;

const rules: Rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

/** A name, a colon and a list of imports on each line. */
const parseLines = (text: string): [name: string, rest: string][] =>
  text
    .replaceAll(/,\n +/g, ', ')
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', rest = ''] = line.trim().split(': ');
      return [name, rest];
    });

/** The files that the violations import, and the root of a service. `type` marks an import of types only. */
const VALID = `
  gateway/src/added.ts
  dev/added.ts
  openapi/types/added.ts
  openapi/client/src/added.ts: type ../../types/added.ts
  openapi/client/src/passkeys.ts: @simplewebauthn/browser
  shared/src/mail/added.ts
  shared/src/db/added.ts
  shared/src/errors/added.ts: node:http
  shared/src/http/added.ts: express, ../errors/added.ts
  shared/src/http/serve.ts
  shared/src/queue/right.ts: type ./left.ts
  shared/testing/added.ts: ../src/errors/added.ts
  auth-service/test/added.test.ts: @platform/shared/testing/added, ../src/compose.ts
  auth-service/src/config.ts: @platform/shared/config/env
  auth-service/src/kinds.ts
  auth-service/src/stores.ts: ./invoices/invoices-store.ts, type knex
  auth-service/src/security.ts: type ./invoices/invoices-feature.ts, @platform/shared/tokens/tokens, type express
  auth-service/src/operations.ts: type @platform/openapi/types/added
  auth-service/src/app.ts: express, ./security.ts, ./invoices/invoice.ts, type ./operations.ts,
      type ./invoices/invoices-routes.ts
  auth-service/src/compose.ts: ./stores.ts, ./app.ts, ./invoices/invoices-feature.ts, @platform/shared/http/added,
      type @platform/openapi/types/added, redis
  auth-service/src/main.ts: ./config.ts, ./compose.ts, @platform/shared/http/serve`;

/** A feature with a file of each role, which uses an earlier feature. */
const FEATURE = `
  auth-service/src/invoices/invoice.ts: @platform/shared/errors/added, ../kinds.ts, ../accounts/account.ts,
      type @platform/shared/db/added
  auth-service/src/invoices/invoices-mapper.ts: ../kinds.ts, ./invoice.ts, type @platform/openapi/types/added
  auth-service/src/invoices/invoice-scripts.ts
  auth-service/src/invoices/invoices-store.ts: knex, ./invoice.ts, ./invoices-mapper.ts, ./invoice-scripts.ts,
      type ../accounts/account.ts
  auth-service/src/invoices/printer-adapter.ts: node:fs, ./invoice.ts
  auth-service/src/invoices/invoices-service.ts: ./invoice.ts, type ./invoices-store.ts,
      type ./printer-adapter.ts, type ../stores.ts, ../accounts/account.ts, type ../accounts/accounts-service.ts,
      type @platform/shared/mail/added, @platform/shared/errors/added
  auth-service/src/invoices/invoices-routes.ts: ./invoices-mapper.ts, ../accounts/account-mapper.ts,
      type ./invoices-service.ts, type ../operations.ts, type @platform/openapi/types/added,
      @platform/shared/http/added
  auth-service/src/invoices/invoices-feature.ts: ./invoices-service.ts, ./invoices-routes.ts,
      ./printer-adapter.ts, type ../accounts/accounts-feature.ts`;

/** The rule, the file that violates it, and its import. */
const VIOLATIONS = `
  main-starts-the-service: gateway/src/main.ts @platform/shared/log/log
  compose-stays-in-its-service: mailer-worker/src/compose.ts @platform/gateway/added
  app-without-database: admin-service/src/app.ts knex
  app-without-database: admin-service/src/security.ts type ./stores.ts
  app-without-database-as-types: auth-service/src/app.ts ./invoices/invoices-routes.ts
  routes-without-database: auth-service/src/sessions/knex-routes.ts type knex
  routes-without-database: auth-service/src/sessions/shared-routes.ts @platform/shared/db/added
  routes-without-database: auth-service/src/sessions/compose-routes.ts type ../compose.ts
  services-without-http-and-database: auth-service/src/sessions/http-service.ts type express
  services-without-http-and-database: auth-service/src/sessions/contract-service.ts type @platform/openapi/types/added
  services-without-http-and-database-as-types: auth-service/src/invoices/invoices-service.ts ./invoices-store.ts
  stores-only-access-data: auth-service/src/invoices/service-store.ts type ./invoices-service.ts
  stores-only-access-data: auth-service/src/sessions/http-store.ts express
  stores-only-access-data-as-types: auth-service/src/invoices/invoices-store.ts @platform/shared/config/env
  domain-is-pure: auth-service/src/sessions/added.ts node:fs
  domain-is-pure-as-types: auth-service/src/invoices/invoice.ts @platform/shared/db/added
  mappers-are-pure: auth-service/src/invoices/store-mapper.ts type ./invoices-store.ts
  mappers-are-pure-as-types: auth-service/src/invoices/invoices-mapper.ts @platform/openapi/types/added
  features-are-isolated: auth-service/src/invoices/other-adapter.ts type ../accounts/accounts-store.ts
  features-are-isolated-as-types: auth-service/src/invoices/value-feature.ts ../accounts/accounts-service.ts
  features-have-an-order: auth-service/src/accounts/later.ts type ../invoices/invoice.ts
  templates-are-pure: mailer-worker/src/templates/added.ts @platform/shared/log/log
  templates-are-pure-as-types: mailer-worker/src/templates/added.ts @platform/shared/mail/added
  services-are-isolated: admin-service/src/teams/added-service.ts type @platform/gateway/added
  gateway-without-business-logic: gateway/src/database.ts pg
  gateway-without-business-logic: gateway/src/tokens.ts @platform/shared/tokens/tokens
  gateway-without-business-logic: gateway/src/contract.ts type @platform/openapi/types/added
  shared-imports-no-workspace: shared/src/http/contract.ts type @platform/openapi/types/added
  openapi-imports-no-workspace: openapi/types/shared.ts type @platform/shared/mail/added
  client-runs-in-browsers: openapi/client/src/node.ts node:fs
  client-runs-in-browsers-as-types: openapi/client/src/added.ts ../../types/added.ts
  workspaces-by-name: auth-service/src/path.ts ../../shared/src/mail/added.ts
  production-without-development-code: mailer-worker/src/dev.ts @platform/dev/added
  testing-only-in-tests: gateway/src/testing.ts @platform/shared/testing/added
  system-tests-are-black-box: test/added.test.ts type @platform/auth-service/kinds
  no-cycles: shared/src/queue/left.ts ./right.ts
  no-barrels: shared/src/mail/index.ts
  no-catch-all-folders: auth-service/src/utils/added.ts`;

const parseFiles = (text: string): SourceFile[] =>
  parseLines(text).map(([file, imports]) => ({ file, imports: imports.split(', ') }));
const violations = parseLines(VIOLATIONS).map(([rule, rest]) => {
  const [file = '', ...imported] = rest.split(' ');
  return { rule, file, imports: [imported.join(' ')] };
});

const toStatement = (imported: string): string =>
  imported.startsWith('type ')
    ? `import type { added } from '${imported.slice(5)}';`
    : imported && `import { added } from '${imported}';`;

describe('import rules', () => {
  let copy: CheckoutCopy;
  let report = '';

  const writeAll = async (files: SourceFile[]): Promise<void> => {
    for (const [file, same = []] of Object.entries(Object.groupBy(files, ({ file }) => file))) {
      const imports = same.flatMap((each) => each.imports.map(toStatement));
      await copy.writeFile(file, [...imports, 'export const added = 1;', ''].join('\n'));
    }
  };

  before(async () => {
    copy = await createCheckoutCopy();
    await writeAll(parseFiles(VALID + FEATURE));
  });
  after(() => copy.removeAll());

  it('accept a new feature whose files import what their role allows', async () => {
    const { code, output } = await copy.check('imports');
    expect(code, output).to.equal(0);
  });

  describe('with a violation of each rule', () => {
    before(async () => {
      await writeAll(violations);
      ({ output: report } = await copy.check('imports'));
    });

    for (const { rule, file } of violations)
      it(`${rule} reports ${file}`, () => {
        const reported = rule === 'features-have-an-order' ? dirname(file) : file;
        expect(report).to.include(`error ${rule}: ${reported}`);
      });
  });

  it('each report a violation of this file', () => {
    const names = [...rules.forbidden, ...rules.required].map(({ name }) => name);
    expect(new Set(violations.map(({ rule }) => rule))).to.deep.equal(new Set(names));
  });
});
