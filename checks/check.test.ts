import { expect } from 'chai';
import { type CheckoutCopy, createCheckoutCopy } from './checkout-copy.ts';

const ROUTES = 'auth-service/src/accounts/accounts-routes.ts';
const CONTRACT = 'openapi/auth.yaml';

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
  afterEach(() => copy.remove());

  it('When nothing is wrong, then every step passes', async () => {
    const { code, output } = await copy.check('generated', 'style', 'types', 'imports');
    expect(output.match(/^✓/gm), output).to.have.length(4);
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
    expect(output).to.include('tpyes').and.to.include('generated, style, types, imports');
    expect(code).to.equal(1);
  });
});
