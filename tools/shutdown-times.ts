import { parseSeconds, readComposeFile } from './deploy/compose-file.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import { OVERLAYS, readOverlay } from './deploy/kubernetes-overlay.ts';
import { PROCESSES, REQUIRED_VARIABLES } from './deploy/processes.ts';

// `npm run check -- --only shutdown`: exits with 1 unless every deployment waits longer for a stopping
// process than drain and shutdown take. Otherwise it would kill the process together with its requests.

/** After SHUTDOWN_SECONDS, a process with open connections exits within this time. */
const EXIT_SECONDS = 1;

const overlays = hasKubectl() ? OVERLAYS.map((name) => ({ name, ...readOverlay(name) })) : [];
if (overlays.length === 0) console.log('Skipped the Kubernetes overlays: kubectl is not installed.');

type Stop = { where: string; environment: Record<string, string>; graceSeconds: number | undefined };

const findStops = (name: string): Stop[] => [
  {
    where: 'docker-compose.yml',
    environment: REQUIRED_VARIABLES,
    graceSeconds: parseSeconds(readComposeFile().services[name]?.stop_grace_period),
  },
  ...overlays.map((overlay) => ({
    where: overlay.name,
    environment: overlay.environment(name),
    graceSeconds: overlay.podSpec(name).terminationGracePeriodSeconds,
  })),
];

for (const [name, readConfig] of Object.entries(PROCESSES))
  for (const { where, environment, graceSeconds = 0 } of findStops(name)) {
    const { drainSeconds, shutdownSeconds } = readConfig(environment);
    const neededSeconds = drainSeconds + shutdownSeconds + EXIT_SECONDS;
    console.log(`${where}: ${name} stops within ${neededSeconds} s, and is killed after ${graceSeconds} s`);
    if (graceSeconds > neededSeconds) continue;
    console.error(`${where}: raise the grace period of ${name}, or lower DRAIN_SECONDS or SHUTDOWN_SECONDS.`);
    process.exitCode = 1;
  }
