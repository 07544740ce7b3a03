import { readConfig as readAdminConfig } from '../../admin-service/src/config.ts';
import { readConfig as readAuthConfig } from '../../auth-service/src/config.ts';
import { readConfig as readProbeConfig } from '../../deploy/probe/src/config.ts';
import { readConfig as readGatewayConfig } from '../../gateway/src/config.ts';
import { readConfig as readWorkerConfig } from '../../mailer-worker/src/config.ts';
import { ConfigError, type Environment } from '../../shared/src/config/env.ts';
import type { ProcessConfig } from '../../shared/src/server/serve.ts';

type ReadConfig = (environment: Environment) => ProcessConfig;

/** The configuration reader of each process of the platform. */
export const PROCESSES: Record<string, ReadConfig> = {
  gateway: readGatewayConfig,
  'auth-service': readAuthConfig,
  'admin-service': readAdminConfig,
  'mailer-worker': readWorkerConfig,
};

/** Also contains the probe, which is optional. */
export const ALL_PROCESSES: Record<string, ReadConfig> = { ...PROCESSES, probe: readProbeConfig };

/** Variables with a fixed value in the images: an operator does not set them. */
export const isSetByImage = (name: string): boolean =>
  name === 'LISTEN_HOST' || name === 'NODE_ENV' || name.endsWith('_PORT');

const FILE_SUFFIX = '_FILE';

/**
 * The names of all variables that a process reads from the environment, including the `…_FILE` of each
 * secret.
 */
const getReadNames = (readConfig: ReadConfig, environment: Environment): Set<string> => {
  const names = new Set<string>();
  const recorded = new Proxy<Environment>(environment, {
    get: (variables, name) => {
      names.add(String(name));
      return variables[String(name)];
    },
  });
  try {
    readConfig(recorded);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return names;
};

/** Variables that only the embedded stack sets. */
const STACK_VARIABLES = new Set(['DEVELOPMENT_PAGE_DIR', 'PAGES_DIR']);

/** Whether it is the `X_FILE` of a secret `X`, and not a variable of its own such as LOGO_FILE. */
const isFileOfSecret = (name: string, names: ReadonlySet<string>): boolean =>
  name.endsWith(FILE_SUFFIX) && names.has(name.slice(0, -FILE_SUFFIX.length));

/**
 * The names of all variables of a process that an operator may set; `X` also stands for `X_FILE`. The process
 * reads the variables of a provider or another service only if the environment is complete and names it in
 * OIDC_PROVIDERS or SERVICES.
 */
export const getVariableNames = (readConfig: ReadConfig, environment: Environment = {}): Set<string> => {
  const names = getReadNames(readConfig, environment);
  return new Set([...names].filter((name) => !isFileOfSecret(name, names) && !STACK_VARIABLES.has(name)));
};

/** The names of the variables that a process also reads from a file, because they are secrets. */
export const getSecretNames = (readConfig: ReadConfig, environment: Environment = {}): Set<string> => {
  const names = getReadNames(readConfig, environment);
  return new Set(
    [...names]
      .filter((name) => isFileOfSecret(name, names))
      .map((name) => name.slice(0, -FILE_SUFFIX.length)),
  );
};

/** The names of the variables of all processes. */
export const getAllVariableNames = (environment?: Environment): Set<string> =>
  new Set(Object.values(ALL_PROCESSES).flatMap((read) => [...getVariableNames(read, environment)]));

/** The names of the secrets of all processes. */
export const getAllSecretNames = (environment?: Environment): Set<string> =>
  new Set(Object.values(ALL_PROCESSES).flatMap((read) => [...getSecretNames(read, environment)]));

/** The required variables of every process. */
export const REQUIRED_VARIABLES: Record<string, string> = {
  AUTH_SERVICE_URLS: 'http://auth-service:3001',
  ADMIN_SERVICE_URLS: 'http://admin-service:3002',
  CORS_ORIGINS: 'https://app.example.com',
  DATABASE_URL: 'postgres://postgres:5432/platform',
  REDIS_URL: 'redis://redis:6379',
  SMTP_URL: 'smtp://smtp:587',
  MAIL_FROM: 'Platform <no-reply@example.com>',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  CONTACT_INBOX: 'contact@example.com',
  PROBE_URL: 'https://api.example.com',
  PROBE_EMAIL: 'probe@example.com',
  PROBE_PASSWORD: 'correct horse battery',
  ...Object.fromEntries(
    [...getAllVariableNames()]
      .filter((name) => name.endsWith('_KEY'))
      .map((name) => [name, `${name}-for-a-test-0123456789`]),
  ),
};

/** A provider named `company` and a service named `projects`, as in docs/configuration.md. */
export const PROVIDER_VARIABLES: Record<string, string> = {
  ...REQUIRED_VARIABLES,
  OIDC_PROVIDERS: 'company',
  OIDC_REDIRECT_URIS: 'https://app.example.com/signed-in/{provider}',
  OIDC_COMPANY_ISSUER: 'https://login.example.com',
  OIDC_COMPANY_CLIENT_ID: 'marketplace',
  OIDC_COMPANY_CLIENT_SECRET: 'a client secret of a test',
  OIDC_COMPANY_LOGO_FILE: '',
  SERVICES: 'projects',
  SERVICE_PROJECTS_SECRET: 'projects-secret-of-a-test-0123456789',
};
