import { ConfigError, getReadValues } from '../shared/src/config/env.ts';
import { SHARED_SETTINGS, toSettingText } from '../shared/src/metrics/setting-fingerprints.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import { OVERLAYS, type Overlay, readOverlay } from './deploy/kubernetes-overlay.ts';
import { PROCESSES } from './deploy/processes.ts';

// `npm run check -- --only overlays`: renders each overlay, reads the settings of its processes as they do at the
// start, and exits with 1 if processes have different values of a setting that they share, or if a placeholder of
// example.com is left beside the PUBLIC_URL of another domain.

const PLACEHOLDER = /\bexample\.com\b/;

/** The values that each process reads. @throws ConfigError if a process would not start */
const readValues = (overlay: Overlay) =>
  Object.entries(PROCESSES).map(([name, readConfig]) => {
    const environment = overlay.environment(name);
    readConfig(environment);
    return { name, environment, values: getReadValues(environment) };
  });

const findProblems = (overlay: Overlay): string[] => {
  const processes = readValues(overlay);
  const differing = SHARED_SETTINGS.flatMap((setting) => {
    const readers = processes.filter(({ values }) => setting in values);
    const byText = Map.groupBy(readers, ({ values }) => toSettingText(setting, values));
    if (byText.size < 2) return [];
    const described = [...byText].map(
      ([text, names]) => `${text} (${names.map(({ name }) => name).join(', ')})`,
    );
    return [`${setting} differs: ${described.join(', ')}`];
  });
  const left = processes.flatMap(({ name, environment }) =>
    PLACEHOLDER.test(environment['PUBLIC_URL'] ?? 'example.com')
      ? []
      : Object.entries(environment)
          .filter(([, value]) => PLACEHOLDER.test(value))
          .map(([variable, value]) => `${variable} of ${name} is still ${value}`),
  );
  return [...differing, ...left];
};

/** The problems of an overlay; a process that would not start is the only one. */
const checkOverlay = (name: string): string[] => {
  try {
    return findProblems(readOverlay(name));
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
};

if (!hasKubectl()) console.log('Skipped: kubectl is not installed, so the overlays cannot be rendered.');
for (const name of hasKubectl() ? OVERLAYS : [])
  for (const problem of checkOverlay(name)) {
    console.error(`${name}: ${problem}`);
    process.exitCode = 1;
  }
