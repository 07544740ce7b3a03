import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { loadPlatform } from '../../testing/openapi-operations.ts';
import { joinDocuments } from './join-documents.ts';
import type { OpenApiDocument } from './openapi-document.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');

type Joined = Omit<OpenApiDocument, 'paths'> & {
  paths: Record<string, Record<string, { operationId: string }>>;
  tags: { name: string }[];
};

/** Lists all names by which a client refers to a part of the document. */
const listNames = ({ paths, components, tags }: Joined): string[] => [
  ...tags.map(({ name }) => `tag ${name}`),
  ...Object.entries(components).flatMap(([section, entries]) =>
    Object.keys(entries).map((name) => `${section} ${name}`),
  ),
  ...Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  ),
];

const minimal = (title: string, path: string, schemas: Record<string, object> = {}): OpenApiDocument =>
  ({
    openapi: '3.1.0',
    info: { title, version: title === 'A' ? '2.1.0' : '1.0.0' },
    servers: [{ url: '/api' }],
    tags: [{ name: title }],
    paths: { [path]: { get: { operationId: `get${path.slice(1)}` } } },
    components: { schemas },
  }) as unknown as OpenApiDocument;

describe('joined OpenAPI document', () => {
  it('contains the paths, operations, tags and components that `redocly join` finds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'joined-'));
    try {
      const output = join(folder, 'joined.json');
      const command = [REDOCLY, 'join', 'openapi/auth.yaml', 'openapi/admin.yaml', '--output', output];
      await promisify(execFile)(process.execPath, [...command, '--without-x-tag-groups'], { cwd: ROOT });
      const ours = (await loadPlatform()) as Joined;
      const theirs = JSON.parse(await readFile(output, 'utf8')) as Joined;
      expect(listNames(ours)).to.have.members(listNames(theirs));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('uses only formats that tools know', async () => {
    const text = JSON.stringify(await loadPlatform());
    const formats = new Set([...text.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
    // The OpenAPI registry, https://spec.openapis.org/registry/format/, contains them all.
    expect([...formats]).to.have.members(['uuid', 'email', 'date-time', 'password', 'uri']);
  });

  it('rejects a component that two documents define differently', () => {
    const define = (type: string) => ({ Name: { type } });
    const others = { a: minimal('A', '/a', define('string')), b: minimal('B', '/b', define('integer')) };
    expect(() => joinDocuments('Both', others)).to.throw('Two documents define components/schemas Name');
  });
});
