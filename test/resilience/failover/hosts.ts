import type { PostgresUrls } from '@platform/dev/engines/postgres';

/** Replaces the host of a URL by several; the result is a URL for libpq, but not for `new URL`. */
const withHosts = (url: string, ports: readonly number[]): string => {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `${url.replace(/@[^/]*/, `@${hosts}`)}?target_session_attrs=read-write`;
};

/** Gives the URL of each process the hosts. */
export const withHostsOfAll = (
  processUrls: PostgresUrls['processUrls'],
  ports: readonly number[],
): PostgresUrls['processUrls'] => ({
  auth: withHosts(processUrls.auth, ports),
  admin: withHosts(processUrls.admin, ports),
  worker: withHosts(processUrls.worker, ports),
});
