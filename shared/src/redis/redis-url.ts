export type RedisNode = { host: string; port: number };
export type RedisAccount = { username?: string; password?: string };

type Location = { nodes: RedisNode[]; tls: boolean; account: RedisAccount };

export type RedisLocation =
  | { engine: 'single'; url: string }
  | (Location & { engine: 'cluster' })
  | (Location & {
      engine: 'sentinel';
      /** Under which the Sentinels know the primary. */
      name: string;
      sentinelAccount: RedisAccount;
    });

const FORMS =
  'must be redis://host:port, redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port ' +
  '(rediss for TLS)';
const PARTS =
  /^(?<scheme>rediss?)\+(?<engine>sentinel|cluster):\/\/(?:(?<account>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^/?#]*))?(?:\?(?<query>[^#]*))?$/;
const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6_379 };
const SENTINEL_PARAMETERS = ['sentinelUsername', 'sentinelPassword'];

const parseNode = (text: string, defaultPort: number): RedisNode => {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname) throw new TypeError(FORMS);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
  };
};

const toAccount = (
  username: string | null | undefined,
  password: string | null | undefined,
): RedisAccount => ({
  ...(username && { username }),
  ...(password && { password }),
});

/** decodeURIComponent() rejects a lone percent sign. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('must have its user, password and name percent-encoded');
  }
};

const parseAccount = (text = ''): RedisAccount => {
  const separator = text.indexOf(':');
  const [username, password] =
    separator === -1 ? [text, ''] : [text.slice(0, separator), text.slice(separator + 1)];
  return toAccount(decode(username), decode(password));
};

const parseSentinelAccount = (query: string): RedisAccount => {
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].filter((name) => !SENTINEL_PARAMETERS.includes(name));
  if (unknown.length > 0) throw new TypeError(`has the unknown parameter ${unknown.join(', ')}`);
  return toAccount(parameters.get('sentinelUsername'), parameters.get('sentinelPassword'));
};

const parseSingle = (text: string): RedisLocation => {
  const url = URL.parse(text);
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol) || !/^\/?\d*$/.test(url.pathname))
    throw new TypeError(FORMS);
  return { engine: 'single', url: text };
};

/**
 * URLs with several hosts are not URLs of the WHATWG standard.
 * @throws TypeError that says what the URL must be, without its passwords
 */
export const parseRedisUrl = (text: string): RedisLocation => {
  const parts = PARTS.exec(text)?.groups;
  if (!parts) return parseSingle(text);
  const { scheme, engine, account, hosts = '', path = '', query = '' } = parts;
  const defaultPort = DEFAULT_PORTS[engine as keyof typeof DEFAULT_PORTS];
  const location = {
    nodes: hosts.split(',').map((host) => parseNode(host.trim(), defaultPort)),
    tls: scheme === 'rediss',
    account: parseAccount(account),
  };
  if (engine === 'sentinel') {
    if (path === '')
      throw new TypeError('must end with the name of the primary: redis+sentinel://host:port/name');
    return {
      engine,
      ...location,
      name: decode(path),
      sentinelAccount: parseSentinelAccount(query),
    };
  }
  if ((path !== '' && path !== '0') || query !== '')
    throw new TypeError('must end after the hosts: a cluster has only database 0, and no parameters');
  return { engine: 'cluster', ...location };
};
