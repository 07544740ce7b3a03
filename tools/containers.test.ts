import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { URL_VARIABLES } from '../shared/src/db/database-logins.ts';
import { type ComposeService, findComposeFaults, readComposeFile } from './deploy/compose-file.ts';
import { lastOf, lineageOf, readStages } from './deploy/dockerfile.ts';
import { readEnvExample } from './deploy/env-example.ts';
import { isSetByImage, namesReadBy, PROCESSES, SUFFICIENT } from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OWN = [...Object.keys(PROCESSES), 'migrate'];

const readManifest = async () =>
  JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as {
    workspaces: string[];
    optionalDependencies: Record<string, string>;
  };

const { services, networks } = readComposeFile();
const stages = readStages();
const serviceOf = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no ${name}`);
  return service;
};

/** Variables as the shell and .env would fill them in; `${NAME:?message}` and `${NAME:-default}` as Compose reads them. */
const interpolate = (text: string, values: Record<string, string>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_match, name: string, sign?: string, rest?: string) => {
    const value = values[name];
    if (value) return value;
    if (sign === '?') throw new Error(`${name}: ${rest}`);
    return rest ?? '';
  });

/** What the process in a container would see. */
const environmentOf = (name: string, values: Record<string, string>): Record<string, string> => ({
  HOST: '0.0.0.0',
  NODE_ENV: 'production',
  ...Object.fromEntries(
    Object.entries(serviceOf(name).environment ?? {}).map(([variable, value]) => [
      variable,
      value === null ? (values[variable] ?? '') : interpolate(value, values),
    ]),
  ),
});

const seconds = (duration: string | undefined): number => Number(/^(\d+)s$/.exec(duration ?? '')?.[1]);

describe('The Dockerfile', () => {
  it('has a target for every service that docker-compose.yml builds', () => {
    const targets = Object.values(services).flatMap(({ build }) => build?.target ?? []);
    expect(targets).to.have.members(OWN);
    for (const target of targets)
      expect(stages.map(({ name }) => name)).to.include(target, 'a stage is missing');
  });

  it('begins with the Node that the project pins', async () => {
    const { optionalDependencies } = await readManifest();
    const [first] = stages;
    for (const version of Object.values(optionalDependencies))
      expect(first?.from).to.equal(`node:${version}-bookworm-slim`);
    const others = stages.slice(1).map(({ from }) => from);
    expect(stages.map(({ name }) => name)).to.include.members(others);
  });

  it('hands npm the package.json of every workspace, without which it cannot install one', async () => {
    const { workspaces } = await readManifest();
    const copied = stages
      .find(({ name }) => name === 'manifests')
      ?.instructions.map(({ rest }) => rest)
      .filter((rest) => rest.includes('/package.json'));
    expect(copied).to.have.members(workspaces.map((name) => `${name}/package.json ${name}/`));
  });

  for (const name of OWN) {
    const lineage = lineageOf(stages, name);

    it(`runs ${name} itself as process 1, without rights, in production`, () => {
      expect(lastOf(lineage, 'USER')).to.match(/^[1-9]\d*:[1-9]\d*$/);
      const [shell, option, command, ...rest] = JSON.parse(lastOf(lineage, 'ENTRYPOINT') ?? '') as string[];
      expect([shell, option, ...rest]).to.deep.equal(['sh', '-c', 'node']);
      expect(command).to.equal('exec node $(cat deploy/node-flags) "$@"');
      const [entry = ''] = JSON.parse(lastOf(lineage, 'CMD') ?? '') as string[];
      expect(existsSync(resolve(ROOT, entry)), entry).to.equal(true);
      const settings = lineage.flatMap(({ instructions }) =>
        instructions.filter(({ keyword }) => keyword === 'ENV').map(({ rest }) => rest),
      );
      expect(settings).to.deep.equal([
        'NODE_ENV=production',
        'HOST=0.0.0.0',
        'MALLOC_ARENA_MAX=2 NODE_COMPILE_CACHE=/app/.compile-cache',
      ]);
    });

    it(`installs for ${name} what it needs, and no secret with it`, () => {
      const [install] = stages.find((stage) => stage.name === `${name}-packages`)?.instructions ?? [];
      const workspace = name === 'migrate' ? 'shared' : name;
      expect(install?.rest).to.match(/^--mount=type=secret,id=npmrc,target=\/root\/\.npmrc npm ci /);
      expect(install?.rest).to.match(new RegExp(`--omit=dev --omit=optional --workspace=${workspace}$`));
      const copies = lineage.flatMap(({ instructions }) => instructions.map(({ rest }) => rest));
      expect(copies).to.include(`--from=${name}-packages /app/node_modules node_modules`);
    });
  }

  for (const [name, readConfig] of Object.entries(PROCESSES))
    it(`exposes the ports of ${name} and asks the right one whether it is healthy`, () => {
      const { apiPort, opsPort } = readConfig(SUFFICIENT);
      const lineage = lineageOf(stages, name);
      const ports = [apiPort?.number, opsPort.number].filter((port) => port !== undefined);
      expect(lastOf(lineage, 'EXPOSE')).to.equal(ports.join(' '));
      const [, command = ''] = /CMD (\[.*\])$/.exec(lastOf(lineage, 'HEALTHCHECK') ?? '') ?? [];
      const asked = [opsPort.variable, String(opsPort.number), '/healthz'];
      expect(JSON.parse(command)).to.deep.equal(['node', 'deploy/check-health.ts', ...asked]);
    });

  it('is given nothing but what .dockerignore lets through by name', async () => {
    const lines = (await readFile(resolve(ROOT, '.dockerignore'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).to.equal('*');
    expect(lines.slice(-2)).to.deep.equal(['**/node_modules', '**/*.test.ts']);
  });
});

describe('docker-compose.yml', () => {
  it('is as the Compose specification says', () => {
    expect(findComposeFaults(readComposeFile())).to.deep.equal([]);
  });

  it('When a key is none of the specification, then that is found', () => {
    const file = readComposeFile();
    const faulty = {
      ...file,
      services: { ...file.services, gateway: { ...services['gateway'], reed_only: true } },
    };
    expect(findComposeFaults(faulty)).not.to.deep.equal([]);
  });

  for (const [name, readConfig] of Object.entries(PROCESSES)) {
    it(`hands ${name} each variable that it reads, and no other`, () => {
      const read = [...namesReadBy(readConfig)].filter((variable) => !isSetByImage(variable));
      expect(Object.keys(serviceOf(name).environment ?? {})).to.have.members(read);
    });

    it(`starts ${name} with .env.example and the secrets filled in`, async () => {
      const example = (await readEnvExample()).filter(({ isCommented }) => !isCommented);
      const values = Object.fromEntries(example.map(({ name: variable, value }) => [variable, value]));
      for (const [variable, value] of Object.entries(values))
        if (value === '')
          values[variable] = `${variable.toLowerCase()}0123456789abcdefghijkl`.replace(/_/g, '');
      expect(() => readConfig(environmentOf(name, values))).not.to.throw();
    });

    it(`asks ${name} whether it is ready, where its image asks whether it runs`, () => {
      const { opsPort } = readConfig(SUFFICIENT);
      const asked = [opsPort.variable, String(opsPort.number), '/readyz'];
      const test = ['CMD', 'node', 'deploy/check-health.ts', ...asked];
      expect(serviceOf(name).healthcheck?.test).to.deep.equal(test);
    });

    it(`gives ${name} the time that its stop may take`, () => {
      const { drainSeconds, shutdownSeconds } = readConfig(SUFFICIENT);
      const patience = seconds(serviceOf(name).stop_grace_period);
      expect(patience).to.be.greaterThan(drainSeconds + shutdownSeconds + 1);
    });
  }

  it('has the gateway ask each service by its name, at its default port', () => {
    const { AUTH_SERVICE_URLS, ADMIN_SERVICE_URLS } = serviceOf('gateway').environment ?? {};
    const portOf = (name: string) => PROCESSES[name]?.(SUFFICIENT).apiPort?.number;
    expect(AUTH_SERVICE_URLS).to.equal(`http://auth-service:${portOf('auth-service')}`);
    expect(ADMIN_SERVICE_URLS).to.equal(`http://admin-service:${portOf('admin-service')}`);
  });

  it('starts each after what it needs: the schema before the services, these before the gateway', () => {
    const conditions = (name: string) =>
      Object.fromEntries(
        Object.entries(serviceOf(name).depends_on ?? {}).map(([needed, { condition }]) => [
          needed,
          condition,
        ]),
      );
    const engines = { postgres: 'service_healthy', valkey: 'service_healthy' };
    const schema = { migrate: 'service_completed_successfully' };
    expect(conditions('migrate')).to.deep.equal({ postgres: 'service_healthy' });
    expect(conditions('auth-service')).to.deep.equal({ ...engines, ...schema });
    expect(conditions('mailer-worker')).to.deep.equal({ ...engines, ...schema });
    expect(conditions('admin-service')).to.deep.equal({ postgres: 'service_healthy', ...schema });
    const upstreams = { 'auth-service': 'service_healthy', 'admin-service': 'service_healthy' };
    expect(conditions('gateway')).to.deep.equal({ ...upstreams, valkey: 'service_healthy' });
  });

  it('publishes the gateway and the page of the mails, to this machine alone', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map(() => name));
    expect(published).to.have.members(['gateway', 'mailpit']);
    for (const port of Object.values(services).flatMap(({ ports = [] }) => ports))
      expect(port).to.match(/^127\.0\.0\.1:/);
  });

  it('joins those who talk to each other, and nobody else', () => {
    const members = (network: string) =>
      Object.keys(services).filter((name) => serviceOf(name).networks.includes(network));
    expect(members('services')).to.have.members(['gateway', 'auth-service', 'admin-service']);
    expect(members('database')).to.have.members([
      'postgres',
      'migrate',
      'auth-service',
      'admin-service',
      'mailer-worker',
    ]);
    expect(members('redis')).to.have.members([
      'valkey',
      'gateway',
      'auth-service',
      'admin-service',
      'mailer-worker',
    ]);
    expect(members('mail')).to.have.members(['mailpit', 'mailer-worker']);
    for (const network of ['services', 'database', 'redis'])
      expect(networks[network]?.internal, network).to.equal(true);
  });

  it('takes every right from every container', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.read_only, name).to.equal(true);
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
      expect(service.restart, name).to.equal(name === 'migrate' ? 'no' : 'unless-stopped');
    }
  });

  it('holds no secret', () => {
    for (const [name, { environment = {} }] of Object.entries(services))
      for (const [variable, value] of Object.entries(environment))
        if (/SECRET|PASSWORD|AUTH$|DATABASE_URL|REDIS_URL/.test(variable) && value !== null)
          expect(value, `${name}: ${variable}`).to.match(
            /^(?:\w+:\/\/\w*:)?\$\{\w+_PASSWORD:\?[^}]+\}(?:@|$)/,
          );
  });

  it('connects each process to Postgres with its own login, which the migrations create, and none as the owner', () => {
    const urlOf = (name: string, variable = 'DATABASE_URL') => serviceOf(name).environment?.[variable];
    const own = ['auth-service', 'admin-service', 'mailer-worker'].map((name) => urlOf(name));
    const created = Object.values(URL_VARIABLES).map((variable) => urlOf('migrate', variable));
    expect(created).to.deep.equal(own);
    const passwords = [...own, urlOf('migrate')].map((url) => /\$\{(\w+)/.exec(url ?? '')?.[1]);
    const users = [...own, urlOf('migrate')].map((url) => /^postgres:\/\/(\w+):/.exec(url ?? '')?.[1]);
    expect(users).to.deep.equal(['auth_service', 'admin_service', 'mailer_worker', 'platform']);
    expect(new Set(passwords)).to.have.property('size', users.length);
    expect(users.at(-1)).to.equal(serviceOf('postgres').environment?.['POSTGRES_USER']);
  });

  it('can run several of a service: none has a name or a port of its own', () => {
    for (const name of ['auth-service', 'admin-service', 'mailer-worker']) {
      expect(serviceOf(name).container_name, name).to.equal(undefined);
      expect(serviceOf(name).ports, name).to.equal(undefined);
    }
  });

  it('keeps queued mails and codes over a restart, and drops none when memory is short', () => {
    const command = String(services['valkey']?.command);
    expect(command).to.include('--appendonly yes').and.to.include('--maxmemory-policy noeviction');
  });
});

