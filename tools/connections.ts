import { computeBudget, findExcess, printBudget } from './deploy/connection-budget.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import { OVERLAYS, readOverlay } from './deploy/kubernetes-overlay.ts';

// `npm run check -- --only connections`: prints how many connections to PostgreSQL each overlay can open, and
// exits with 1 if they exceed what its server allows.

const overlays = hasKubectl() ? OVERLAYS : [];
if (overlays.length === 0)
  console.log('Skipped: kubectl is not installed, so the overlays cannot be rendered.');
for (const overlay of overlays) {
  const budget = computeBudget(readOverlay(overlay));
  console.log(printBudget(overlay, budget));
  for (const line of findExcess(overlay, budget)) {
    console.error(`\n${line}\n`);
    process.exitCode = 1;
  }
}
