import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readProcessUrls, URL_VARIABLES } from '../migrate/src/logins.ts';
import { readComposeFile } from './deploy/compose-file.ts';
import { readEnvExample } from './deploy/env-example.ts';
import { PROCESSES } from './deploy/processes.ts';

const SCRIPT = resolve(import.meta.dirname, '../deploy/create-secrets.sh');
const MOUNT = '/run/secrets/';

const { services, secrets } = readComposeFile();
/** Creates a checkout that contains only the script. */
const createCheckout = async () => {
  const root = await mkdtemp(join(tmpdir(), 'create-secrets-'));
  await mkdir(join(root, 'deploy'));
  await copyFile(SCRIPT, join(root, 'deploy/create-secrets.sh'));
  const folder = join(root, 'secrets');
  return {
    folder,
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    /** Runs the script. Rejects with the output when it fails. */
    create: async () => (await promisify(execFile)('sh', [join(root, 'deploy/create-secrets.sh')])).stdout,
    remove: () => rm(root, { recursive: true }),
  };
};

type Checkout = Awaited<ReturnType<typeof createCheckout>>;

describe('secrets of docker-compose.yml', () => {
  it('come from files, which the container mounts and names in its environment or command', () => {
    for (const [name, { file }] of Object.entries(secrets)) expect(file).to.equal(`./secrets/${name}`);
    for (const [name, service] of Object.entries(services)) {
      const used = JSON.stringify(service).matchAll(/\/run\/secrets\/(\w+)/g);
      expect(service.secrets ?? [], name).to.have.members([...new Set([...used].map(([, file]) => file))]);
    }
    const mounted = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(Object.keys(secrets)).to.have.members([...new Set(mounted)]);
  });
});

describe('deploy/create-secrets.sh', () => {
  let checkout: Checkout;
  afterEach(() => checkout.remove());

  /** The environment of a container, with the files of this checkout. */
  const getEnvironment = (name: string, settings: Record<string, string>) => ({
    LISTEN_HOST: '0.0.0.0',
    NODE_ENV: 'production',
    ...Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
        variable,
        value === null ? settings[variable] : value.replace(MOUNT, `${checkout.folder}/`),
      ]),
    ),
  });

  it('creates every file that docker-compose.yml mounts, in a folder that protects them', async () => {
    checkout = await createCheckout();
    expect(await checkout.create()).to.match(/^secrets\/: \d+ files created, 0 kept\.\n$/);
    expect(await readdir(checkout.folder)).to.have.members(Object.keys(secrets));
    expect((await stat(checkout.folder)).mode & 0o777).to.equal(0o700);
    for (const name of Object.keys(secrets)) {
      // Containers run as other users, so only the folder can restrict the access on the host.
      expect((await stat(join(checkout.folder, name))).mode & 0o777, name).to.equal(0o644);
      if (/_key$/.test(name)) expect(await checkout.read(name), name).to.match(/^[0-9a-f]{64}\n$/);
      if (/_password$/.test(name)) expect(await checkout.read(name), name).to.match(/^[0-9a-f]{48}\n$/);
    }
  });

  it('configures every process completely, together with .env.example', async () => {
    checkout = await createCheckout();
    await checkout.create();
    const example = (await readEnvExample()).filter(({ isCommented }) => !isCommented);
    const settings = Object.fromEntries(example.map(({ name, value }) => [name, value]));
    for (const [name, readConfig] of Object.entries(PROCESSES))
      expect(() => readConfig(getEnvironment(name, settings)), name).not.to.throw();
    const worker = PROCESSES['mailer-worker']?.(getEnvironment('mailer-worker', settings));
    expect(worker).to.deep.include({ queueRedisUrl: (await checkout.read('redis_url')).trim() });
    expect(worker).to.have.nested.property('smtp.url', 'smtp://mailpit:1025');
  });

  it('gives each process its own database login, which the migrations create', async () => {
    checkout = await createCheckout();
    await checkout.create();
    const owner = new URL((await checkout.read('owner_database_url')).trim());
    expect([owner.username, owner.host, owner.pathname]).to.deep.equal([
      services['postgres']?.environment?.['POSTGRES_USER'],
      'postgres:5432',
      `/${services['postgres']?.environment?.['POSTGRES_DB']}`,
    ]);
    expect(owner.password).to.equal((await checkout.read('postgres_password')).trim());
    const created = readProcessUrls(getEnvironment('migrate', {}));
    const users = Object.values(created).map((url) => new URL(url).username);
    expect(users).to.deep.equal(['auth_service', 'admin_service', 'mailer_worker']);
    const passwords = [owner, ...Object.values(created).map((url) => new URL(url))].map(
      (url) => url.password,
    );
    expect(new Set(passwords)).to.have.property('size', 4);
    for (const [process, service] of [
      ['auth', 'auth-service'],
      ['admin', 'admin-service'],
      ['worker', 'mailer-worker'],
    ] as const)
      expect(services[service]?.environment?.['DATABASE_URL_FILE']).to.equal(
        services['migrate']?.environment?.[`${URL_VARIABLES[process]}_FILE`],
      );
  });

  it('creates other values each time, and keeps existing files', async () => {
    checkout = await createCheckout();
    await checkout.create();
    const readAll = () => Promise.all(Object.keys(secrets).map((name) => checkout.read(name)));
    const before = await readAll();
    expect(new Set(before.filter((value) => /^[0-9a-f]+\n$/.test(value)))).to.have.property('size', 14);
    expect(await checkout.create()).to.include(' 0 files created');
    expect(await readAll()).to.deep.equal(before);
    await rm(join(checkout.folder, 'code_secret_key'));
    await chmod(join(checkout.folder, 'smtp_url'), 0o600);
    expect(await checkout.create()).to.include(' 1 files created');
    const after = await readAll();
    expect(after.filter((value, index) => value !== before[index])).to.have.length(1);
    expect((await stat(join(checkout.folder, 'smtp_url'))).mode & 0o777).to.equal(0o644);
  });
});
