// `npm run test:sigterm`: every process is told to stop under load, and nobody is cut off; each serves its metrics meanwhile.
import { startSmtpStandIn } from '@platform/dev/testing/fake-smtp-server';
import { startScraping } from '@platform/shared/testing/scrape-metrics';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { judgeScrapes } from './check-scrapes.ts';
import { createHttpClient } from './load/http-client.ts';
import { prepareOffice } from './load/prepare.ts';
import { countEndings } from './load/request-log.ts';
import { startEngines } from './shutdown/engines.ts';
import type { Office } from './shutdown/load.ts';
import { createPlatform, type Platform } from './shutdown/platform.ts';
import { endBySecondSignal, endDespiteHangingClient } from './shutdown/signals.ts';
import { type Figures, stopOneOfTwo, stopOnlyInstances } from './shutdown/under-load.ts';
import { stopWorker } from './shutdown/worker.ts';

const COLUMNS = ['stopped', 'stops', 'slowest stop s', 'requests', 'failed', 'failed requests by ending'];

const toRow = ({ scenario, endings, samples }: Figures) => {
  const failed = samples.filter(({ isSuccess }) => !isSuccess);
  const slowest = Math.max(...endings.map(({ seconds }) => seconds));
  return [scenario, endings.length, slowest.toFixed(1), samples.length, failed.length, countEndings(failed)];
};

/** The load's administrator and projects, for which an auth-service is needed that signs in. */
const prepare = async (platform: Platform, databaseUrl: string): Promise<Office> => {
  const auth = await platform.make('auth-service');
  await auth.start();
  const client = createHttpClient(auth.url);
  const office = await prepareOffice(databaseUrl, client);
  client.close();
  await auth.stop();
  return office;
};

const run = async (report: Report): Promise<void> => {
  const engines = await startEngines();
  const smtp = await startSmtpStandIn();
  const scraping = startScraping();
  const platform = createPlatform(engines, smtp.url, scraping);
  try {
    // First, while the outbox is empty: the load fills it, and nobody empties it here.
    await stopWorker({ platform, report, databaseUrl: engines.databaseUrl, smtp });
    const office = await prepare(platform, engines.databaseUrl);
    const scene = { platform, office, report };
    const figures = [await stopOneOfTwo(scene), ...(await stopOnlyInstances(scene))];
    await endBySecondSignal(scene);
    await endDespiteHangingClient(scene);
    judgeScrapes(report, await scraping.stop());
    report.table('SIGTERM under 160 requests a second', COLUMNS, figures.map(toRow));
  } finally {
    platform.killAll();
    await smtp.stop();
    await engines.stop();
  }
};

await runSuite({
  name: 'shutdown',
  command: 'npm run test:resilience -- shutdown',
  timeoutSeconds: 350,
  run,
});
