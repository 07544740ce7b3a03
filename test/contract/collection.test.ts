import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadPlatform } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import { parse } from 'yaml';

const JOURNEYS = resolve(import.meta.dirname, '../collection/journeys');
const PREFIX = '{{gatewayUrl}}/api/v1';

type Item = { http?: { method: string; url: string } };

const { paths } = await loadPlatform();

/** `:userId` is a parameter of the path. */
const isDescribed = (method: string, url: string): boolean => {
  const path = url.slice(PREFIX.length).replace(/\?.*$/, '').replace(/:\w+/g, '{}');
  return Object.entries(paths).some(
    ([template, item]) => template.replace(/\{.+?\}/g, '{}') === path && method.toLowerCase() in item,
  );
};

describe('request collection', () => {
  it('sends requests that the contract describes', () => {
    const files = readdirSync(JOURNEYS, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.yml'),
    );
    const requests = files.flatMap((file) => {
      const { http } = parse(readFileSync(join(JOURNEYS, file), 'utf8')) as Item;
      return http?.url.startsWith(PREFIX) ? [{ file, ...http }] : [];
    });
    expect(requests).not.to.be.empty;
    const unknown = requests.filter(({ method, url }) => !isDescribed(method, url));
    expect(unknown.map(({ file }) => file)).to.deep.equal([]);
  });
});
