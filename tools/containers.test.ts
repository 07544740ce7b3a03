import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type ComposeService, findComposeErrors, readComposeFile } from './deploy/compose-file.ts';
import { getLastInstruction, getStageChain, readBaseImage, readStages } from './deploy/dockerfile.ts';
import {
  getSecretNames,
  getVariableNames,
  isSetByImage,
  PROCESSES,
  REQUIRED_VARIABLES,
} from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TARGETS = [...Object.keys(PROCESSES), 'migrate'];

const readManifest = async () =>
  JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as {
    version: string;
    workspaces: string[];
    license: string;
    optionalDependencies: Record<string, string>;
  };

const { services, networks } = readComposeFile();
const stages = readStages();
const getService = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no ${name}`);
  return service;
};

/** The reference to an `ARG` in an instruction. */
const referenceTo = (argument: string): string => `\${${argument}}`;

const parseSeconds = (duration: string | undefined): number => Number(/^(\d+)s$/.exec(duration ?? '')?.[1]);

describe('Dockerfile', () => {
  it('has a target for every service that docker-compose.yml builds', () => {
    const targets = Object.values(services).flatMap(({ build }) => build?.target ?? []);
    expect(targets).to.have.members(TARGETS);
    for (const target of targets)
      expect(stages.map(({ name }) => name)).to.include(target, 'a stage is missing');
  });

  it('has one external image: the pinned Node on the current Debian stable, pinned by digest', async () => {
    const { optionalDependencies } = await readManifest();
    const { reference, pinned } = readBaseImage();
    // The packages for macOS have not got every version.
    for (const [name, version] of Object.entries(optionalDependencies))
      if (!name.includes('darwin'))
        expect(reference).to.equal(`docker.io/library/node:${version}-trixie-slim`);
    expect(pinned.slice(reference.length)).to.match(/^@sha256:[0-9a-f]{64}$/);
    const [first, ...others] = stages.map(({ from }) => from);
    expect(first).to.equal(referenceTo('NODE_IMAGE'));
    expect(stages.map(({ name }) => name)).to.include.members(others);
  });

  it('copies the package.json of every workspace, which npm needs to install any of them', async () => {
    const { workspaces } = await readManifest();
    const copied = stages
      .find(({ name }) => name === 'manifests')
      ?.instructions.map(({ rest }) => rest)
      .filter((rest) => rest.includes('/package.json'));
    expect(copied).to.have.members(workspaces.map((name) => `${name}/package.json ${name}/`));
  });

  for (const name of TARGETS) {
    const chain = getStageChain(stages, name);

    it(`runs ${name} as process 1, unprivileged, in production mode`, () => {
      expect(getLastInstruction(chain, 'USER')).to.match(/^[1-9]\d*:[1-9]\d*$/);
      expect(JSON.parse(getLastInstruction(chain, 'ENTRYPOINT') ?? '')).to.deep.equal([
        'sh',
        '-c',
        'exec node $(cat deploy/node-flags) "$@"',
        'node',
      ]);
      const [entry = ''] = JSON.parse(getLastInstruction(chain, 'CMD') ?? '') as string[];
      expect(existsSync(resolve(ROOT, entry)), entry).to.equal(true);
      const settings = chain.flatMap(({ instructions }) =>
        instructions.filter(({ keyword }) => keyword === 'ENV').map(({ rest }) => rest),
      );
      expect(settings).to.deep.equal([
        'NODE_ENV=production',
        'HOST=0.0.0.0',
        'MALLOC_ARENA_MAX=1 NODE_COMPILE_CACHE=/app/.compile-cache',
      ]);
    });

    it(`installs the production packages of ${name} without leaving a secret`, () => {
      const { instructions = [] } = stages.find((stage) => stage.name === `${name}-packages`) ?? {};
      const [install, ...others] = instructions.map(({ rest }) => rest);
      expect(install).to.equal(
        `--mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=${name} ` +
          "&& find node_modules -type f \\( -name '*.map' -o -name '*.d.*ts' \\) -delete",
      );
      expect(others).to.deep.equal([]);
      const copies = chain.flatMap(({ instructions }) => instructions.map(({ rest }) => rest));
      expect(copies).to.include(`--from=${name}-packages /app/node_modules node_modules`);
    });

    it(`labels the image of ${name}, after the last layer`, async () => {
      const { instructions = [] } = chain.at(-1) ?? {};
      const { license } = await readManifest();
      const [last, ...values] = instructions.toReversed();
      const labels = [...(last?.rest ?? '').matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)];
      const { description, ...others } = Object.fromEntries(labels.map(([, key, value]) => [key, value]));
      expect(description).to.match(/^[A-Z].{20,}$/);
      expect(others).to.deep.equal({
        title: name,
        version: referenceTo('VERSION'),
        revision: referenceTo('REVISION'),
        created: referenceTo('CREATED'),
        source: referenceTo('SOURCE'),
        licenses: license,
        'base.name': referenceTo('NODE_IMAGE'),
      });
      const args = values.slice(0, 5).map(({ keyword, rest }) => `${keyword} ${rest}`);
      expect(args).to.have.members(
        ['NODE_IMAGE', 'VERSION', 'REVISION', 'CREATED', 'SOURCE'].map((argument) => `ARG ${argument}`),
      );
    });
  }

  for (const [name, readConfig] of Object.entries(PROCESSES))
    it(`exposes the ports of ${name} and checks its health on the operations port`, () => {
      const { apiPort, opsPort } = readConfig(REQUIRED_VARIABLES);
      const chain = getStageChain(stages, name);
      const ports = [apiPort?.number, opsPort.number].filter((port) => port !== undefined);
      expect(getLastInstruction(chain, 'EXPOSE')).to.equal(ports.join(' '));
      const [, command = ''] = /CMD (\[.*\])$/.exec(getLastInstruction(chain, 'HEALTHCHECK') ?? '') ?? [];
      const probe = [opsPort.variable, String(opsPort.number), '/healthz'];
      expect(JSON.parse(command)).to.deep.equal(['bash', 'deploy/check-health.sh', ...probe]);
    });

  it('gets only files that .dockerignore includes explicitly', async () => {
    const lines = (await readFile(resolve(ROOT, '.dockerignore'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).to.equal('*');
    expect(lines.slice(-2)).to.deep.equal(['**/node_modules', '**/*.test.ts']);
  });
});

describe('docker-compose.yml', () => {
  it('matches the schema of the Compose specification', () => {
    expect(findComposeErrors(readComposeFile())).to.deep.equal([]);
  });

  it('is rejected with an unknown key', () => {
    const file = readComposeFile();
    const invalid = {
      ...file,
      services: { ...file.services, gateway: { ...services['gateway'], reed_only: true } },
    };
    expect(findComposeErrors(invalid)).not.to.deep.equal([]);
  });

  for (const [name, readConfig] of Object.entries(PROCESSES)) {
    it(`passes ${name} the variables that it reads, and no others; secrets as files`, () => {
      const secrets = getSecretNames(readConfig);
      const read = [...getVariableNames(readConfig)]
        .filter((variable) => !isSetByImage(variable))
        .map((variable) => (secrets.has(variable) ? `${variable}_FILE` : variable));
      expect(Object.keys(getService(name).environment ?? {})).to.have.members(read);
    });

    it(`checks the readiness of ${name}, where its image checks liveness`, () => {
      const { opsPort } = readConfig(REQUIRED_VARIABLES);
      const probe = [opsPort.variable, String(opsPort.number), '/readyz'];
      const test = ['CMD', 'bash', 'deploy/check-health.sh', ...probe];
      expect(getService(name).healthcheck?.test).to.deep.equal(test);
    });

    it(`gives ${name} enough time for a graceful shutdown`, () => {
      const { drainSeconds, shutdownSeconds } = readConfig(REQUIRED_VARIABLES);
      const graceSeconds = parseSeconds(getService(name).stop_grace_period);
      expect(graceSeconds).to.be.greaterThan(drainSeconds + shutdownSeconds + 1);
    });
  }

  it('sets the upstream URLs of the gateway to service names and default ports', () => {
    const { AUTH_SERVICE_URLS, ADMIN_SERVICE_URLS } = getService('gateway').environment ?? {};
    const getPort = (name: string) => PROCESSES[name]?.(REQUIRED_VARIABLES).apiPort?.number;
    expect(AUTH_SERVICE_URLS).to.equal(`http://auth-service:${getPort('auth-service')}`);
    expect(ADMIN_SERVICE_URLS).to.equal(`http://admin-service:${getPort('admin-service')}`);
  });

  it('starts the migrations before the services, and these before the gateway', () => {
    const conditions = (name: string) =>
      Object.fromEntries(
        Object.entries(getService(name).depends_on ?? {}).map(([needed, { condition }]) => [
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

  it('tags the images with the version of package.json', async () => {
    const { version } = await readManifest();
    for (const name of TARGETS)
      expect(getService(name).image).to.equal(`marketplace/${name}:\${VERSION:-${version}}`);
    const others = Object.entries(services).filter(([name]) => !TARGETS.includes(name));
    for (const [name, { image }] of others) expect(image, name).to.match(/:v?\d+[.\d]*(?:-\w+)?$/);
  });

  it('publishes web pages on the loopback address only', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map(() => name));
    expect(published).to.have.members(['gateway', 'mailpit', 'prometheus', 'grafana']);
    for (const port of Object.values(services).flatMap(({ ports = [] }) => ports))
      expect(port).to.match(/^127\.0\.0\.1:/);
  });

  it('connects only services that communicate', () => {
    const members = (network: string) =>
      Object.keys(services).filter((name) => getService(name).networks.includes(network));
    const [clients, processes] = [['auth-service', 'admin-service', 'mailer-worker'], Object.keys(PROCESSES)];
    expect(members('services')).to.have.members(['gateway', 'auth-service', 'admin-service', 'prometheus']);
    expect(members('database')).to.have.members(['postgres', 'migrate', 'backup', ...clients]);
    expect(members('redis')).to.have.members(['valkey', ...processes]);
    expect(members('mail')).to.have.members(['mailpit', 'mailer-worker']);
    expect(members('metrics')).to.have.members(['prometheus', 'mailer-worker']);
    expect(members('monitoring')).to.have.members(['prometheus', 'grafana']);
    for (const network of ['services', 'database', 'redis', 'metrics'])
      expect(networks[network]?.internal, network).to.equal(true);
  });

  it('connects Prometheus to every process', () => {
    const { networks: reached, volumes, profiles } = getService('prometheus');
    expect(profiles).to.deep.equal(['monitoring']);
    expect(volumes).to.include('./deploy/prometheus:/etc/prometheus:ro');
    for (const name of Object.keys(PROCESSES))
      expect(
        getService(name).networks.filter((network) => reached.includes(network)),
        name,
      ).to.have.length(1);
  });

  it('provisions Grafana with this Prometheus and the dashboard', async () => {
    const read = async (path: string) =>
      parse(await readFile(resolve(ROOT, 'deploy/grafana/provisioning', path), 'utf8'));
    const { datasources } = await read('datasources/prometheus.yaml');
    expect(datasources).to.have.length(1);
    expect(datasources[0]).to.include({ type: 'prometheus', url: 'http://prometheus:9090' });
    const { providers } = await read('dashboards/marketplace.yaml');
    const { volumes } = getService('grafana');
    expect(volumes).to.include.members([
      './deploy/grafana/provisioning:/etc/grafana/provisioning:ro',
      `./deploy/grafana/dashboard.json:${providers[0].options.path}/dashboard.json:ro`,
    ]);
  });

  it('mounts only files and folders that exist, read-only, and volumes', () => {
    for (const volume of Object.values(services).flatMap(({ volumes = [] }) => volumes)) {
      const [source = '', , mode] = volume.split(':');
      if (!source.startsWith('./')) continue;
      expect(existsSync(resolve(ROOT, source)), source).to.equal(true);
      expect(mode, source).to.equal('ro');
    }
  });

  it('runs every container without privileges', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.read_only, name).to.equal(true);
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
      expect(service.restart, name).to.equal(name === 'migrate' ? 'no' : 'unless-stopped');
    }
  });

  it('can scale the services: no container name and no published port', () => {
    for (const name of ['auth-service', 'admin-service', 'mailer-worker']) {
      expect(getService(name).container_name, name).to.equal(undefined);
      expect(getService(name).ports, name).to.equal(undefined);
    }
  });

  it('persists queued mails and codes, and never evicts them', () => {
    const command = String(services['valkey']?.command);
    expect(command).to.include('--appendonly yes').and.to.include('--maxmemory-policy noeviction');
  });
});
