import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

const ARCHIVES = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
/**
 * The sandbox does not work as root, and all pages are trusted. The machine may have no GPU. Names below `test` are
 * this machine. The other flags prevent network access.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--host-resolver-rules=MAP *.test 127.0.0.1',
];

/**
 * Unpacks into a new directory, because the package reuses existing files in TMPDIR, which another user could
 * have written.
 */
const unpack = (name: string, directory: string): Promise<string> => {
  const original = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  const unpacked = inflate(fileURLToPath(new URL(name, ARCHIVES)));
  if (original === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = original;
  return unpacked;
};

const fontsConfig = (directory: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${directory}/cache</cachedir></fontconfig>`;

/** Unpacks Chromium from the npm package, with the libraries and fonts that a minimal machine lacks. */
const unpackChromium = async (directory: string) => {
  const [executablePath, fonts, libraries] = await Promise.all(
    ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => unpack(name, directory)),
  );
  await writeFile(join(directory, 'fonts', 'fonts.conf'), fontsConfig(join(directory, 'fonts')));
  return { executablePath, fonts, libraries: join(libraries ?? '', 'lib') };
};

/**
 * At these signals, Playwright would end this process before the stack has stopped and its data is deleted. It ends
 * Chromium with this process in any case.
 */
const WITHOUT_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** Unpacks Chromium once, into a temporary directory, which is removed when the process exits. */
const prepareLaunch = async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `The Chromium package supports Linux on x64 only, not ${process.platform} on ${process.arch}`,
    );
  const directory = await mkdtemp(join(tmpdir(), 'platform-chromium-'));
  // Chromium has 200 MB, so it is deleted however the run ends.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const { executablePath = '', fonts = '', libraries } = await unpackChromium(directory);
  const env = { HOME: directory, TMPDIR: directory, FONTCONFIG_PATH: fonts, LD_LIBRARY_PATH: libraries };
  return { executablePath, args: FLAGS, env, ...WITHOUT_SIGNALS };
};

let launch: ReturnType<typeof prepareLaunch> | undefined;
/** The options of Playwright that start the Chromium of the npm package. */
export const getLaunch = () => {
  launch ??= prepareLaunch();
  return launch;
};

export const startChromium = async (): Promise<Browser> => await chromium.launch(await getLaunch());

/** Starts Chromium with a profile that is kept when it is closed, in a directory. */
export const startChromiumWithProfile = async (
  directory: string,
  options: BrowserContextOptions,
): Promise<BrowserContext> =>
  await chromium.launchPersistentContext(directory, { ...options, ...(await getLaunch()) });

/** The tabs of the packaged headless shell share one process; those of a whole Chromium do not. */
const INSTALLED = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const INSTALLED_FLAGS = ['--no-first-run', '--disable-component-update', '--disable-sync'];

/** Finds a whole Chromium on this machine. */
export const findInstalledChromium = (): string | undefined => INSTALLED.find((path) => existsSync(path));

/** Starts a whole Chromium with an empty profile. */
export const startInstalledChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...FLAGS, ...INSTALLED_FLAGS], ...WITHOUT_SIGNALS });
