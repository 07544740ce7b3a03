import { httpUrl, mailAddress } from '@platform/shared/config/addresses';
import {
  ConfigError,
  type Environment,
  integer,
  list,
  port,
  readEnvironment,
  text,
} from '@platform/shared/config/env';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { inFileToo } from '@platform/shared/config/secret-file';

const variables = {
  ...processVariables,
  PROBE_OPS_PORT: port(9304),
  PROBE_URL: httpUrl(),
  PROBE_EMAIL: mailAddress(),
  PROBE_PASSWORD: inFileToo(text)(),
  PROBE_OPERATOR_EMAIL: mailAddress({ default: undefined }),
  PROBE_OPERATOR_PASSWORD: inFileToo(text)({ default: undefined }),
  PROBE_INBOX_URL: httpUrl({ default: undefined }),
  PROBE_SERVICE_PATHS: list({ default: [] }),
  PROBE_INTERVAL_SECONDS: integer(60, 1, 3_600),
};

type Operator = { PROBE_OPERATOR_EMAIL?: string | undefined; PROBE_OPERATOR_PASSWORD?: string | undefined };

/** Undefined without an e-mail. @throws ConfigError if the password is missing */
const readOperator = ({ PROBE_OPERATOR_EMAIL: email, PROBE_OPERATOR_PASSWORD: password }: Operator) => {
  if (email === undefined) return undefined;
  if (password === undefined) throw new ConfigError('PROBE_OPERATOR_PASSWORD is required');
  return { email, password };
};

/** @throws ConfigError that names all missing and invalid variables. */
export const readConfig = (environment: Environment) => {
  const env = readEnvironment(environment, variables, [readOperator]);
  return {
    ...toProcessConfig(env),
    opsPort: { variable: 'PROBE_OPS_PORT', number: env.PROBE_OPS_PORT },
    // The probe serves no requests, so there is nothing to drain.
    drainSeconds: 0,
    url: env.PROBE_URL.replace(/\/$/, ''),
    account: { email: env.PROBE_EMAIL, password: env.PROBE_PASSWORD },
    operator: readOperator(env),
    /** Paths of other services, including `/api/v1`. */
    servicePaths: env.PROBE_SERVICE_PATHS,
    /** Responds with the newest mails to `account.email`, as text or JSON. */
    inboxUrl: env.PROBE_INBOX_URL,
    intervalMilliseconds: env.PROBE_INTERVAL_SECONDS * 1_000,
  };
};

export type ProbeConfig = ReturnType<typeof readConfig>;
