import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createMetrics } from '../shared/src/metrics/metrics.ts';
import { registerSecretFingerprints } from '../shared/src/metrics/secret-fingerprints.ts';
import { registerSettingFingerprints } from '../shared/src/metrics/setting-fingerprints.ts';
import { registerSwitches } from '../shared/src/metrics/switches.ts';

type Values = { settings?: Record<string, unknown>; key?: string; clock?: number; version?: string };

const render = async (
  service: string,
  { settings = {}, key = 'a', clock = 0, version = '1.2.0' }: Values,
) => {
  const metrics = createMetrics(service);
  const values = { SIGN_UP: 'on', PRODUCT_NAME: 'Market', LOG_LEVEL: 'info', ...settings };
  registerSettingFingerprints(metrics, values);
  registerSwitches(metrics, values);
  registerSecretFingerprints(metrics, { CODE_SECRET_KEY: { current: key, previous: [] } });
  metrics.labeledGauge('build_info', 'help', 'version', () => ({ [version]: 1 }));
  metrics.gauge('clock_difference_seconds', 'help', () => clock);
  return await metrics.render();
};

describe('comparison of instances', () => {
  let directory: string;
  before('create a folder', async () => {
    directory = await mkdtemp(join(tmpdir(), 'instances-'));
  });
  after('delete the folder', () => rm(directory, { recursive: true }));

  const write = async (name: string, ...page: Parameters<typeof render>): Promise<string> => {
    const file = join(directory, name);
    await writeFile(file, await render(...page));
    return file;
  };
  const compare = async (...sources: string[]) => {
    const child = spawn(process.execPath, ['tools/compare-instances.ts', ...sources]);
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { output: output.replaceAll(`${directory}/`, ''), code };
  };

  it('finds none between equal instances, of which one is read from its operations port', async () => {
    const page = await render('gateway', { settings: { LOG_LEVEL: 'warn' } });
    const server = createServer((req, res) => res.end(req.url === '/metrics' ? page : '')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { output, code } = await compare(url, await write('auth-1', 'auth-service', {}));
    server.close();
    expect({ output, code }).to.deep.equal({ output: '2 instances read, which do not differ.\n', code: 0 });
  });

  it('prints settings, secrets, releases and clocks that differ, and switches that are on', async () => {
    const { output, code } = await compare(
      await write('auth-1', 'auth-service', { settings: { SIGN_UP: 'off', PRODUCT_NAME: 'Shop' } }),
      await write('auth-2', 'auth-service', { key: 'b', settings: { NEW_DEVICE_CODE: 'on' } }),
      await write('worker', 'mailer-worker', { clock: -3_600, version: '1.1.0' }),
      join(directory, 'missing'),
    );
    const withoutFingerprints = output.replace(/\b[0-9a-f]{8}\b/g, 'x');
    expect(withoutFingerprints).to.include('missing is unreadable: ENOENT');
    for (const lines of [
      'SIGN_UP of auth-service differs:\n  x: auth-1\n  x: auth-2\n',
      'NEW_DEVICE_CODE of auth-service differs:\n  not read: auth-1\n  x: auth-2\n',
      'PRODUCT_NAME differs:\n  x: auth-1\n  x: auth-2, worker\n',
      'CODE_SECRET_KEY differs:\n  x (current): auth-1, worker\n  x (current): auth-2\n',
      'The release differs:\n  1.2.0: auth-1, auth-2\n  1.1.0: worker\n',
      'The clock of worker differs from that of PostgreSQL by -3600.0 s\n',
      'The switch SIGN_UP is active: auth-1\n3 instances read.\n',
    ])
      expect(withoutFingerprints).to.include(lines);
    expect(output).not.to.include('LOG_LEVEL');
    expect(code).to.equal(1);
  });
});
