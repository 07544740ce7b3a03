// biome-ignore-all lint/performance/noBarrelFile: the entry of the published package.
import { existsSync, readFileSync } from 'node:fs';
import { createCall } from './calls.ts';
import { createLabel, type Label } from './label.ts';

export { type Aged, type Mail, type NewFault, type NewPerson, type Person, TestBenchError } from './calls.ts';
export type { Fault, Label } from './label.ts';
export type { StorageState, StorageStateOptions } from './storage-state.ts';
export { totpCode } from './totp.ts';

export type TestBenchOptions = {
  /** The address and the secret of the test bench. */
  url: string;
  secret: string;
  /** The address of the platform, through the proxy of the test bench. */
  gatewayUrl: string;
};

export type TestBench = {
  gatewayUrl: string;
  /**
   * A test, or a worker of a test run. It needs no registration.
   * @param name `[a-z0-9-]{1,40}`; by default a new one
   */
  label: (name?: string) => Label;
};

export const createTestBench = ({ url, secret, ...options }: TestBenchOptions): TestBench => {
  const call = createCall({ url, secret });
  // Pages and passkeys of the platform are at localhost; a browser that opens 127.0.0.1 keeps another state for it.
  const gatewayUrl = options.gatewayUrl.replace('//127.0.0.1:', '//localhost:');
  return {
    gatewayUrl,
    label: (name = crypto.randomUUID()) => createLabel(call, gatewayUrl, name),
  };
};

/**
 * Reads the addresses and the secret of a running test bench.
 * @param file its `stack.json`; by default that of the environment variable TEST_BENCH_STACK
 * @throws Error if it is not running
 */
export const readTestBench = (
  // biome-ignore lint/style/noProcessEnv: a package has no configuration file of its own.
  file: string | undefined = process.env['TEST_BENCH_STACK'],
): TestBench => {
  if (!file) throw new Error('Set TEST_BENCH_STACK to the stack.json of a running test bench');
  // The file does not exist while the test bench starts or stops.
  if (!existsSync(file))
    throw new Error(`${file} does not exist: start the test bench, and wait until it is ready`);
  const { gatewayUrl, testBench } = JSON.parse(readFileSync(file, 'utf8'));
  if (!testBench)
    throw new Error(`${file} is of a platform without test bench; start it with npm run test-bench`);
  return createTestBench({ ...testBench, gatewayUrl });
};
