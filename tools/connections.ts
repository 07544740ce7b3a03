import { computeBudget, computeComposeBudget, findExcess, printBudget } from './deploy/connection-budget.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import { OVERLAYS, readOverlay } from './deploy/kubernetes-overlay.ts';

// `npm run check -- --only connections`: prints how many connections to PostgreSQL Compose (with AUTH_SERVICE_REPLICAS and
// ADMIN_SERVICE_REPLICAS of the environment) and each overlay can open, and exits with 1 if they exceed what its server allows.

const overlays = hasKubectl() ? OVERLAYS : [];
if (overlays.length === 0)
  console.log('Skipped: kubectl is not installed, so the overlays cannot be rendered.');
const budgets = [
  // biome-ignore lint/style/noProcessEnv: Compose reads the same variables.
  ['docker-compose.yml', computeComposeBudget(process.env)] as const,
  ...overlays.map((overlay) => [overlay, computeBudget(readOverlay(overlay))] as const),
];
for (const [name, budget] of budgets) {
  console.log(printBudget(name, budget));
  for (const line of findExcess(name, budget)) {
    console.error(`\n${line}\n`);
    process.exitCode = 1;
  }
}
