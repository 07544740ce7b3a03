import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { findProblems } from '../shared/src/config/env.ts';
import { readWithMisspelt } from '../shared/src/config/misspelt-variables.ts';
import { SHARED_SETTINGS } from '../shared/src/metrics/setting-fingerprints.ts';
import { readEnvExample } from './deploy/env-example.ts';
import {
  ALL_PROCESSES,
  getAllSecretNames,
  getAllVariableNames,
  getVariableNames,
  PROVIDER_VARIABLES,
} from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Variables that only docker-compose.yml reads: published ports, the image tag, the number of instances, and
 * the schedule of the backup.
 */
const COMPOSE_VARIABLES = [
  ...['INBOX_PORT', 'PROMETHEUS_PORT', 'ALERTMANAGER_PORT', 'GRAFANA_PORT', 'VERSION'],
  ...['AUTH_SERVICE_REPLICAS', 'ADMIN_SERVICE_REPLICAS', 'BACKUP_INTERVAL_HOURS', 'BACKUP_RETENTION_DAYS'],
];

/** `readers` is empty in the table of a provider, which has no such column. */
type Row = { names: string[]; readers: string[]; defaults: string[]; meaning: string };

const getCodeSpans = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

/** `JWT_{CUSTOMER,ADMIN}_KEY` stands for two names, `…_KEY` for all names with this ending. */
const expandName = (name: string, all: Iterable<string>): string[] => {
  if (name.startsWith('…')) return [...all].filter((each) => each.endsWith(name.slice(1)));
  const [, before = '', choices, after = ''] = /^(.*)\{(.+)\}(.*)$/.exec(name) ?? [];
  return choices ? choices.split(',').map((choice) => `${before}${choice}${after}`) : [name];
};

/** How docs/configuration.md names processes, besides by their names. */
const READERS: Record<string, string[]> = {
  all: Object.keys(ALL_PROCESSES),
  services: ['auth-service', 'admin-service'],
  'both services': ['auth-service', 'admin-service'],
  worker: ['mailer-worker'],
};

/** Commands, in code spans, read the variables of their process. */
const toProcesses = (cell: string): string[] =>
  cell
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('`') && name !== 'as the secret')
    .flatMap((name) => READERS[name] ?? [name]);

/** The rows of the table in docs/configuration.md. */
const readTable = async (): Promise<Row[]> => {
  const page = await readFile(resolve(ROOT, 'docs/configuration.md'), 'utf8');
  const all = getAllVariableNames(PROVIDER_VARIABLES);
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|'))
    .map((cells) => ({
      names: cells.at(1) ?? '',
      readers: cells.length === 6 ? (cells[2] ?? '') : '',
      defaults: cells.at(-3) ?? '',
      meaning: cells.at(-2) ?? '',
    }))
    .map(({ names, readers, defaults, meaning }) => ({
      names: getCodeSpans(names).flatMap((name) => expandName(name, all)),
      readers: toProcesses(readers),
      defaults: getCodeSpans(defaults),
      meaning,
    }));
};

/**
 * Expects that every process that reads `name` gets the same configuration with this value as without the
 * variable.
 */
const expectDefault = (name: string, value: string): void => {
  for (const [process, readConfig] of Object.entries(ALL_PROCESSES))
    if (getVariableNames(readConfig, PROVIDER_VARIABLES).has(name)) {
      const { [name]: _unset, ...others } = PROVIDER_VARIABLES;
      const configured = readConfig({ ...others, [name]: value });
      expect(configured, `${process} with ${name}=${value}`).to.deep.equal(readConfig(others));
    }
};

/** Variables without a default, for which .env.example shows an example value. */
const isExample = (name: string): boolean => name in PROVIDER_VARIABLES;

