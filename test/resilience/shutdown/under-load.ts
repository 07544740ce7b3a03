import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '@platform/shared/testing/suite';
import { countEndings, isWrong, type Sample } from '../load/request-log.ts';
import { loadDuring, type Office, type Part } from './load.ts';
import { type Platform, SHUTDOWN_SECONDS } from './platform.ts';
import type { Ending, ServiceProcess } from './service-process.ts';

type Scene = { platform: Platform; office: Office; report: Report };

/** What a scenario found; `endings` of every stop in it. */
export type Figures = { scenario: string; endings: Ending[]; samples: Sample[] };

const ROUNDS_WITH_TWO = 2;
const ROUNDS_WITH_ONE = 4;
/** Long enough for the gateway to notice, and to try whether the instance is back. */
const AWAY_MILLISECONDS = 1_200;
const BACK_MILLISECONDS = 1_200;

const stopAndStart = async (service: ServiceProcess): Promise<Ending> => {
  const ending = await service.stop();
  await delay(AWAY_MILLISECONDS);
  await service.start();
  await delay(BACK_MILLISECONDS);
  return ending;
};

const repeatStops = async (services: readonly ServiceProcess[], rounds: number): Promise<Ending[]> => {
  const endings: Ending[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const service of services) endings.push(await stopAndStart(service));
  return endings;
};

const describeEnding = ({ code, signal, seconds }: Ending): string =>
  `${signal ?? `exit code ${code}`} after ${seconds.toFixed(1)} s`;

const judgeEndings = (report: Report, scenario: string, endings: readonly Ending[]): void => {
  const unclean = endings.filter(({ code, seconds }) => code !== 0 || seconds > SHUTDOWN_SECONDS);
  const slowest = Math.max(...endings.map(({ seconds }) => seconds));
  report.check(
    unclean.length === 0,
    `${scenario}: ${endings.length} stops end with exit code 0 within ${SHUTDOWN_SECONDS} s, the slowest after ` +
      `${slowest.toFixed(1)} s${unclean.map((ending) => `; ${describeEnding(ending)}`).join('')}`,
  );
};

/** Of an exchange that was begun, a client sees a whole answer: nothing is cut and nothing hangs. */
const isBroken = ({ outcome }: Sample): boolean => outcome.kind === 'failure' && outcome.cause !== 'refused';

/** Two instances of each service: whoever calls through the gateway notices nothing. */
export const stopOneOfTwo = async ({ platform, office, report }: Scene): Promise<Figures> => {
  const scenario = 'two instances of each service behind the gateway';
  const auth = [await platform.make('auth-service'), await platform.make('auth-service')];
  const admin = [await platform.make('admin-service'), await platform.make('admin-service')];
  const gateway = await platform.makeGateway(auth, admin);
  const services = [...auth, ...admin];
  await Promise.all([...services, gateway].map((service) => service.start()));
  const endings: Ending[] = [];
  const samples = await loadDuring(gateway.url, ['auth', 'office'], office, async () => {
    endings.push(...(await repeatStops(services, ROUNDS_WITH_TWO)));
  });
  const failed = samples.filter(({ isSuccess }) => !isSuccess);
  report.check(failed.length === 0, `${scenario}: ${failed.length} of ${samples.length} requests failed`);
  for (const { operation, ending } of failed.slice(0, 10)) report.log(`    ${operation}: ${ending}`);
  judgeEndings(report, scenario, endings);
  await Promise.all([...services, gateway].map((service) => service.stop()));
  return { scenario, endings, samples };
};

type Alone = { scenario: string; url: string; parts: readonly Part[]; stopped: readonly ServiceProcess[] };

/** One instance: while it is away requests are refused, or answered by the gateway, but no connection is reset. */
const stopTheOnlyOne = async (
  { office, report }: Scene,
  { scenario, url, parts, stopped }: Alone,
): Promise<Figures> => {
  const endings: Ending[] = [];
  const samples = await loadDuring(url, parts, office, async () => {
    endings.push(...(await repeatStops(stopped, ROUNDS_WITH_ONE)));
  });
  const broken = samples.filter(isBroken);
  const wrong = samples.filter(isWrong);
  report.check(
    broken.length === 0,
    `${scenario}: of ${samples.length} requests ${broken.length} were reset, cut off or left hanging (${countEndings(broken)})`,
  );
  report.check(wrong.length === 0, `${scenario}: ${wrong.length} wrong answers (${countEndings(wrong)})`);
  judgeEndings(report, scenario, endings);
  return { scenario, endings, samples };
};

export const stopOnlyInstances = async (scene: Scene): Promise<Figures[]> => {
  const { platform } = scene;
  const auth = await platform.make('auth-service');
  const admin = await platform.make('admin-service');
  const gateway = await platform.makeGateway([auth], [admin]);
  await Promise.all([auth, admin, gateway].map((service) => service.start()));
  const everything = ['auth', 'office'] as const;
  const scenarios: Alone[] = [
    { scenario: 'auth-service, called directly', url: auth.url, parts: ['auth'], stopped: [auth] },
    { scenario: 'admin-service, called directly', url: admin.url, parts: ['office'], stopped: [admin] },
    { scenario: 'the gateway', url: gateway.url, parts: everything, stopped: [gateway] },
    {
      scenario: 'either service, called through the gateway',
      url: gateway.url,
      parts: everything,
      stopped: [auth, admin],
    },
  ];
  const figures: Figures[] = [];
  for (const scenario of scenarios) figures.push(await stopTheOnlyOne(scene, scenario));
  await Promise.all([auth, admin, gateway].map((service) => service.stop()));
  return figures;
};
