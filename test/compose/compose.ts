// `npm run check:compose`: runs the commands of the documents for Compose on a Docker engine, from the build to the restore.
import { spawnSync } from 'node:child_process';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { backupSteps } from './backup.ts';
import { createInstallation, type Installation, type Step } from './installation.ts';
import { operationSteps } from './operations.ts';
import { startSteps } from './start.ts';

const TIMEOUT_SECONDS = 2_400;

const hasEngine = (): boolean => spawnSync('docker', ['info']).status === 0;

const runStep = async ([title, run]: Step, installation: Installation, report: Report): Promise<boolean> => {
  const started = performance.now();
  const seconds = () => `(${((performance.now() - started) / 1_000).toFixed(0)} s)`;
  try {
    const result = await run(installation);
    report.check(true, `${title}${typeof result === 'string' ? ` ${result}` : ''} ${seconds()}`);
    return true;
  } catch (error) {
    report.check(false, `${title} ${seconds()}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
};

const runSteps = async (report: Report): Promise<void> => {
  if (!hasEngine()) return report.skip('check:compose: no Docker engine answers `docker info`');
  const installation = await createInstallation();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void installation.remove().then(() => process.exit(1)));
  try {
    const [first, ...others] = [...startSteps, ...operationSteps, ...backupSteps];
    if (first && (await runStep(first, installation, report)))
      for (const step of others) await runStep(step, installation, report);
  } finally {
    await installation.remove();
  }
};

await runSuite({
  name: 'check:compose',
  timeoutSeconds: TIMEOUT_SECONDS,
  run: runSteps,
});
