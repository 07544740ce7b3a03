// `npm run check:images`: builds every image of the Dockerfile and runs the platform from them, on a machine without a
// container engine: buildah builds, chroot runs. It takes minutes and needs root, so `npm test` leaves it out.
import { appendFile, chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { respondsOk } from '../dev/ports.ts';
import { startFakeSmtpServer } from '../dev/testing/fake-smtp-server.ts';
import { type Report, runSuite } from '../shared/testing/suite.ts';
import { makeBaseImage } from './images/base-image.ts';
import { type Buildah, createBuildah, type Image } from './images/buildah.ts';
import { requireTools, run } from './images/commands.ts';
import { type Container, runInImage, startContainer } from './images/container.ts';
import { startEngines } from './images/engines.ts';
import {
  describePlatform,
  type Platform,
  PROCESSES,
  type ProcessName,
  SCALED,
} from './images/environment.ts';
import { inspectImage, measureSizes } from './images/inspection.ts';
import { signUp, waitFor } from './images/visitor.ts';

const ROOT = resolve(import.meta.dirname, '..');
const READY_SECONDS = 30;

type Images = Record<ProcessName | 'migrate', Image>;

const buildImages = async (buildah: Buildah, report: Report): Promise<Images> => {
  const images: [string, Image][] = [];
  for (const target of [...PROCESSES, 'migrate']) {
    const began = performance.now();
    images.push([target, await buildah.build(ROOT, target)]);
    report.log(`built ${target} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  }
  return Object.fromEntries(images) as Images;
};

const migrate = async (image: Image, { databaseOf }: Platform, report: Report): Promise<void> => {
  const first = await runInImage(image, databaseOf.migrate);
  report.check(first.code === 0 && first.output.startsWith('Ran '), `migrate: ${first.output.trim()}`);
  const second = await runInImage(image, databaseOf.migrate);
  report.check(second.code === 0, `migrate again: ${second.output.trim()}`);
};

/** In /tmp, where its user could write were the file system not read-only: so nothing that works below needs to write. */
const tryToWrite = async (image: Image, report: Report): Promise<void> => {
  const { output } = await runInImage(image, {}, ['node', '-e', "fs.writeFileSync('/tmp/file', '')"]);
  report.check(output.includes('EROFS'), `${image.target} runs on a read-only root file system`);
};

/** An operator's command, in the image of the process that it belongs to. */
const cleanUp = async (image: Image, { databaseOf }: Platform, report: Report): Promise<void> => {
  const command = ['node', 'mailer-worker/src/run-cleanup.ts'];
  const { code, output } = await runInImage(image, databaseOf['mailer-worker'], command);
  report.check(
    code === 0 && output.startsWith('Removed '),
    `a command of the worker's image: ${output.trim()}`,
  );
};

const start = async (image: Image, platform: Platform, address?: string): Promise<Container> => {
  const { environment, databaseOf, opsPorts } = platform;
  const name = image.target as ProcessName;
  const own = { ...databaseOf[name], ...(address && { HOST: address }) };
  const container = startContainer(image, { ...environment, ...own });
  const readiness = `http://${address ?? '127.0.0.1'}:${opsPorts[name]}/readyz`;
  await waitFor(`${image.target} is ready`, READY_SECONDS, async () => {
    if (container.hasEnded()) throw new Error(`${image.target} did not start:\n${container.output()}`);
    return await respondsOk(readiness);
  });
  return container;
};

/** Two of one process behind one name, of the others one. */
const startAll = async (images: Images, platform: Platform, containers: Container[]): Promise<void> => {
  const hosts = SCALED.addresses.map((address) => `${address} ${SCALED.name}\n`);
  await appendFile(join(images.gateway.root, 'etc/hosts'), hosts.join(''));
  for (const name of PROCESSES)
    for (const address of name === SCALED.name ? SCALED.addresses : [undefined])
      containers.push(await start(images[name], platform, address));
};

/** A kept connection to the first of them must not keep the other without work. */
const judgeScaling = async (containers: Container[], gatewayUrl: string, report: Report): Promise<void> => {
  const path = '/api/v1/customers/auth/me';
  const count = 10;
  for (let asked = 0; asked < count; asked += 1) await fetch(`${gatewayUrl}${path}`);
  const scaled = containers.filter(({ image }) => image.target === SCALED.name);
  const readShares = () => scaled.map(({ output }) => output().split(path).length - 1);
  await waitFor(
    'a line in a log for each',
    5,
    () => readShares().reduce((sum, share) => sum + share) === count,
  );
  const shares = readShares();
  const isEven = shares.every((share) => share === count / scaled.length);
  report.check(isEven, `${count} requests to ${scaled.length} of ${SCALED.name}: ${shares.join(' and ')}`);
};

/** Ready is known by now; who is it, and does the image's own check say so too? */
const judge = async (container: Container, report: Report): Promise<void> => {
  const { target } = container.image;
  const status = await container.readStatus();
  report.check(/^Uid:\s+1000\s/m.test(status), `${target} runs as a user without rights`);
  report.check(/^NSpid:\s+\d+\s+1$/m.test(status), `${target} is process 1 of its container`);
  report.check(/^CapEff:\s+0+$/m.test(status), `${target} has no capability`);
  const health = await container.checkHealth();
  report.check(health.code === 0, `${target} is healthy: ${health.output.trim()}`);
};

const stop = async (container: Container, report: Report): Promise<void> => {
  const { target } = container.image;
  const { code, output } = await container.stop();
  report.check(
    code === 0,
    `${target} ends with 0 after SIGTERM${code === 0 ? '' : `, not ${code}:\n${output}`}`,
  );
  const health = await container.checkHealth();
  report.check(health.code === 1, `${target}, stopped, is not healthy: ${health.output.trim()}`);
};

const runPlatform = async (images: Images, work: string, report: Report): Promise<void> => {
  const engines = await startEngines(work);
  const smtp = await startFakeSmtpServer();
  const containers: Container[] = [];
  try {
    const platform = await describePlatform(engines, smtp.url);
    await migrate(images.migrate, platform, report);
    await startAll(images, platform, containers);
    for (const container of containers) await judge(container, report);
    await signUp(platform.gatewayUrl, smtp, report);
    await cleanUp(images['mailer-worker'], platform, report);
    await judgeScaling(containers, platform.gatewayUrl, report);
    for (const container of containers.toReversed()) await stop(container, report);
  } finally {
    for (const container of containers) container.kill();
    await smtp.stop();
    await engines.stop();
  }
};

const readBaseReference = async (): Promise<string> => {
  const [, reference = ''] = /^FROM (\S+)/m.exec(await readFile(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  return reference;
};

const checkImages = async (report: Report): Promise<void> => {
  await requireTools();
  const work = await mkdtemp(join(tmpdir(), 'check-images-'));
  await chmod(work, 0o755);
  try {
    const buildah = await createBuildah(work);
    await makeBaseImage(buildah, await readBaseReference(), work);
    report.log(`made ${await readBaseReference()} of Debian's packages and the pinned Node`);
    const images = await buildImages(buildah, report);
    for (const image of Object.values(images)) {
      await inspectImage(image, report);
      await tryToWrite(image, report);
    }
    await measureSizes(Object.values(images), report);
    await runPlatform(images, work, report);
  } finally {
    await run('rm', ['-rf', '--one-file-system', work]);
  }
};

await runSuite({ name: 'images', command: 'npm run check:images', timeoutSeconds: 1_800, run: checkImages });
