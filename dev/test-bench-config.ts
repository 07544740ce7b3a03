import { portVariables, readDataDir, readStackConfig, type StackConfig } from './config.ts';
import { StackError } from './stack-error.ts';

/** The options of `npm run test-bench`. Each setting is `NAME=value`. */
type TestBenchOptions = { name?: string | undefined; set?: readonly string[] | undefined };

/**
 * Each label has networks of its own, so the limits of production apply: tests find them where they are
 * documented. Cheap hashes let a person be made in milliseconds.
 */
const DEFAULTS = {
  BCRYPT_COST: '4',
  RATE_LIMIT_SCALE: '1',
  SEED_DEMO: 'off',
  ENVIRONMENT_NAME: 'Test bench',
};

const DEFAULT_NAME = 'test-bench';
const NAME = /^[a-z0-9-]{1,40}$/;
const SETTING = /^([A-Z][A-Z0-9_]*)=(.*)$/s;

/** Several named test benches may run at once, so each takes any free ports. */
const ANY_PORTS = Object.fromEntries(
  [...Object.values(portVariables), 'TEST_BENCH_PORT'].map((variable) => [variable, '0']),
);

const parseSettings = (settings: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    settings.map((setting) => {
      const [, name, value] = SETTING.exec(setting) ?? [];
      if (name === undefined || value === undefined)
        throw new StackError(`--set takes NAME=value, such as --set NEW_DEVICE_CODE=on: ${setting}`);
      return [name, value];
    }),
  );

/** @throws StackError */
const rejectUnsuitable = ({ NODE_ENV, SMTP_URL }: NodeJS.ProcessEnv): void => {
  if (NODE_ENV === 'production')
    throw new StackError('NODE_ENV=production: the test bench does not run in production. Unset it.');
  if (SMTP_URL) throw new StackError('SMTP_URL: the test bench reads mails from the inbox. Unset it.');
};

/**
 * Reads the settings of `npm run test-bench`: those of --set, of the environment, and its own defaults, in this
 * order of precedence.
 * @throws StackError, ConfigError
 */
export const readTestBenchConfig = (
  env: NodeJS.ProcessEnv,
  { name, set = [] }: TestBenchOptions,
): StackConfig => {
  if (name !== undefined && !NAME.test(name))
    throw new StackError(`--name takes at most 40 of a-z, 0-9 and -: ${name}`);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const merged = { ...DEFAULTS, ...(name !== undefined && ANY_PORTS), ...given, ...parseSettings(set) };
  rejectUnsuitable(merged);
  const config = readStackConfig(merged);
  return {
    ...config,
    dataDir: readDataDir(merged, name ?? DEFAULT_NAME),
    testBench: { ...config.testBench, enabled: true },
  };
};
