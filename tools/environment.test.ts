import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { readEnvExample } from './deploy/env-example.ts';
import { namesReadBy, namesReadByAny, PROCESSES, SUFFICIENT } from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Of the engines that docker-compose.yml starts, and of what it publishes: Compose reads them, no process does. */
const OF_COMPOSE = [
  ...['POSTGRES_PASSWORD', 'VALKEY_PASSWORD', 'INBOX_PORT'],
  ...['AUTH_DATABASE_PASSWORD', 'ADMIN_DATABASE_PASSWORD', 'WORKER_DATABASE_PASSWORD'],
];

type Row = { names: string[]; defaults: string[] };

const backticked = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

/** `JWT_{CUSTOMER,ADMIN}_KEY` is two names, `…_KEY` all those that end so. */
const expandName = (name: string, all: Iterable<string>): string[] => {
  if (name.startsWith('…')) return [...all].filter((each) => each.endsWith(name.slice(1)));
  const [, before = '', choices, after = ''] = /^(.*)\{(.+)\}(.*)$/.exec(name) ?? [];
  return choices ? choices.split(',').map((choice) => `${before}${choice}${after}`) : [name];
};

/** The rows of the README's configuration table. */
const readTable = async (): Promise<Row[]> => {
  const readme = await readFile(resolve(ROOT, 'README.md'), 'utf8');
  const [, section = ''] = /\n## Configuration\n(.*?)\n## /s.exec(readme) ?? [];
  const all = namesReadByAny();
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|'))
    .map(([, names = '', , defaults = '']) => ({
      names: backticked(names).flatMap((name) => expandName(name, all)),
      defaults: backticked(defaults),
    }));
};

/** The processes that read `name`, each with what it makes of its environment with and without it. */
const expectDefault = (name: string, value: string): void => {
  for (const [process, readConfig] of Object.entries(PROCESSES))
    if (namesReadBy(readConfig).has(name))
      expect(readConfig({ ...SUFFICIENT, [name]: value }), `${process} with ${name}=${value}`).to.deep.equal(
        readConfig(SUFFICIENT),
      );
};

/** Without a default: their line in .env.example shows an example. */
const isExample = (name: string): boolean => name in SUFFICIENT || name.endsWith('_PREVIOUS');

describe('The variables that the processes read', () => {
  it('are seen by asking the processes, so that a new one is missed below', () => {
    const names = namesReadByAny();
    for (const name of ['GATEWAY_PORT', 'BCRYPT_COST', 'SMTP_URL', 'CODE_SECRET_KEY_PREVIOUS', 'LOG_LEVEL'])
      expect(names).to.include(name);
    expect(names.size).to.be.greaterThan(50);
  });

  it('are all in .env.example, each once, and nothing else is', async () => {
    const example = await readEnvExample();
    expect(example.map(({ name }) => name)).to.have.members([...namesReadByAny(), ...OF_COMPOSE]);
  });

  it('are all in the configuration table of the README, each once, and nothing else is', async () => {
    const rows = await readTable();
    expect(rows.flatMap(({ names }) => names)).to.have.members([...namesReadByAny()]);
  });

  it('have the defaults that .env.example shows', async () => {
    for (const { name, value, isCommented } of await readEnvExample())
      if (isCommented && !isExample(name)) expectDefault(name, value);
  });

  it('have the defaults that the README shows', async () => {
    for (const { names, defaults } of await readTable())
      for (const [index, name] of names.entries()) {
        const value = defaults[index] ?? defaults[0];
        if (value !== undefined) expectDefault(name, value);
      }
  });

  it('have no secret in .env.example', async () => {
    for (const { name, value } of await readEnvExample())
      if (/SECRET|PASSWORD$/.test(name)) expect(value, name).to.equal('');
  });

  it('are each explained in .env.example by what stands above them', async () => {
    for (const { name, comment } of await readEnvExample()) expect(comment, name).not.to.equal('');
  });
});
