// `npm run check:images`: builds every image of the Dockerfile and runs the platform from them without a container engine:
// buildah builds the images, unshare and chroot run them. It takes minutes and needs root, so `npm test` does not include it.
import { appendFile, chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { respondsOk } from '../dev/ports.ts';
import { startFakeSmtpServer } from '../dev/testing/fake-smtp-server.ts';
import { waitFor } from '../shared/testing/poll.ts';
import { type Report, runSuite } from '../shared/testing/suite.ts';
import { readBaseImage } from './deploy/dockerfile.ts';
import { buildBaseImage } from './images/base-image.ts';
import { type BuildArguments, type Buildah, createBuildah, type Image } from './images/buildah.ts';
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
import { checkLabels } from './images/labels.ts';
import { checkPackages } from './images/packages.ts';
import { requireTools, run } from './images/run-command.ts';
import { checkSignUp } from './images/sign-up-flow.ts';

const ROOT = resolve(import.meta.dirname, '..');
const READY_SECONDS = 30;

type Images = Record<ProcessName | 'migrate', Image>;

const buildImages = async (buildah: Buildah, values: BuildArguments, report: Report): Promise<Images> => {
  const images: [string, Image][] = [];
  for (const target of [...PROCESSES, 'migrate']) {
    const startedAt = performance.now();
    images.push([target, await buildah.build(ROOT, target, values)]);
    report.log(`built ${target} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  return Object.fromEntries(images) as Images;
};

const migrate = async (image: Image, { databaseVariables }: Platform, report: Report): Promise<void> => {
  const first = await runInImage(image, databaseVariables.migrate);
  report.check(first.code === 0 && first.output.startsWith('Ran '), `migrate: ${first.output.trim()}`);
  const second = await runInImage(image, databaseVariables.migrate);
  report.check(second.code === 0, `migrate again: ${second.output.trim()}`);
};

/** Writes to /tmp, which only the read-only mount prevents: so nothing that works below needs a writable file system. */
const checkReadOnlyRoot = async (image: Image, report: Report): Promise<void> => {
  const { output } = await runInImage(image, {}, ['node', '-e', "fs.writeFileSync('/tmp/file', '')"]);
  report.check(output.includes('EROFS'), `${image.target} runs on a read-only root file system`);
};

/** Runs an operator command in the image of the worker. */
const checkCleanupCommand = async (
  image: Image,
  { databaseVariables }: Platform,
  report: Report,
): Promise<void> => {
  const command = ['node', 'mailer-worker/src/run-cleanup.ts'];
  const { code, output } = await runInImage(image, databaseVariables['mailer-worker'], command);
  report.check(
    code === 0 && output.startsWith('Removed '),
    `cleanup command in the worker image: ${output.trim()}`,
  );
};

const start = async (image: Image, platform: Platform, address?: string): Promise<Container> => {
  const { environment, databaseVariables, opsPorts } = platform;
  const name = image.target as ProcessName;
  const specific = { ...databaseVariables[name], ...(address && { HOST: address }) };
  const container = startContainer(image, { ...environment, ...specific });
  const readiness = `http://${address ?? '127.0.0.1'}:${opsPorts[name]}/readyz`;
  const isReady = async () => {
    if (container.hasExited()) throw new Error(`${image.target} did not start:\n${container.output()}`);
    return await respondsOk(readiness);
  };
  await waitFor(`${image.target} is ready`, isReady, READY_SECONDS);
  return container;
};

/** Starts two instances of one service under one host name, and one instance of the others. */
const startAll = async (images: Images, platform: Platform, containers: Container[]): Promise<void> => {
  const hosts = SCALED.addresses.map((address) => `${address} ${SCALED.name}\n`);
  await appendFile(join(images.gateway.root, 'etc/hosts'), hosts.join(''));
  for (const name of PROCESSES)
    for (const address of name === SCALED.name ? SCALED.addresses : [undefined])
      containers.push(await start(images[name], platform, address));
};

/** Keep-alive connections to the first instance must not starve the second. */
const checkLoadDistribution = async (
  containers: Container[],
  gatewayUrl: string,
  report: Report,
): Promise<void> => {
  const path = '/api/v1/customers/auth/me';
  const count = 10;
  for (let sent = 0; sent < count; sent += 1) await fetch(`${gatewayUrl}${path}`);
  const scaled = containers.filter(({ image }) => image.target === SCALED.name);
  const readShares = () => scaled.map(({ output }) => output().split(path).length - 1);
  const isLogged = () => readShares().reduce((sum, share) => sum + share) === count;
  await waitFor('a log line for each request', isLogged, 5);
  const shares = readShares();
  const isEven = shares.every((share) => share === count / scaled.length);
  report.check(isEven, `${count} requests to ${scaled.length} of ${SCALED.name}: ${shares.join(' and ')}`);
};

/** Checks user, process id, capabilities and health check of a ready container. */
const checkContainer = async (container: Container, report: Report): Promise<void> => {
  const { target } = container.image;
  const status = await container.readStatus();
  report.check(/^Uid:\s+1000\s/m.test(status), `${target} runs as an unprivileged user`);
  report.check(/^NSpid:\s+\d+\s+1$/m.test(status), `${target} is process 1 of its container`);
  report.check(/^CapEff:\s+0+$/m.test(status), `${target} has no capabilities`);
  const health = await container.checkHealth();
  report.check(health.code === 0, `${target} is healthy: ${health.output.trim()}`);
};

const stop = async (container: Container, report: Report): Promise<void> => {
  const { target } = container.image;
  const { code, output } = await container.stop();
  report.check(
    code === 0,
    `${target} exits with 0 after SIGTERM${code === 0 ? '' : `, not ${code}:\n${output}`}`,
  );
  const health = await container.checkHealth();
  report.check(health.code === 1, `${target} is unhealthy after the stop: ${health.output.trim()}`);
};

const runPlatform = async (images: Images, work: string, report: Report): Promise<void> => {
  const engines = await startEngines(work);
  const smtp = await startFakeSmtpServer();
  const containers: Container[] = [];
  try {
    const platform = await describePlatform(engines, smtp.url);
    await migrate(images.migrate, platform, report);
    await startAll(images, platform, containers);
    for (const container of containers) await checkContainer(container, report);
    await checkSignUp(platform.gatewayUrl, smtp, report);
    await checkCleanupCommand(images['mailer-worker'], platform, report);
    await checkLoadDistribution(containers, platform.gatewayUrl, report);
    for (const container of containers.toReversed()) await stop(container, report);
  } finally {
    for (const container of containers) container.kill();
    await smtp.stop();
    await engines.stop();
  }
};

/** As the release workflow sets them; the base image is built here, so it does not have the pinned digest. */
const createBuildArguments = (): BuildArguments => ({
  NODE_IMAGE: readBaseImage().reference,
  VERSION: '1.2.3',
  REVISION: '0123456789abcdef0123456789abcdef01234567',
  CREATED: '2026-01-02T03:04:05Z',
  SOURCE: 'https://example.com/repository',
});

const checkImages = async (report: Report): Promise<void> => {
  await requireTools();
  const work = await mkdtemp(join(tmpdir(), 'check-images-'));
  await chmod(work, 0o755);
  try {
    const buildah = await createBuildah(work);
    const values = createBuildArguments();
    const { reference } = readBaseImage();
    await buildBaseImage(buildah, reference, work);
    report.log(`built ${reference} from Debian packages and the pinned Node`);
    const images = await buildImages(buildah, values, report);
    for (const image of Object.values(images)) {
      await inspectImage(image, report);
      checkLabels(image, values, report);
      await checkPackages(image, report);
      await checkReadOnlyRoot(image, report);
    }
    await measureSizes(Object.values(images), report);
    await runPlatform(images, work, report);
  } finally {
    await run('rm', ['-rf', '--one-file-system', work]);
  }
};

await runSuite({ name: 'images', command: 'npm run check:images', timeoutSeconds: 1_800, run: checkImages });
