import { removeProjects } from './frontend-project.ts';
import { stopSite } from './recipe-site.ts';

/** Called by Mocha once, after the last test. */
export const mochaGlobalTeardown = async (): Promise<void> => {
  await stopSite();
  await removeProjects();
};
