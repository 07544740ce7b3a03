import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const ARCHIVES = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'));
/** No sandbox: root has none, and every page is ours. No GPU: the machine may have none. The rest keeps it off the network. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];

/** The package unpacks to where temporary files go, and would take what it finds there, whoever put it there. */
const unpack = (name: string, directory: string): Promise<string> => {
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  const unpacked = inflate(fileURLToPath(new URL(name, ARCHIVES)));
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  return unpacked;
};

const fontsConfig = (directory: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${directory}/cache</cachedir></fontconfig>`;

/** The Chromium that npm brought, with the libraries and the fonts that a bare machine has not. */
const unpackChromium = async (directory: string) => {
  const [executablePath, fonts, libraries] = await Promise.all(
    ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => unpack(name, directory)),
  );
  await writeFile(join(directory, 'fonts', 'fonts.conf'), fontsConfig(join(directory, 'fonts')));
  return { executablePath, fonts, libraries: join(libraries ?? '', 'lib') };
};

/** A browser of its own for a test run, in a directory that goes with it. */
export const startChromium = async (): Promise<Browser> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `The Chromium that npm brings is for Linux on x64, not ${process.platform} on ${process.arch}`,
    );
  const directory = await mkdtemp(join(tmpdir(), 'platform-chromium-'));
  // However the run ends: 200 MB would stay behind.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const { executablePath = '', fonts = '', libraries } = await unpackChromium(directory);
  const env = { HOME: directory, TMPDIR: directory, FONTCONFIG_PATH: fonts, LD_LIBRARY_PATH: libraries };
  return await chromium.launch({ executablePath, args: FLAGS, env });
};