describe('environment variables', () => {
  it('appear in .env.example once each, without secrets and unknown ones', async () => {
    const example = await readEnvExample();
    const secrets = getAllSecretNames();
    const settings = [...getAllVariableNames()].filter((name) => !secrets.has(name));
    expect(example.map(({ name }) => name)).to.have.members([...settings, ...COMPOSE_VARIABLES]);
  });

  it('count as secrets when they contain a key or a password', () => {
    const named = [...getAllVariableNames()].filter((name) =>
      /_KEY(?:_PREVIOUS)?$|PASSWORD$|(?:DATABASE|REDIS|SMTP).*_URL$/.test(name),
    );
    expect([...getAllSecretNames()]).to.have.members(named).and.not.to.be.empty;
  });

  it('appear in docs/configuration.md once each, without unknown ones', async () => {
    const rows = await readTable();
    expect(rows.flatMap(({ names }) => names)).to.have.members([...getAllVariableNames(PROVIDER_VARIABLES)]);
  });

  it('have the processes that read them in docs/configuration.md', async () => {
    const read = Object.entries(ALL_PROCESSES).map(
      ([process, readConfig]) => [process, getVariableNames(readConfig, PROVIDER_VARIABLES)] as const,
    );
    for (const { names, readers } of await readTable())
      for (const name of readers.length > 0 ? names : []) {
        const all = read.filter(([, variables]) => variables.has(name)).map(([process]) => process);
        expect(readers, name).to.have.members(all);
      }
  });

  it('that only npm start reads appear in docs/configuration.md', async () => {
    const source = await readFile(resolve(ROOT, 'dev/config.ts'), 'utf8');
    const read = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name = '']) => name);
    const others = getAllVariableNames();
    const own = read.filter((name) => !others.has(name));
    expect(own).to.include('SEED_DEMO');
    const page = await readFile(resolve(ROOT, 'docs/configuration.md'), 'utf8');
    expect(getCodeSpans(page.split('\n## Development only\n')[1] ?? '')).to.include.members(own);
  });

  it('that only docker-compose.yml reads appear in docs/configuration.md', async () => {
    const page = await readFile(resolve(ROOT, 'docs/configuration.md'), 'utf8');
    const [, section = ''] = page.split('\n## Compose only\n');
    const named = getCodeSpans(section.split('\n## ')[0] ?? '');
    expect(named).to.include.members(COMPOSE_VARIABLES);
  });

  it('default to the values in .env.example', async () => {
    for (const { name, value, isCommented } of await readEnvExample())
      if (isCommented && !isExample(name)) expectDefault(name, value);
  });

  it('default to the values in docs/configuration.md', async () => {
    for (const { names, defaults } of await readTable())
      for (const [index, name] of names.entries()) {
        const value = defaults[index] ?? defaults[0];
        if (value !== undefined) expectDefault(name, value);
      }
  });

  it('are marked in docs/configuration.md when they are secrets', async () => {
    const secrets = getAllSecretNames(PROVIDER_VARIABLES);
    for (const { names, meaning } of await readTable())
      for (const name of names) expect(meaning.includes('(secret)'), name).to.equal(secrets.has(name));
  });

  it('are marked in docs/configuration.md when all processes must have the same value', async () => {
    const secrets = getAllSecretNames(PROVIDER_VARIABLES);
    for (const { names, meaning } of await readTable())
      for (const name of names.filter((each) => !secrets.has(each)))
        expect(/the same(?: values?)? in (?:all|both)/i.test(meaning), name).to.equal(
          SHARED_SETTINGS.includes(name),
        );
  });
});

describe('names of variables', () => {
  const all = getAllVariableNames(PROVIDER_VARIABLES);
  const complete = Object.fromEntries([...all].map((name) => [name, PROVIDER_VARIABLES[name] ?? 'x']));

  for (const [process, readConfig] of Object.entries(ALL_PROCESSES)) {
    /** Reads the variables of all processes, of which some are invalid for this one. */
    const findMisspelt = (environment: Record<string, string>): string | undefined =>
      readWithMisspelt(environment, (env) => findProblems([() => readConfig(env)])).misspelt;

    it(`of all processes are not taken for misspelt ones of ${process}`, () => {
      expect(findMisspelt(complete)).to.equal(undefined);
    });

    it(`of ${process} are recognised with a missing character`, () => {
      const names = getVariableNames(readConfig, PROVIDER_VARIABLES);
      // The gateway does not know the names of the providers before it reads such a variable.
      names.delete('OIDC_COMPANY_LOGO_FILE');
      for (const name of names) {
        const { [name]: _, ...others } = PROVIDER_VARIABLES;
        expect(findMisspelt({ ...others, [name.slice(0, -1)]: 'x' }), name).to.include(`is it ${name}?`);
      }
    });
  }
});
