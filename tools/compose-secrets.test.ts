import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readProcessUrls, URL_VARIABLES } from '../migrate/src/logins.ts';
import { readComposeFile } from './deploy/compose-file.ts';
import { readEnvExample } from './deploy/env-example.ts';
import { getAllSecretNames, PROCESSES } from './deploy/processes.ts';

const SCRIPT = resolve(import.meta.dirname, '../deploy/create-secrets.sh');
const MOUNT = '/run/secrets/';

const { services, secrets } = readComposeFile();
/** A checkout with nothing but the script, and optionally .env. */
const createCheckout = async (dotEnv?: string) => {
  const root = await mkdtemp(join(tmpdir(), 'create-secrets-'));
  await mkdir(join(root, 'deploy'));
  await copyFile(SCRIPT, join(root, 'deploy/create-secrets.sh'));
  if (dotEnv !== undefined) await writeFile(join(root, '.env'), dotEnv);
  const folder = join(root, 'secrets');
  return {
    folder,
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    /** Rejects with the output when the script fails. */
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

  it('appear in no environment and no command', () => {
    const names = [...getAllSecretNames(), ...Object.values(URL_VARIABLES)];
    for (const [name, { environment = {} }] of Object.entries(services))
      for (const [variable, value] of Object.entries(environment)) {
        expect(names, name).not.to.include(variable);
        if (
          /(?:PASSWORD|_KEY|_PREVIOUS|(?<!PASSWORDS|SUPPORT|PROBE|INBOX|PUBLIC)_URL)_{0,2}(?:FILE)?$/.test(
            variable,
          )
        )
          expect(value, `${name}: ${variable}`).to.match(/^\/run\/secrets\/\w+$/);
      }
    const substituted = JSON.stringify(services).matchAll(/\$\{(\w+)/g);
    expect(new Set([...substituted].map(([, name]) => name))).to.deep.equal(
      new Set([
        'VERSION',
        'GATEWAY_PORT',
        'PROBE_URL',
        'AUTH_SERVICE_REPLICAS',
        'ADMIN_SERVICE_REPLICAS',
        'INBOX_PORT',
        'PROMETHEUS_PORT',
        'ALERTMANAGER_PORT',
        'GRAFANA_PORT',
      ]),
    );
  });

  it('reach only the containers that read them', () => {
    const readers = (secret: string) =>
      Object.keys(services).filter((name) => services[name]?.secrets?.includes(secret));
    expect(readers('postgres_password')).to.have.members(['postgres', 'backup']);
    expect(readers('owner_database_url')).to.deep.equal(['migrate']);
    expect(readers('auth_database_url')).to.have.members(['migrate', 'auth-service']);
    expect(readers('code_secret_key')).to.have.members(['auth-service', 'mailer-worker']);
    expect(readers('second_factor_key')).to.deep.equal(['auth-service']);
    expect(readers('jwt_admin_access_secret_key')).to.have.members(['auth-service', 'admin-service']);
    expect(readers('smtp_url')).to.deep.equal(['mailer-worker']);
  });
});

describe('deploy/create-secrets.sh', () => {
  let checkout: Checkout;
  afterEach(() => checkout.remove());

  /** The environment of a container, with the files of this checkout. */
  const getEnvironment = (name: string, settings: Record<string, string>) => ({
    HOST: '0.0.0.0',
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
      // Containers run as other users: only the folder restricts the access on the host.
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
    expect(new Set(before.filter((value) => /^[0-9a-f]+\n$/.test(value)))).to.have.property('size', 13);
    expect(await checkout.create()).to.include(' 0 files created');
    expect(await readAll()).to.deep.equal(before);
    await rm(join(checkout.folder, 'code_secret_key'));
    await chmod(join(checkout.folder, 'smtp_url'), 0o600);
    expect(await checkout.create()).to.include(' 1 files created');
    const after = await readAll();
    expect(after.filter((value, index) => value !== before[index])).to.have.length(1);
    expect((await stat(join(checkout.folder, 'smtp_url'))).mode & 0o777).to.equal(0o644);
  });

  it('takes over the values of .env, and names them', async () => {
    const key = 'a key of the release before, 0123456789';
    checkout = await createCheckout(
      [
        `JWT_CUSTOMER_ACCESS_SECRET_KEY='${key}'`,
        `CODE_SECRET_KEY_PREVIOUS="one,two" # comment`,
        'JWT_ADMIN_ACCESS_SECRET_KEY=',
        '#VALKEY_PASSWORD=commented',
        'POSTGRES_PASSWORD=replaced',
        'export POSTGRES_PASSWORD=secret1 # comment\r',
        'AUTH_DATABASE_PASSWORD=secret2',
        'SMTP_URL=smtp://user:p%40ss@smtp.example.com:587',
        'LOG_LEVEL=info',
      ].join('\n'),
    );
    const output = await checkout.create();
    expect(output).to.include('remove them there: JWT_CUSTOMER_ACCESS_SECRET_KEY CODE_SECRET_KEY_PREVIOUS');
    expect(output).to.match(/ POSTGRES_PASSWORD AUTH_DATABASE_PASSWORD SMTP_URL\n$/);
    for (const value of [key, 'secret1', 'secret2', 'p%40ss']) expect(output).not.to.include(value);
    expect(await checkout.read('jwt_customer_access_secret_key')).to.equal(`${key}\n`);
    expect(await checkout.read('code_secret_key_previous')).to.equal('one,two\n');
    expect(await checkout.read('jwt_admin_access_secret_key')).to.match(/^[0-9a-f]{64}\n$/);
    expect(await checkout.read('valkey_password')).to.match(/^[0-9a-f]{48}\n$/);
    expect(await checkout.read('postgres_password')).to.equal('secret1\n');
    const at = 'postgres:5432/platform\n';
    expect(await checkout.read('owner_database_url')).to.equal(`postgres://platform:secret1@${at}`);
    expect(await checkout.read('auth_database_url')).to.equal(`postgres://auth_service:secret2@${at}`);
    expect(await checkout.read('smtp_url')).to.equal('smtp://user:p%40ss@smtp.example.com:587\n');
  });

  for (const [title, line, message] of [
    [
      'a value that Compose would substitute',
      'CODE_SECRET_KEY="x$HOME"',
      'CODE_SECRET_KEY in .env contains $',
    ],
    [
      'a password that needs encoding',
      "POSTGRES_PASSWORD='a/b'",
      'write secrets/owner_database_url yourself',
    ],
  ] as const)
    it(`stops at ${title}, and creates the rest when its file exists`, async () => {
      checkout = await createCheckout(`${line}\n`);
      const failure = await checkout.create().catch((error: { code: number; stderr: string }) => error);
      expect(failure).to.have.property('code', 1);
      expect(failure).to.have.property('stderr').that.includes(message);
      if (title.startsWith('a value')) return;
      await writeFile(join(checkout.folder, 'owner_database_url'), 'postgres://platform:a%2Fb@postgres');
      await checkout.create();
      expect(await readdir(checkout.folder)).to.have.members(Object.keys(secrets));
    });
});
