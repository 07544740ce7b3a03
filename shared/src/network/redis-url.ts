import { NOT_ENCODED } from './url-login.ts';

export type RedisNode = { host: string; port: number };
export type RedisAccount = { username?: string; password?: string };

type RedisLocation =
  | { engine: 'single'; url: string }
  | {
      engine: 'sentinel';
      nodes: RedisNode[];
      tls: boolean;
      /** The account of the primary. */
      account: RedisAccount;
      /** The name by which the Sentinels know the primary. */
      name: string;
      sentinelAccount: RedisAccount;
    };

const FORMS = 'must be redis://host:port or redis+sentinel://host:port,host:port/name (rediss for TLS)';
const SENTINEL =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<account>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^/?#]*))?(?:\?(?<query>[^#]*))?$/;
const DEFAULT_PORT = 26_379;
const SENTINEL_PARAMETERS = ['sentinelUsername', 'sentinelPassword'];

const parseNode = (text: string): RedisNode => {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname) throw new TypeError(FORMS);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
  };
};

const toAccount = (
  username: string | null | undefined,
  password: string | null | undefined,
): RedisAccount => ({
  ...(username && { username }),
  ...(password && { password }),
});

/** decodeURIComponent() would throw for a lone percent sign. */
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
  // The message about the forms would not say that an @ of a password must be encoded.
  if (/\+sentinel:.*@.*@/.test(text)) throw new TypeError(NOT_ENCODED);
  const url = URL.parse(text);
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol) || !/^\/?\d*$/.test(url.pathname))
    throw new TypeError(FORMS);
  return { engine: 'single', url: text };
};

/**
 * Does not use `URL`, because the WHATWG standard does not allow several hosts.
 * @throws TypeError that says what the URL must be, without its passwords
 */
export const parseRedisUrl = (text: string): RedisLocation => {
  const parts = SENTINEL.exec(text)?.groups;
  if (!parts) return parseSingle(text);
  const { scheme, account, hosts = '', path = '', query = '' } = parts;
  if (path === '')
    throw new TypeError('must end with the name of the primary: redis+sentinel://host:port/name');
  return {
    engine: 'sentinel',
    nodes: hosts.split(',').map((host) => parseNode(host.trim())),
    tls: scheme === 'rediss',
    account: parseAccount(account),
    name: decode(path),
    sentinelAccount: parseSentinelAccount(query),
  };
};
