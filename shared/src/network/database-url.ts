/** The sessions that `target_session_attrs` accepts, as in libpq. */
const TARGET_SESSIONS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type TargetSession = (typeof TARGET_SESSIONS)[number];

type DatabaseServers = { urls: [string, ...string[]]; target: TargetSession };

const FORMAT = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/;
const TARGET_PARAMETER = 'target_session_attrs';

const isTargetSession = (value: string): value is TargetSession =>
  (TARGET_SESSIONS as readonly string[]).includes(value);

/**
 * Parses `postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write`, the
 * multi-host syntax of libpq (PostgreSQL, 32.1.1.3), which node-postgres rejects. The default of
 * `target_session_attrs` is `any`.
 * @throws TypeError
 */
export const parseDatabaseUrl = (text: string): DatabaseServers => {
  const [, scheme = '', login = '', hosts = '', rest = ''] = FORMAT.exec(text) ?? [];
  if (scheme === '') throw new TypeError('must be a URL that starts with postgres://');
  let target = 'any';
  const toServerUrl = (host: string): string => {
    const url = URL.parse(`${scheme}${login}${host}${rest}`);
    if (url === null)
      throw new TypeError('must be a URL, such as postgres://user:password@host:5432/database');
    target = url.searchParams.get(TARGET_PARAMETER) ?? target;
    url.searchParams.delete(TARGET_PARAMETER);
    return url.href;
  };
  const [first = '', ...others] = hosts.split(',');
  const urls: DatabaseServers['urls'] = [toServerUrl(first), ...others.map(toServerUrl)];
  if (!isTargetSession(target))
    throw new TypeError(`has an unknown ${TARGET_PARAMETER}: use one of ${TARGET_SESSIONS.join(', ')}`);
  return { urls, target };
};
