import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runScript } from '@platform/shared/testing/process';

const GENERATOR = 'test/contract/node_modules/openapi-typescript-codegen/bin/index.js';
const TSC = 'node_modules/typescript-native/bin/tsc';
const CODEGEN_DIRECTORY = join(import.meta.dirname, '../.generated/codegen');

/**
 * Generates the client of openapi-typescript-codegen from the internal operations. It makes a module of each
 * parameter and each schema, so two of the same name do not compile.
 */
export const generateCodegenClient = async (): Promise<void> => {
  await rm(CODEGEN_DIRECTORY, { recursive: true, force: true });
  const arguments_ = ['--input', 'openapi/internal.yaml', '--output', CODEGEN_DIRECTORY];
  const { code, output } = await runScript(GENERATOR, arguments_, {});
  if (code !== 0) throw new Error(`openapi-typescript-codegen failed:\n${output}`);
};

/** Compiles the client. `output` is the output of the compiler. */
export const compileCodegenClient = (): Promise<{ code: number | null; output: string }> =>
  runScript(TSC, ['-p', 'test/contract/generators/tsconfig.codegen.json'], {});