describe('The health check of the images', () => {
  const check = (environment: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: number; output: string }>((settle) => {
      const script = resolve(ROOT, 'deploy/check-health.ts');
      const child = execFile(process.execPath, [script, ...args], { env: environment }, (_error, output) =>
        settle({ code: child.exitCode ?? 1, output }),
      );
    });

  const serve = async (status: number) => {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(req.url ?? '');
      res.writeHead(status).end('{"status":"of the test"}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { asked, port: String((server.address() as AddressInfo).port), close: () => server.close() };
  };

  it('When the process answers well, then it succeeds, whatever address the process listens on', async () => {
    const { asked, port, close } = await serve(200);
    for (const HOST of ['0.0.0.0', '::', '127.0.0.1', '']) {
      const { code, output } = await check({ HOST, OPS_PORT: port }, 'OPS_PORT', '1', '/readyz');
      expect(code, output).to.equal(0);
    }
    expect(await check({}, 'OPS_PORT', port, '/healthz')).to.have.property('code', 0);
    expect(asked).to.deep.equal([...Array<string>(4).fill('/readyz'), '/healthz']);
    close();
  });

  it('When the process says that it cannot serve, then it fails and repeats what it said', async () => {
    const { port, close } = await serve(503);
    const { code, output } = await check({}, 'OPS_PORT', port, '/readyz');
    expect(code).to.equal(1);
    expect(output).to.equal('503 {"status":"of the test"}\n');
    close();
  });

  it('When nobody answers, then it fails', async () => {
    const { port, close } = await serve(200);
    close();
    const { code, output } = await check({}, 'OPS_PORT', port, '/healthz');
    expect(code).to.equal(1);
    expect(output).to.include('ECONNREFUSED');
  });
});
