import { ConfigError } from '@platform/shared/config/env';
import type pg from 'pg';
import packageJson from '../package.json' with { type: 'json' };

/** The release of this checkout. */
export const { version: VERSION } = packageJson;

const isLater = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) > 0;
const toMajor = (version: string): string => version.split('.')[0] ?? '';

const hasReleases = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query("select to_regclass('public.releases') is not null as exists");
  return rows[0].exists;
};

/**
 * Finds the release that has migrated this database, if it is newer than this one.
 * @throws ConfigError if it is one of another major version, on whose schema this release cannot run
 */
export const findNewerRelease = async (client: pg.Client): Promise<string | undefined> => {
  if (!(await hasReleases(client))) return undefined;
  const { rows } = await client.query<{ version: string }>('select version from releases');
  const [newest] = rows.map(({ version }) => version).sort((one, other) => (isLater(one, other) ? -1 : 1));
  if (newest === undefined || !isLater(newest, VERSION)) return undefined;
  if (toMajor(newest) === toMajor(VERSION)) return newest;
  throw new ConfigError(
    `Release ${newest} has migrated this database, and ${VERSION} cannot run on its schema: nothing was changed`,
  );
};

/** Stores that this release has begun to migrate the database. The first migration creates the table. */
export const recordRelease = async (client: pg.Client): Promise<void> => {
  if (await hasReleases(client))
    await client.query('insert into releases (version) values ($1) on conflict do nothing', [VERSION]);
};
