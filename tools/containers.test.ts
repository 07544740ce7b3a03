import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { type ComposeService, findComposeErrors, readComposeFile } from './deploy/compose-file.ts';
import {
  ALL_PROCESSES,
  getSecretNames,
  getVariableNames,
  isSetByImage,
  REQUIRED_VARIABLES,
} from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TARGETS = [...Object.keys(ALL_PROCESSES), 'migrate'];

const manifest = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  workspaces: string[];
  optionalDependencies: Record<string, string>;
};
const dockerfile = readFileSync(resolve(ROOT, 'Dockerfile'), 'utf8');
const { services } = readComposeFile();
const getService = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no ${name}`);
  return service;
};

// `npm run check:compose` builds and starts the images.
describe('Dockerfile', () => {
  it('uses one external image: the pinned Node on the current Debian stable', () => {
    const [, image] = /^ARG NODE_IMAGE=(\S+?)(?:@sha256:[0-9a-f]{64})?$/m.exec(dockerfile) ?? [];
    // Not every version has packages for macOS and Windows.
    for (const [name, version] of Object.entries(manifest.optionalDependencies))
      if (name.startsWith('node-linux-'))
        expect(image).to.equal(`docker.io/library/node:${version}-trixie-slim`);
    const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)];
    const external = stages.filter(([, from]) => !stages.some(([, , name]) => name === from));
    expect(external.map(([, from]) => from)).to.deep.equal([`\${NODE_IMAGE}`]);
  });

  it('copies the package.json of every workspace, which npm needs to install any of them', () => {
    for (const name of manifest.workspaces)
      expect(dockerfile).to.include(`\nCOPY ${name}/package.json ${name}/\n`);
  });

  it('copies the packages that npm installs in the folder of a workspace, because of another version', () => {
    const { packages } = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    const folders = Object.keys(packages).flatMap(
      (path) => /^(?!node_modules)(.+?)\/node_modules\//.exec(path)?.[1] ?? [],
    );
    const inImages = [...TARGETS, 'deploy/probe', 'shared'].filter((name) => folders.includes(name));
    for (const folder of inImages)
      expect(dockerfile).to.match(
        new RegExp(`^COPY --from=\\S+ /app/${folder}/node_modules ${folder}/node_modules$`, 'm'),
      );
  });

  const getStage = (name: string) =>
    dockerfile.split(/^FROM /m).find((text) => text.startsWith(`runtime AS ${name}\n`));

  it('runs every image as an unprivileged user', () => {
    for (const name of TARGETS) expect(getStage(name), name).to.include('\nUSER 1000:1000\n');
  });

  for (const [name, readConfig] of Object.entries(ALL_PROCESSES))
    it(`exposes the ports of ${name} and checks its health on the operations port`, () => {
      const { apiPort, opsPort } = readConfig(REQUIRED_VARIABLES);
      const ports = [apiPort?.number, opsPort.number].filter((port) => port !== undefined);
      const probe = [opsPort.variable, String(opsPort.number), '/healthz'];
      const command = ['bash', 'deploy/check-health.sh', ...probe].map((word) => `"${word}"`);
      expect(getStage(name))
        .to.include(`\nEXPOSE ${ports.join(' ')}\n`)
        .and.include(`CMD [${command.join(', ')}]`);
    });
});

describe('docker-compose.yml', () => {
  it('matches the schema of the Compose specification', () => {
    expect(findComposeErrors(readComposeFile())).to.deep.equal([]);
  });

  for (const [name, readConfig] of Object.entries(ALL_PROCESSES)) {
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
  }

  it('tags the images with the version of package.json', () => {
    for (const name of TARGETS)
      expect(getService(name).image).to.equal(`marketplace/${name}:\${VERSION:-${manifest.version}}`);
    const others = Object.entries(services).filter(([name]) => !TARGETS.includes(name));
    for (const [name, { image = '' }] of others) {
      const [tag, digest] = image.split('@');
      expect(tag, name).to.match(/:v?\d+[.\d]*(?:-\w+)?$/);
      expect(digest, name).to.match(/^sha256:[0-9a-f]{64}$/);
    }
  });

  it('runs only images with a digest, also in the workflows', () => {
    const workflows = resolve(ROOT, '.github/workflows');
    const commands = readdirSync(workflows)
      .flatMap((name) => readFileSync(resolve(workflows, name), 'utf8').split('\n'))
      .filter((line) => line.includes('docker run'));
    expect(commands).not.to.be.empty;
    for (const command of commands) expect(command).to.match(/ \S+:v?\d\S*@sha256:[0-9a-f]{64}(?: |$)/);
  });

  it('has the services that the commands of the documents name', () => {
    const docs = resolve(ROOT, 'docs');
    const pages = readdirSync(docs).filter((page) => page.endsWith('.md'));
    const text = pages.map((page) => readFileSync(resolve(docs, page), 'utf8')).join('\n');
    const readWords = (pattern: RegExp): string[] =>
      [...text.matchAll(pattern)]
        .flatMap(([, words = '']) => words.trim().split(/\s+/))
        .filter((word) => /^[a-z]/.test(word));
    const started = readWords(
      /docker compose (?:--profile[ =]\S+ )?(?:up|build|stop|restart)\b([^#&;|`\n]*)/g,
    );
    expect(started).to.include.members(['gateway', 'prometheus', 'backup']);
    expect(Object.keys(services)).to.include.members(started);
    const replaced = readWords(/sh deploy\/replace-containers\.sh([^#&;|`\n]*)/g);
    expect(Object.keys(services)).to.include.members(replaced);
    expect(replaced, 'its port can be published only once').not.to.include('gateway');
  });

  it('publishes web pages on the loopback address only', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map(() => name));
    expect(published).to.have.members(['gateway', 'mailpit', 'prometheus', 'alertmanager', 'grafana']);
    for (const port of Object.values(services).flatMap(({ ports = [] }) => ports))
      expect(port).to.match(/^127\.0\.0\.1:/);
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
});
