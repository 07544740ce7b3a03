import { httpUrl, mailAddress } from '@platform/shared/config/addresses';
import { type Environment, integer, port, readEnvironment, text } from '@platform/shared/config/env';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { inFileToo } from '@platform/shared/config/secret-file';

const variables = {
  ...processVariables,
  PROBE_OPS_PORT: port(9304),
  PROBE_URL: httpUrl(),
  PROBE_EMAIL: mailAddress(),
  PROBE_PASSWORD: inFileToo(text)(),
  PROBE_INTERVAL_SECONDS: integer(60, 1, 3_600),
};

/** @throws ConfigError that names all missing and invalid variables. */
export const readConfig = (environment: Environment) => {
  const env = readEnvironment(environment, variables);
  return {
    ...toProcessConfig(env),
    opsPort: { variable: 'PROBE_OPS_PORT', number: env.PROBE_OPS_PORT },
    // The probe serves no requests.
    drainSeconds: 0,
    url: env.PROBE_URL,
    account: { email: env.PROBE_EMAIL, password: env.PROBE_PASSWORD },
    intervalMilliseconds: env.PROBE_INTERVAL_SECONDS * 1_000,
  };
};

export type ProbeConfig = ReturnType<typeof readConfig>;
