import { createRequire } from 'node:module';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

type File = { file: string; imports: string[] };
type Fault = File & { rule: string };
type Rules = Record<'forbidden' | 'required', { name: string }[]>;

const rules: Rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

const sound = (file: string, ...imports: string[]): File => ({ file, imports });
const fault = (rule: string, file: string, ...imports: string[]): Fault => ({ rule, file, imports });
const value = (from: string) => `import { planted } from '${from}';`;
const type = (from: string) => `import type { planted } from '${from}';`;

/** What the faults below import, and a feature that keeps to the table. */
const SOUND: File[] = [
  sound('gateway/src/planted.ts'),
  sound('dev/planted.ts'),
  sound('openapi/types/planted.ts'),
  sound('openapi/client/src/planted.ts', value('openapi-fetch'), type('../../types/planted.ts')),
  sound('shared/src/mail/planted.ts'),
  sound('shared/src/errors/planted.ts', value('node:http')),
  sound('shared/src/http/planted.ts', value('express'), value('../errors/planted.ts')),
  sound('shared/src/http/serve.ts'),
  sound('shared/testing/planted.ts', value('../src/errors/planted.ts')),
  sound(
    'auth-service/test/planted.test.ts',
    value('@platform/shared/testing/planted'),
    value('../src/compose.ts'),
  ),
  sound('auth-service/src/config.ts', value('@platform/shared/config/env')),
  sound('auth-service/src/kinds.ts'),
  sound('auth-service/src/stores.ts', value('./sound/sound-store.ts'), type('knex')),
  sound('auth-service/src/security.ts', value('@platform/shared/tokens/tokens'), type('express')),
  sound('auth-service/src/app.ts', value('express'), value('./security.ts'), type('./sound/sound-routes.ts')),
  sound(
    'auth-service/src/compose.ts',
    value('./stores.ts'),
    value('./app.ts'),
    value('./sound/sound-service.ts'),
    value('./sound/sound-routes.ts'),
    value('@platform/shared/http/planted'),
    type('@platform/openapi/types/planted'),
    value('redis'),
  ),
  sound(
    'auth-service/src/main.ts',
    value('./config.ts'),
    value('./compose.ts'),
    value('@platform/shared/http/serve'),
  ),
  sound('auth-service/src/other/other.ts'),
  sound('admin-service/src/faulty/faulty-routes.ts'),
  sound('shared/src/queue/right.ts', type('./left.ts')),
  sound(
    'auth-service/src/sound/sound.ts',
    value('@platform/shared/errors/planted'),
    type('../other/other.ts'),
  ),
  sound(
    'auth-service/src/sound/sound-store.ts',
    value('knex'),
    value('./sound.ts'),
    type('../other/other.ts'),
  ),
  sound(
    'auth-service/src/sound/sound-service.ts',
    value('./sound.ts'),
    type('./sound-store.ts'),
    type('../stores.ts'),
    value('@platform/shared/errors/planted'),
  ),
  sound('auth-service/src/sound-body.ts', type('@platform/openapi/types/planted'), type('./sound/sound.ts')),
  sound(
    'auth-service/src/sound/sound-routes.ts',
    value('../sound-body.ts'),
    type('./sound-service.ts'),
    type('@platform/openapi/types/planted'),
    value('@platform/shared/http/planted'),
  ),
];

