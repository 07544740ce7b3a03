import { existsSync, readFileSync } from 'node:fs';
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

const { services } = readComposeFile();
const getService = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no ${name}`);
  return service;
};

describe('.dockerignore', () => {
  it('keeps the test bench out of every image', () => {
    const lines = readFileSync(resolve(ROOT, '.dockerignore'), 'utf8').split('\n');
    // The last pattern that matches a file decides.
    expect(lines.indexOf('test-bench/src')).to.be.greaterThan(lines.indexOf('!*/src'));
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
