import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { databaseUrl, redisUrl, smtpUrl } from './addresses.ts';
import { ConfigError, type Environment, findSecret, readEnvironment, secret, text } from './env.ts';

const KEY = 'a key of the tests, 0123456789 0123456789';
const specs = { KEY: secret() };

const getError = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The configuration was accepted');
};

describe('secrets in files', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  });
  after(() => rm(folder, { recursive: true }));

  const write = async (content: string, name = 'key'): Promise<string> => {
    const path = join(folder, name);
    await rm(path, { force: true });
    await writeFile(path, content);
    return path;
  };
  const read = (environment: Environment) => readEnvironment(environment, specs).KEY;

  for (const [title, ending] of [
    ['without a line break', ''],
    ['with a line break at its end', '\n'],
    ['with a Windows line break at its end', '\r\n'],
  ] as const)
    it(`reads a file ${title}`, async () => {
      expect(read({ KEY_FILE: await write(KEY + ending) })).to.equal(KEY);
    });

  it('keeps spaces, which may be part of a secret', async () => {
    expect(read({ KEY_FILE: await write(` ${KEY} \n`) })).to.equal(` ${KEY} `);
  });

  it('ignores an empty KEY_FILE, and an empty KEY if KEY_FILE is set', async () => {
    expect(read({ KEY, KEY_FILE: '' })).to.equal(KEY);
    expect(read({ KEY: '', KEY_FILE: await write(KEY) })).to.equal(KEY);
  });

  it('rejects KEY and KEY_FILE together', async () => {
    const both = { KEY, KEY_FILE: await write(KEY) };
    const message = 'KEY and KEY_FILE are both set: unset one of them';
    expect(getError(() => read(both))).to.equal(message);
    expect(getError(() => findSecret(both, 'KEY'))).to.equal(message);
  });

  it('names variable, path and reason of a file that it cannot read', async () => {
    const missing = join(folder, 'missing');
    const message = `KEY_FILE: cannot read ${missing}: ENOENT: no such file or directory`;
    expect(getError(() => read({ KEY_FILE: missing }))).to.equal(message);
    expect(getError(() => findSecret({ KEY_FILE: missing }, 'KEY'))).to.equal(message);
    const directory = join(folder, 'directory');
    await mkdir(directory);
    expect(getError(() => read({ KEY_FILE: directory }))).to.match(
      /^KEY_FILE: cannot read \S+: EISDIR: [\w ]+$/,
    );
  });

  it('names a file without read permission', async function () {
    const path = await write(KEY);
    await chmod(path, 0o000);
    // Permissions do not apply to root, so another user reads the file.
    const [user, readAs] = [process.getuid?.(), process.seteuid?.bind(process)];
    if (user === undefined || !readAs) return this.skip();
    await chmod(folder, 0o755);
    if (user === 0) readAs(65_534);
    try {
      expect(getError(() => read({ KEY_FILE: path }))).to.equal(
        `KEY_FILE: cannot read ${path}: EACCES: permission denied`,
      );
    } finally {
      if (user === 0) readAs(0);
    }
  });

  for (const content of ['', '\n', '\r\n', ' \n'])
    it(`treats a file with ${JSON.stringify(content)} as empty: an error for a required variable`, async () => {
      const path = await write(content);
      expect(getError(() => read({ KEY_FILE: path }))).to.equal(`KEY_FILE: ${path} is empty`);
      expect(getError(() => findSecret({ KEY_FILE: path }, 'KEY'))).to.equal(`KEY_FILE: ${path} is empty`);
      const optional = { URL: redisUrl({ default: undefined }) };
      expect(readEnvironment({ URL_FILE: path }, optional).URL).to.equal(undefined);
    });

  it('rejects a file with several lines without showing them', async () => {
    for (const content of [`${KEY}\n\n`, `${KEY}\nsecond`, `\n${KEY}`, `${KEY}\rsecond`]) {
      const path = await write(content);
      expect(getError(() => read({ KEY_FILE: path }))).to.equal(`KEY_FILE: ${path} has more than one line`);
    }
  });

  it('validates the content like a variable, and never shows it', async () => {
    const urls = { D_URL: databaseUrl(), R_URL: redisUrl(), S_URL: smtpUrl(), KEY: secret() };
    const path = await write('hidden');
    const message = getError(() =>
      readEnvironment({ D_URL_FILE: path, R_URL_FILE: path, S_URL_FILE: path, KEY_FILE: path }, urls),
    );
    for (const name of Object.keys(urls)) expect(message).to.include(`${name} must`);
    expect(message).not.to.include('hidden');
  });

  it('reports the problems of all variables, each in one line', () => {
    const all = { ...specs, OTHER: secret(), PLACE: text() };
    const environment = { KEY, KEY_FILE: '/one', OTHER_FILE: join(folder, 'missing') };
    const message = getError(() => readEnvironment(environment, all));
    expect(message).to.match(
      /KEY and KEY_FILE are both set.*; OTHER_FILE: cannot read .*; PLACE is required$/,
    );
    expect(message).not.to.include('KEY is required').and.not.to.include('\n');
  });

  it('reads variables that are not secrets only from the environment', async () => {
    const path = await write('somewhere');
    expect(getError(() => readEnvironment({ PLACE_FILE: path }, { PLACE: text() }))).to.equal(
      'PLACE is required',
    );
  });
});
