import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';

const ROUTES = 'auth-service/src/accounts/accounts-routes.ts';
const CONTRACT = 'openapi/auth.yaml';

const PASSWORD = 'password: { type: string, minLength: 1, maxLength: 256';

const ADDED_OPERATION = `paths:
  /added:
    get:
      operationId: addedOperation
      responses:
        '204': { description: Added }
`;

type Replacement = [path: string, from: string, to: string];
const ADDITION: Replacement = [CONTRACT, 'paths:\n', ADDED_OPERATION];

const STALE: [title: string, step: string, replacement: Replacement, reported: string][] = [
  [
    'when the contract permits shorter passwords than the list of common ones has',
    'passwords',
    [CONTRACT, 'minLength: 8\n      maxLength: 72', 'minLength: 7\n      maxLength: 72'],
    'common-passwords.txt is stale',
  ],
  ['on stale generated types, and names the file', 'generated', ADDITION, 'openapi/types/auth.ts is stale'],
  [
    'on a stale joined document, and names the command that updates it',
    'document',
    ADDITION,
    'openapi/platform.json is stale: run `npm run generate`',
  ],
  [
    'on documents that cannot be joined, and names what both define',
    'document',
    ['openapi/admin.yaml', 'operationId: listUsers', 'operationId: customerSignIn'],
    'Two documents define the operationId customerSignIn',
  ],
  [
    'on stale alert rules of an overlay, and names the file',
    'rules',
    ['deploy/prometheus/alerts.yaml', 'severity: page', 'severity: urgent'],
    'overlays/production-operators/prometheus-rule.yaml is stale',
  ],
];

const STEPS =
  'generated, document, passwords, openapi, rules, connections, shutdown, contract, schema, style, types, ' +
  'imports, unused';

