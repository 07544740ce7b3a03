import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

const ROUTES = 'auth-service/src/accounts/accounts-routes.ts';
const CONTRACT = 'openapi/auth.yaml';

const PASSWORD = 'password: { type: string, minLength: 1, maxLength: 256';

const PLANTED_OPERATION = `paths:
  /planted:
    get:
      operationId: plantedOperation
      responses:
        '204': { description: Planted }
`;

describe('npm run check', () => {
  let copy: CheckoutCopy;

  const change = async (path: string, from: string, to: string): Promise<void> => {
    const content = await copy.read(path);
    expect(content).to.include(from);
    await copy.plant(path, content.replace(from, to));
  };

  beforeEach(async () => {
    copy = await createCheckoutCopy();
  });
  afterEach(() => copy.removeAll());

  it('When nothing is wrong, then every step passes', async () => {
    const { code, output } = await copy.check('generated', 'contract', 'style', 'types', 'imports');
    expect(output.match(/^✓/gm), output).to.have.length(5);
    expect(code).to.equal(0);
  });

  it('When two files import each other, then it fails and names the cycle', async () => {
    await copy.plant('shared/src/errors/left.ts', "import './right.ts';\n");
    await copy.plant('shared/src/errors/right.ts', "import './left.ts';\n");
    const { code, output } = await copy.check('imports');
    expect(output).to.match(/no-cycles: shared\/src\/errors\/left\.ts →\s+shared\/src\/errors\/right\.ts/);
    expect(code).to.equal(1);
  });

  it('When a route imports knex, then it fails and names the route and the import', async () => {
    await copy.plant(ROUTES, `import type { Knex } from 'knex';\n${await copy.read(ROUTES)}`);
    const { code, output } = await copy.check('imports');
    expect(output)
      .to.include(`routes-speak-http: ${ROUTES} → `)
      .and.to.match(/node_modules\/knex/);
    expect(code).to.equal(1);
  });

  it('When a route answers a status that the contract does not document, then it fails and names it', async () => {
    await change(ROUTES, 'status: 201', 'status: 418');
    const { code, output } = await copy.check('types');
    expect(output).to.include(ROUTES).and.to.include('418');
    expect(code).to.equal(1);
  });

  it('When the contract gains an operation that nothing handles, then it fails and names the operation', async () => {
    await change(CONTRACT, 'paths:\n', PLANTED_OPERATION);
    await copy.generate();
    const { code, output } = await copy.check('types');
    expect(output).to.include('auth-service/src/compose.ts').and.to.include('plantedOperation');
    expect(code).to.equal(1);
  });

  it('When the contract changes and the types are not generated anew, then it fails and names the file', async () => {
    await change(CONTRACT, 'paths:\n', PLANTED_OPERATION);
    const { code, output } = await copy.check('generated');
    expect(output).to.include('openapi/types/auth.ts is stale');
    expect(code).to.equal(1);
  });

  it('When the contract takes less than the released one did, then it fails and names operation, version and note', async () => {
    await change(CONTRACT, PASSWORD, PASSWORD.replace('256', '128'));
    const { code, output } = await copy.check('contract');
    expect(output)
      .to.include('POST /customers/auth/sign-in: body/password: maxLength was 256 and is 128')
      .and.include('openapi/auth.yaml: raise info.version from 1.0.0 to 2.0.0')
      .and.include('no line "- **Breaking** (auth 2.0.0): …" names `POST /employees/auth/sign-in`')
      .and.not.include('admin 1.0.0');
    expect(code).to.equal(1);
  });

  it('When such a change has its version and its note, then it passes', async () => {
    await change(CONTRACT, PASSWORD, PASSWORD.replace('256', '128'));
    await change(CONTRACT, 'version: 1.0.0', 'version: 2.0.0');
    const operations = ['customers/auth', 'employees/auth', 'auth/admin'].map(
      (kind) => `\`POST /${kind}/sign-in\``,
    );
    const note = `- **Breaking** (auth 2.0.0): ${operations.join(', ')} take 128 characters.`;
    await copy.plant('CHANGELOG.md', `## [Unreleased]\n\n${note}\n`);
    const { code, output } = await copy.check('contract');
    expect(code, output).to.equal(0);
  });

  it('When a released contract is missing, then it fails and says how to make it', async () => {
    await copy.remove('openapi/released/admin.json');
    const { code, output } = await copy.check('contract');
    expect(output).to.include('openapi/released/admin.json is missing: run `npm run contract:release`');
    expect(code).to.equal(1);
  });

  it('When a mere warning of the linter is left, then it fails too', async () => {
    const useless =
      '// biome-ignore lint/suspicious/noConsole: it writes nothing\nexport const quiet = true;\n';
    await copy.plant('shared/src/log/warned.ts', useless);
    const { code, output } = await copy.check('style');
    expect(output).to.include('shared/src/log/warned.ts').and.to.include('warning');
    expect(code).to.equal(1);
  });

  it('When a step is asked for that does not exist, then it fails and lists those that do', async () => {
    const { code, output } = await copy.check('tpyes');
    expect(output).to.include('tpyes').and.to.include('generated, contract, style, types, imports');
    expect(code).to.equal(1);
  });
});
