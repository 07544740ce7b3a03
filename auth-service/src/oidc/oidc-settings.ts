import { isUnencrypted } from '@platform/shared/config/addresses';
import {
  ConfigError,
  domainList,
  type Environment,
  list,
  nameList,
  onOff,
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

/** The addresses to which providers may return. */
type RedirectUris = {
  /** The names of all providers. */
  providers: readonly string[];
  /** Exact addresses, in which `{provider}` stands for the name of the provider. */
  listed: readonly string[];
  /** Whether providers may also return to any address of this machine. */
  allowsLoopback: boolean;
};

export type OidcSettings = { providers: readonly OidcProvider[]; redirectUris: RedirectUris };

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

const createSpecs = (isProduction: boolean) => ({
  ISSUER: issuerOf(isProduction)(),
  CLIENT_ID: text(),
  CLIENT_SECRET: secretText(),
  NAME: text({ default: undefined }),
  SCOPES: scopeList({ default: 'openid email profile' }),
  KINDS: kindList({ default: ['customer', 'employee'] }),
  SIGN_UP: onOff('on'),
  DOMAINS: domainsOrAll({ default: [] }),
  SECOND_FACTOR: onOff('off'),
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

const fillIn = (uri: string, provider: string): string => uri.replaceAll('{provider}', provider);

/**
 * With several providers, each returns to addresses of its own. Otherwise a malicious provider could redirect
 * the browser to an honest one, and would receive the code of the honest one (RFC 9700, 4.4.2).
 */
const isOwnAddress = (uri: string, provider: string, { providers }: RedirectUris): boolean =>
  providers.length < 2 || uri.endsWith(`/${provider}`);

/** Returns whether a provider may return to the address. */
export const createRedirectUriCheck =
  (uris: RedirectUris) =>
  (provider: string, uri: string): boolean =>
    isOwnAddress(uri, provider, uris) &&
    (uris.listed.some((listed) => fillIn(listed, provider) === uri) ||
      (uris.allowsLoopback && isCanonical(uri) && isLoopback(uri)));

/** @throws ConfigError if browsers do not write an address in this way, or it is not secure */
const rejectWrongAddresses = (listed: readonly string[], isProduction: boolean): void => {
  const isRight = (uri: string) => isCanonical(uri) && isAddress(uri, isProduction);
  const wrong = listed.filter((uri) => !isRight(fillIn(uri, 'name')));
  if (wrong.length > 0)
    throw new ConfigError(
      `OIDC_REDIRECT_URIS: ${wrong.join(', ')} must be as browsers write it, with ${REQUIREMENT}`,
    );
};

/** @throws ConfigError if a provider could not return to any of the addresses */
const rejectSharedAddresses = (configured: readonly string[], uris: RedirectUris): void => {
  const hasOwn = (listed: readonly string[]) => (provider: string) =>
    listed.some((uri) => isOwnAddress(fillIn(uri, provider), provider, uris));
  const missing = uris.providers.filter((provider) => !hasOwn(uris.listed)(provider));
  const isUseless = configured.length > 0 && !uris.providers.some(hasOwn(configured));
  if (missing.length === 0 && !isUseless) return;
  const names = isUseless ? uris.providers : missing;
  throw new ConfigError(
    `OIDC_REDIRECT_URIS needs an address for ${names.join(', ')}: with several providers, its path ends with the ` +
      "provider's name, such as https://app.example.com/callback/{provider}",
  );
};

/**
 * The listed addresses and those of the pages. Without a list, development also allows the frontends of this
 * machine.
 * @throws ConfigError
 */
const readRedirectUris = (
  providers: readonly string[],
  configured: readonly string[],
  pageCallbacks: readonly string[],
  isProduction: boolean,
): RedirectUris => {
  rejectWrongAddresses(configured, isProduction);
  const listed = [...configured, ...pageCallbacks];
  const uris = { providers, listed, allowsLoopback: !isProduction && configured.length === 0 };
  if (providers.length === 0 || uris.allowsLoopback) return uris;
  if (listed.length === 0) throw new ConfigError('OIDC_REDIRECT_URIS is required with OIDC_PROVIDERS');
  rejectSharedAddresses(configured, uris);
  return uris;
};

type Variables = { NODE_ENV: string; OIDC_PROVIDERS: string[]; OIDC_REDIRECT_URIS: string[] };

export const oidcVariables = {
  OIDC_PROVIDERS: nameList({ default: [] }),
  OIDC_REDIRECT_URIS: list({ default: [] }),
};

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
  const { OIDC_PROVIDERS: names, OIDC_REDIRECT_URIS: listed } = env;
  const readUris = () => readRedirectUris(names, listed, pageCallbacks, isProduction);
  rejectProblems([...names.map((id) => () => readProvider(environment, id, isProduction)), readUris]);
  return {
    providers: names.map((id) => readProvider(environment, id, isProduction)),
    redirectUris: readUris(),
  };
};