describe('npm run check', () => {
  let copy: CheckoutCopy;

  const replaceIn = async (path: string, from: string, to: string): Promise<void> => {
    const content = await copy.read(path);
    expect(content).to.include(from);
    await copy.writeFile(path, content.replace(from, to));
  };

  beforeEach(async () => {
    copy = await createCheckoutCopy();
  });
  afterEach(() => copy.removeAll());

  for (const [title, step, [path, from, to], reported] of STALE)
    it(`fails ${title}`, async () => {
      await replaceIn(path, from, to);
      const { code, output } = await copy.check(step);
      expect(output).to.include(reported);
      expect(code).to.equal(1);
    });

  it('fails on an import cycle and on a route file that imports knex, and names files and imports', async () => {
    await copy.writeFile('shared/src/errors/left.ts', "import './right.ts';\n");
    await copy.writeFile('shared/src/errors/right.ts', "import './left.ts';\n");
    await copy.writeFile(ROUTES, `import type { Knex } from 'knex';\n${await copy.read(ROUTES)}`);
    const { code, output } = await copy.check('imports');
    expect(output)
      .to.match(/no-cycles: shared\/src\/errors\/left\.ts →\s+shared\/src\/errors\/right\.ts/)
      .and.to.include(`routes-without-database: ${ROUTES} → `)
      .and.to.match(/node_modules\/knex/);
    expect(code).to.equal(1);
  });

  it('fails on a route with an undocumented status, and on a contract operation without a handler', async () => {
    await replaceIn(ROUTES, 'status: 201, body', 'status: 418, body');
    await replaceIn(...ADDITION);
    await copy.generate();
    const { code, output } = await copy.check('types');
    expect(output).to.include(ROUTES).and.to.include('418');
    expect(output).to.include('auth-service/src/compose.ts').and.to.include('addedOperation');
    expect(code).to.equal(1);
  });

  it('fails on an operation without description and declared headers, and on an unused component', async () => {
    await replaceIn(...ADDITION);
    await replaceIn(CONTRACT, '  schemas:\n', '  schemas:\n    Unused: { type: string }\n');
    const { code, output } = await copy.check('openapi');
    for (const rule of ['operation-description', 'response-contains-header', 'no-unused-components'])
      expect(output).to.include(rule);
    expect(code).to.equal(1);
  });

  /** Makes the present contract the released one of the copy. Returns its version, and the next one for a breaking change. */
  const releaseContract = async (): Promise<{ released: string; next: string }> => {
    const document = await loadOpenApiDocument(new URL(`../${CONTRACT}`, import.meta.url));
    await copy.writeFile('openapi/released/auth.json', JSON.stringify(document));
    const released = document.info.version;
    return { released, next: `${Number.parseInt(released, 10) + 1}.0.0` };
  };

  it('fails on a breaking contract change and names operation, required version and missing note', async () => {
    const { released, next } = await releaseContract();
    await replaceIn(CONTRACT, PASSWORD, PASSWORD.replace('256', '128'));
    const { code, output } = await copy.check('contract');
    expect(output)
      .to.include('POST /customers/auth/sign-in: body/password: maxLength was 256 and is 128')
      .and.include(`openapi/auth.yaml: raise info.version from ${released} to ${next}`)
      .and.include(`no line "- **Breaking** (auth ${next}): …" names \`POST /employees/auth/sign-in\``)
      .and.not.match(/^admin .* has breaking changes/m);
    expect(code).to.equal(1);
  });

  it('accepts a breaking contract change with a new version and a changelog note', async () => {
    const { released, next } = await releaseContract();
    await replaceIn(CONTRACT, PASSWORD, PASSWORD.replace('256', '128'));
    await replaceIn(CONTRACT, `version: ${released}`, `version: ${next}`);
    const operations = ['customers/auth', 'employees/auth', 'auth/admin'].map(
      (kind) => `\`POST /${kind}/sign-in\``,
    );
    const note = `- **Breaking** (auth ${next}): ${operations.join(', ')} accept 128 characters.`;
    await copy.writeFile('CHANGELOG.md', `${await copy.read('CHANGELOG.md')}\n${note}\n`);
    const { code, output } = await copy.check('contract');
    expect(code, output).to.equal(0);
  });

  it('fails on a new operation that the changelog does not name', async () => {
    const changelog = await copy.read('CHANGELOG.md');
    await copy.writeFile('CHANGELOG.md', changelog.replaceAll('`GET {kind}/account/export`', 'an export'));
    const { code, output } = await copy.check('contract');
    expect(output)
      .to.include('CHANGELOG.md does not name the new operation `GET {kind}/account/export`')
      .and.not.include('`POST {kind}/account/delete`');
    expect(code).to.equal(1);
  });

  it('fails on a migration that removes what the released code uses, unless it is announced', async () => {
    await copy.writeFile(
      'migrate/migrations/0002-planted.ts',
      `export const up = (db) => db.raw(\`
        alter table users drop column language;
        alter table teams rename bio to biography;
        alter table teams add motto text;
      \`);`,
    );
    await copy.remove('migrate/functions/export_account.sql');
    const removals = [
      'column teams.bio text',
      'column users.language text',
      'function export_account(uuid) returns jsonb',
    ];
    const { code, output } = await copy.check('schema');
    for (const removal of removals)
      expect(output, output).to.include(`The released code may use the ${removal}, `);
    expect(output).not.to.include('motto');
    expect(code).to.equal(1);
    const released = JSON.parse(await copy.read('migrate/released.json'));
    await copy.writeFile('migrate/released.json', JSON.stringify({ ...released, removals }));
    expect((await copy.check('schema')).code).to.equal(0);
  });

  it('fails on linter warnings, and on a class and a prefix, which this repository has rules for', async () => {
    const files = {
      warned: '// biome-ignore lint/suspicious/noConsole: it writes nothing\nexport const quiet = true;\n',
      class: 'export class Thing { a = 1 }\n',
      prefix: 'export interface IThing { a: 1 }\n',
    };
    for (const [name, content] of Object.entries(files))
      await copy.writeFile(`shared/src/log/${name}.ts`, content);
    const { code, output } = await copy.check('style');
    expect(output)
      .to.match(/shared\/src\/log\/warned\.ts.*suppressions/)
      .and.to.match(/shared\/src\/log\/class\.ts.*plugin/)
      .and.to.match(/shared\/src\/log\/prefix\.ts.*plugin/);
    expect(code).to.equal(1);
  });

  it('fails on an unused export, type, file or dependency, and names it', async () => {
    await copy.writeFile(ROUTES, `${await copy.read(ROUTES)}\nexport const unusedValue = 1;\n`);
    await copy.writeFile('gateway/src/proxy/orphan.ts', 'export type OrphanType = 1;\n');
    await copy.writeFile('tools/orphan.ts', 'console.log(1);\n');
    await replaceIn('dev/package.json', '"dependencies": {', '"dependencies": {\n    "helmet": "8.3.0",');
    const { code, output } = await copy.check('unused');
    expect(output)
      .to.match(new RegExp(`^unusedValue +${ROUTES}`, 'm'))
      .and.to.match(/^OrphanType +type +gateway\/src\/proxy\/orphan\.ts/m)
      .and.to.match(/^tools\/orphan\.ts/m)
      .and.to.match(/^helmet +dev\/package\.json/m);
    expect(code).to.equal(1);
  });

  it('prints the connections of each overlay, and fails on one with more than Postgres allows', async function () {
    if (!hasKubectl()) this.skip();
    const kustomization = 'deploy/kubernetes/overlays/production/kustomization.yaml';
    const { output } = await copy.check('connections');
    expect(output).to.match(/staging: connections to PostgreSQL[^:]*total, of max_connections +\d+ of 100/);
    await replaceIn(kustomization, 'MAX_CONNECTIONS=300', 'MAX_CONNECTIONS=100');
    const failed = await copy.check('connections');
    expect(failed.output).to.match(/production: \d+ connections exceed max_connections \(100\)/);
    expect(failed.code).to.equal(1);
  });

  it('fails when a process may drain and shut down for longer than its deployment waits', async function () {
    if (!hasKubectl()) this.skip();
    await replaceIn('docker-compose.yml', 'stop_grace_period: 30s', 'stop_grace_period: 18s');
    await replaceIn('deploy/kubernetes/base/kustomization.yaml', 'DRAIN_SECONDS=15', 'DRAIN_SECONDS=24');
    const { code, output } = await copy.check('shutdown');
    const refused = [...output.matchAll(/^(\S+): raise the grace period of (\S+),/gm)].map(
      ([, where, name]) => `${where} ${name}`,
    );
    expect(refused).to.have.members([
      ...['gateway', 'auth-service', 'admin-service'].map((name) => `docker-compose.yml ${name}`),
      ...['staging', 'production', 'production-operators'].map((overlay) => `${overlay} gateway`),
    ]);
    expect(code).to.equal(1);
  });

  it('rejects an unknown step and lists the available ones', async () => {
    const { code, output } = await copy.check('tpyes');
    expect(output).to.include('tpyes').and.to.include(STEPS);
    expect(code).to.equal(1);
  });
});