const FAULTS: Fault[] = [
  fault('main-starts-and-stops', 'gateway/src/main.ts', value('@platform/shared/log/log')),
  fault('compose-wires-its-own-service', 'mailer-worker/src/compose.ts', value('@platform/gateway/planted')),
  fault('app-is-the-http-pipeline', 'admin-service/src/app.ts', value('knex')),
  fault('app-is-the-http-pipeline', 'admin-service/src/security.ts', type('./stores.ts')),
  fault('app-is-the-http-pipeline-as-types', 'admin-service/src/app.ts', value('./faulty/faulty-routes.ts')),
  fault('routes-speak-http', 'auth-service/src/faulty/knex-routes.ts', type('knex')),
  fault('routes-speak-http', 'admin-service/src/featureless-routes.ts', value('knex')),
  fault('routes-speak-http', 'auth-service/src/faulty/store-routes.ts', value('../sound/sound-store.ts')),
  fault('routes-speak-http', 'auth-service/src/faulty/neighbour-routes.ts', type('../other/other.ts')),
  fault('routes-speak-http-as-types', 'auth-service/src/sound/sound-routes.ts', value('./sound-service.ts')),
  fault('http-words-are-pure', 'auth-service/src/faulty-body.ts', type('./sound/sound-store.ts')),
  fault('services-tell-the-story', 'auth-service/src/faulty/http-service.ts', type('express')),
  fault(
    'services-tell-the-story',
    'auth-service/src/faulty/wire-service.ts',
    type('@platform/openapi/types/planted'),
  ),
  fault(
    'services-tell-the-story',
    'auth-service/src/faulty/neighbour-service.ts',
    type('../sound/sound-service.ts'),
  ),
  fault(
    'services-tell-the-story-as-types',
    'auth-service/src/sound/sound-service.ts',
    value('./sound-store.ts'),
  ),
  fault('stores-speak-sql', 'auth-service/src/faulty/faulty-store.ts', type('../sound/sound-service.ts')),
  fault('stores-speak-sql', 'auth-service/src/faulty/http-store.ts', value('express')),
  fault('stores-speak-sql-as-types', 'auth-service/src/sound/sound-store.ts', value('../other/other.ts')),
  fault('domain-is-pure', 'auth-service/src/faulty/faulty.ts', value('node:fs')),
  fault('domain-is-pure-as-types', 'auth-service/src/sound/sound.ts', value('../other/other.ts')),
  fault('templates-are-pure', 'mailer-worker/src/templates/faulty.ts', value('@platform/shared/log/log')),
  fault(
    'templates-are-pure-as-types',
    'mailer-worker/src/templates/faulty.ts',
    value('@platform/shared/mail/planted'),
  ),
  fault(
    'services-do-not-meet',
    'admin-service/src/faulty/faulty-service.ts',
    type('@platform/gateway/planted'),
  ),
  fault('gateway-knows-addresses-only', 'gateway/src/database.ts', value('pg')),
  fault('gateway-knows-addresses-only', 'gateway/src/tokens.ts', value('@platform/shared/tokens/tokens')),
  fault('gateway-knows-addresses-only', 'gateway/src/contract.ts', type('@platform/openapi/types/planted')),
  fault('shared-serves-everyone', 'shared/src/http/faulty.ts', type('@platform/openapi/types/planted')),
  fault('openapi-depends-on-nothing', 'openapi/types/faulty.ts', type('@platform/shared/mail/planted')),
  fault('client-runs-in-browsers', 'openapi/client/src/faulty.ts', value('node:fs')),
  fault('client-runs-in-browsers-as-types', 'openapi/client/src/planted.ts', value('../../types/planted.ts')),
  fault('workspaces-by-name', 'auth-service/src/faulty.ts', value('../../shared/src/mail/planted.ts')),
  fault('production-runs-without-development', 'mailer-worker/src/faulty.ts', value('@platform/dev/planted')),
  fault('testing-stays-in-tests', 'gateway/src/faulty.ts', value('@platform/shared/testing/planted')),
  fault('system-tests-are-black-box', 'test/faulty.test.ts', type('@platform/auth-service/kinds')),
  fault('no-cycles', 'shared/src/queue/left.ts', value('./right.ts')),
  fault('no-barrels', 'shared/src/mail/index.ts'),
  fault('no-catch-all-folders', 'auth-service/src/utils/faulty.ts'),
];

describe('The import rules', () => {
  let copy: CheckoutCopy;
  let report = '';

  const plantAll = async (files: File[]): Promise<void> => {
    for (const [file, same = []] of Object.entries(Object.groupBy(files, ({ file }) => file))) {
      const imports = same.flatMap((each) => each.imports);
      await copy.plant(file, [...imports, 'export const planted = 1;', ''].join('\n'));
    }
  };

  before(async () => {
    copy = await createCheckoutCopy();
    await plantAll(SOUND);
  });
  after(() => copy.removeAll());

  it('When every file imports what its role may, then none is reported', async () => {
    const { code, output } = await copy.check('imports');
    expect(code, output).to.equal(0);
  });

  describe('When files import what their role may not', () => {
    before(async () => {
      await plantAll(FAULTS);
      ({ output: report } = await copy.check('imports'));
    });

    for (const { rule, file } of FAULTS)
      it(`then ${rule} reports ${file}`, () => {
        expect(report).to.include(`error ${rule}: ${file}`);
      });
  });

  it('There is no rule that was not seen failing', () => {
    const names = [...rules.forbidden, ...rules.required].map(({ name }) => name);
    expect(new Set(FAULTS.map(({ rule }) => rule))).to.deep.equal(new Set(names));
  });
});
