import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { compile } from './compile.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'openapi/client/package.json'), 'utf8'));
const USE = `
import { createPlatformClient, isPlatformError } from '@platform/client';
import { getSecondFactor } from '@platform/client/account';
import { isPasskeyAvailable } from '@platform/client/passkeys';
const client = createPlatformClient({ gatewayUrl: 'https://api.example.com', kind: 'customer' });
console.log(client.isSignedIn(), typeof getSecondFactor, isPasskeyAvailable());
`;

/** Strict enough to check the package's declarations, too, which must not need Node's types. */
const CONSUMERS = {
  'a bundler': { module: 'preserve', moduleResolution: 'bundler' },
  Node: { module: 'nodenext', moduleResolution: 'nodenext' },
  'exact optional properties': { exactOptionalPropertyTypes: true },
} as const;

/** Uses the named types and the hook. React itself is not installed. */
const USE_TYPES = `${USE}
import type { AdminUser, CustomerUser, ErrorCode, Kind, OwnSession, Passkey, paths, PlatformError, Profile, Project, Session, Team, User } from '@platform/client';
import { listPasskeys } from '@platform/client/account';
import { usePlatformSession } from '@platform/client/react';
import { readSession } from '@platform/client/server';
import { createServiceClient, type PlatformEvent } from '@platform/client/service';
export type Types = [AdminUser, CustomerUser, ErrorCode, Kind, OwnSession, paths, PlatformError, Profile, Project, Session, Team, User];
export const email: string | undefined = usePlatformSession(client).user?.email;
export const passkeys: Promise<Passkey[]> = listPasskeys(client);
export const render = async (headers: Headers): Promise<string | undefined> => {
  const initial = await readSession(headers, { gatewayUrl: 'http://127.0.0.1:3000', kind: 'customer' });
  return usePlatformSession(client, { initial }).user?.customerId;
};
export const read = async (handle: (event: PlatformEvent) => void): Promise<void> => {
  const url = 'http://127.0.0.1:3001';
  const service = createServiceClient({ authUrl: url, adminUrl: url, name: 'drafts', secret: 'secret' });
  for await (const { data } of service.events()) data.forEach(handle);
};
export const isBlocked = isPlatformError(undefined, 'USER_BLOCKED');
`;

type Export = { types: string; default: string };
type Manifest = { exports: Record<string, Export>; private?: boolean };

describe('packed client', () => {
  let directory: string;
  let modules: string;
  let client: string;
  before('install the package', async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'packed-client-')));
    modules = join(directory, 'node_modules');
    client = join(modules, '@platform/client');
    await mkdir(client, { recursive: true });
    execFileSync(process.execPath, [join(ROOT, 'tools/run-pack.ts'), 'client', directory], {
      stdio: 'pipe',
    });
    execFileSync('tar', [
      '-xzf',
      join(directory, `platform-client-${version}.tgz`),
      '--strip-components=1',
      '-C',
      client,
    ]);
    for (const dependency of ['@simplewebauthn', 'altcha-lib', 'bowser'])
      await symlink(join(ROOT, 'node_modules', dependency), join(modules, dependency), 'junction');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  for (const [consumer, options] of Object.entries(CONSUMERS))
    it(`contains declarations that compile for ${consumer}, without the types of Node`, async () => {
      const compilerOptions = { ...options, skipLibCheck: false, allowImportingTsExtensions: false };
      expect(await compile(USE_TYPES, 'typescript', { modules, compilerOptions })).to.equal('');
    });

  it('runs as plain JavaScript', () => {
    const script = ['--input-type=module', '--no-strip-types', '--eval', USE];
    expect(execFileSync(process.execPath, script, { cwd: directory }).toString()).to.equal(
      'false function false\n',
    );
  });

  it('has the version that the pages name', () => {
    const pages = ['openapi/client/README.md', 'docs/frontends.md'].map((page) =>
      readFileSync(join(ROOT, page), 'utf8'),
    );
    const named = pages.join().match(/platform-client-\d[\w.]*(?=\.tgz)/g) ?? [];
    expect(new Set(named)).to.deep.equal(new Set([`platform-client-${version}`]));
  });

  it('contains a manifest for a registry, without data of the machine that packed it', () => {
    const text = readFileSync(join(client, 'package.json'), 'utf8');
    const { exports, ...manifest }: Manifest = JSON.parse(text);
    expect(manifest).to.deep.include({ name: '@platform/client', version, license: 'UNLICENSED' });
    expect(manifest).not.to.have.any.keys('private', 'repository');
    expect(text).not.to.include(ROOT);
    const entries = [
      'account',
      'bot-check',
      'bot-check-worker',
      'account-pages',
      'device-name',
      'messages',
      'messages/de',
      'messages/en',
      'oidc',
      'passkey-availability',
      'passkeys',
      'react',
      'server',
      'service',
    ];
    expect(Object.keys(exports)).to.deep.equal(['.', ...entries.map((name) => `./${name}`)]);
    const files = Object.values(exports).flatMap(({ types, default: code }) => [types, code, `${code}.map`]);
    expect([...files, 'CHANGELOG.md'].filter((path) => !existsSync(join(client, path)))).to.deep.equal([]);
  });
});
