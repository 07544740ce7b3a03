import { spawnSync } from 'node:child_process';
import { backupSteps } from './backup.ts';
import { createInstallation, type Installation } from './installation.ts';
import { operationSteps } from './operations.ts';
import { startSteps } from './start.ts';

const STEP_SECONDS = 1_200;
/** Prints the containers, and the last health checks and log lines of unhealthy ones. */
const DESCRIBE_FAILURE = `docker compose ps --all
for id in $(docker ps --all --quiet --filter health=unhealthy --filter health=starting); do
  docker inspect --format '{{.Name}} {{json .State}}' $id
  docker logs --tail 20 $id 2>&1
done`;

/** @throws Error unless the commands can run on this machine */
const requireEngine = (): void => {
  for (const args of [['info'], ['compose', 'version']]) {
    const { status, error, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
    if (status !== 0)
      throw new Error(
        `npm run check:compose needs a Docker engine with Compose 2. \`docker ${args.join(' ')}\` failed: ${error?.message ?? stderr.trim()}`,
      );
  }
};

describe('commands of the documents for Compose, on a Docker engine', function () {
  this.timeout(STEP_SECONDS * 1_000);
  // Each step continues with the state that the previous ones have left.
  this.bail(true);
  let installation: Installation | undefined;

  before('find a Docker engine', requireEngine);
  before('copy the checkout', async () => {
    installation = await createInstallation();
  });
  after('remove the containers', () => installation?.remove());

  for (const [title, run] of [...startSteps, ...operationSteps, ...backupSteps])
    it(title, async () => {
      if (!installation) throw new Error('There is no installation');
      const result = await run(installation).catch(async (error: unknown) => {
        // The containers are deleted after the run, so print their state now.
        console.log(await installation?.sh(DESCRIBE_FAILURE).catch(String));
        throw error;
      });
      if (typeof result === 'string') console.log(`      ${result}`);
    });
});
