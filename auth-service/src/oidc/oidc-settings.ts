import { isUnencrypted } from '@platform/shared/config/addresses';
import {
  ConfigError,
  domainList,
  type Environment,
  list,
  nameList,
  readEnvironment,
  rejectProblems,
  splitList,
  text,
} from '@platform/shared/config/env';
import { inFileToo } from '@platform/shared/config/secret-file';
import { type CleanedEnv, makeExactValidator } from 'envalid';
import type { Kind } from '../kinds.ts';

/** An OpenID Connect provider. */
export type OidcProvider = {
  /** The name in OIDC_PROVIDERS. */
  id: string;
  /** The display name. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  kinds: readonly Kind[];
  /** Whether it may create accounts. It never creates administrators. */
  allowsSignUp: boolean;
  /** The e-mail domains that it may vouch for, in lower case; `*` means all. */
  domains: readonly string[];
  /** Whether a second factor that it verified counts here. */
  verifiesSecondFactor: boolean;
};

export type OidcSettings = {
  providers: readonly OidcProvider[];
  /** Exact addresses to which providers may return. */
  redirectUris: readonly string[];
  /** Whether they may also return to any address of this machine. */
  allowsLoopback: boolean;
};

/** Allows no query or fragment; http is allowed on loopback in development. */
const isAddress = (input: string, isProduction: boolean): boolean => {
  const url = URL.parse(input);
  if (!url || /[?#]/.test(input) || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (!isProduction && url.protocol === 'http:' && !isUnencrypted(input));
};
const REQUIREMENT = 'https, without query and fragment (in development also http on loopback)';

const issuerOf = (isProduction: boolean) =>
  makeExactValidator((input) => {
    if (!isAddress(input, isProduction)) throw new TypeError(`must be an address with ${REQUIREMENT}`);
    return input;
  });

const KINDS: Readonly<Record<string, Kind>> = {
  customers: 'customer',
  employees: 'employee',
  administrators: 'administrator',
};
const kindList = makeExactValidator((input) => {
  const names = splitList(input);
  const kinds = names.flatMap((name) => (Object.hasOwn(KINDS, name) ? (KINDS[name] ?? []) : []));
  if (kinds.length === 0 || kinds.length < names.length)
    throw new TypeError(`must be a list of ${Object.keys(KINDS).join(', ')}`);
  return kinds;
});

const scopeList = makeExactValidator((input) => {
  if (!input.split(' ').includes('openid')) throw new TypeError('must contain openid');
  return input;
});

const domains = domainList();
const domainsOrAll = makeExactValidator((input) =>
  input.trim() === '*' ? ['*'] : (domains._parse(input) as string[]),
);

const secretText = inFileToo(text);
const switchOf = (initial: 'on' | 'off') => text({ choices: ['on', 'off'], default: initial });

const createSpecs = (isProduction: boolean) => ({
  ISSUER: issuerOf(isProduction)(),
  CLIENT_ID: text(),
  CLIENT_SECRET: secretText(),
  NAME: text({ default: undefined }),
  SCOPES: scopeList({ default: 'openid email profile' }),
  KINDS: kindList({ default: ['customer', 'employee'] }),
  SIGN_UP: switchOf('on'),
  DOMAINS: domainsOrAll({ default: [] }),
  SECOND_FACTOR: switchOf('off'),
});

type ProviderVariables = CleanedEnv<ReturnType<typeof createSpecs>>;

/** Reads OIDC_<NAME>_ISSUER and so on. @throws ConfigError that names every missing or invalid variable */
const readProvider = (environment: Environment, id: string, isProduction: boolean): OidcProvider => {
  const prefix = `OIDC_${id.toUpperCase().replaceAll('-', '_')}_`;
  const specs = Object.entries(createSpecs(isProduction)).map(([name, spec]) => [`${prefix}${name}`, spec]);
  const values = Object.entries(readEnvironment(environment, Object.fromEntries(specs)));
  const env = Object.fromEntries(
    values.map(([name, value]) => [name.slice(prefix.length), value]),
  ) as ProviderVariables;
  return {
    id,
    name: env.NAME ?? id,
    issuer: env.ISSUER,
    clientId: env.CLIENT_ID,
    clientSecret: env.CLIENT_SECRET,
    scopes: env.SCOPES,
    kinds: env.KINDS,
    allowsSignUp: env.SIGN_UP === 'on',
    domains: env.DOMAINS,
    verifiesSecondFactor: env.SECOND_FACTOR === 'on',
  };
};

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Whether it is the address of a frontend in development, with any port. */
const isLoopback = (uri: string): boolean => {
  const url = URL.parse(uri);
  return ['http:', 'https:'].includes(url?.protocol ?? '') && LOOPBACK.includes(url?.hostname ?? '');
};

/** Browsers return to the address in their canonical form: https://app.example.com gets a slash. */
const isCanonical = (uri: string): boolean => !/[?#]/.test(uri) && URL.parse(uri)?.href === uri;

type Variables = { NODE_ENV: string; OIDC_PROVIDERS: string[]; OIDC_REDIRECT_URIS: string[] };

export const oidcVariables = {
  OIDC_PROVIDERS: nameList({ default: [] }),
  OIDC_REDIRECT_URIS: list({ default: [] }),
};

/**
 * The listed addresses and those of the pages. Without a list, development also allows the frontends of this
 * machine.
 * @throws ConfigError
 */
const readRedirectUris = (
  { OIDC_PROVIDERS, OIDC_REDIRECT_URIS: listed }: Variables,
  pageCallbacks: readonly string[],
  isProduction: boolean,
): Pick<OidcSettings, 'redirectUris' | 'allowsLoopback'> => {
  const wrong = listed.filter((uri) => !isCanonical(uri) || !isAddress(uri, isProduction));
  if (wrong.length > 0)
    throw new ConfigError(
      `OIDC_REDIRECT_URIS: ${wrong.join(', ')} must be as browsers write it, with ${REQUIREMENT}`,
    );
  const redirectUris = [...listed, ...pageCallbacks];
  if (isProduction && redirectUris.length === 0 && OIDC_PROVIDERS.length > 0)
    throw new ConfigError('OIDC_REDIRECT_URIS is required with OIDC_PROVIDERS');
  return { redirectUris, allowsLoopback: !isProduction && listed.length === 0 };
};

export const createRedirectUriCheck =
  ({ redirectUris, allowsLoopback }: OidcSettings) =>
  (uri: string): boolean =>
    redirectUris.includes(uri) || (allowsLoopback && isCanonical(uri) && isLoopback(uri));

/**
 * @param pageCallbacks the addresses of the platform's own pages
 * @throws ConfigError that names the invalid variables of all providers
 */
export const readOidcSettings = (
  environment: Environment,
  env: Variables,
  pageCallbacks: readonly string[] = [],
): OidcSettings => {
  const isProduction = env.NODE_ENV === 'production';
  rejectProblems([
    ...env.OIDC_PROVIDERS.map((id) => () => readProvider(environment, id, isProduction)),
    () => readRedirectUris(env, pageCallbacks, isProduction),
  ]);
  return {
    providers: env.OIDC_PROVIDERS.map((id) => readProvider(environment, id, isProduction)),
    ...readRedirectUris(env, pageCallbacks, isProduction),
  };
};
