import { expect } from 'chai';
import { parseMetrics } from '../../testing/parse-metrics.ts';
import { databaseUrl } from '../config/addresses.ts';
import { getReadValues, port, readEnvironment, secret, text } from '../config/env.ts';
import { createMetrics } from './metrics.ts';
import { registerSettingFingerprints } from './setting-fingerprints.ts';
import { registerSwitches } from './switches.ts';

const read = async (values: Record<string, unknown>, metric = 'shared_setting') => {
  const metrics = createMetrics('test');
  registerSettingFingerprints(metrics, values);
  const samples = parseMetrics(await metrics.render()).filter(({ name }) => name === metric);
  return Object.fromEntries(samples.map(({ labels }) => [labels['setting'], labels['fingerprint']]));
};

describe('fingerprints of settings', () => {
  it('are equal for equal values, whatever the order of a list, and differ for others', async () => {
    const [one, same, other] = [
      await read({ ADMIN_ALLOWED_DOMAINS: ['a.example', 'b.example'], PRODUCT_NAME: 'Market' }),
      await read({ ADMIN_ALLOWED_DOMAINS: ['b.example', 'a.example'], PRODUCT_NAME: 'Market' }),
      await read({ ADMIN_ALLOWED_DOMAINS: ['a.example'], PRODUCT_NAME: 'Shop' }),
    ];
    expect(one).to.deep.equal(same);
    expect(Object.keys(one)).to.have.members(['ADMIN_ALLOWED_DOMAINS', 'PRODUCT_NAME']);
    for (const setting of Object.keys(one)) expect(other[setting], setting).not.to.equal(one[setting]);
  });

  it('are equal for PAGES with its default and without a value, and differ for other pages', async () => {
    const readPages = (PAGES?: string, NODE_ENV = 'production') => read({ NODE_ENV, PAGES });
    expect(await readPages()).to.deep.equal(await readPages('off'));
    expect(await readPages(undefined, 'development')).to.deep.equal(await readPages('on'));
    expect(await readPages('console')).not.to.deep.equal(await readPages('account'));
  });

  it('are those of the settings that the process reads, with their defaults', async () => {
    const specs = { PRODUCT_NAME: text({ default: 'Marketplace' }), LOG_LEVEL: text({ default: 'info' }) };
    const [unset, set] = [{}, { PRODUCT_NAME: 'Marketplace' }];
    for (const environment of [unset, set]) readEnvironment(environment, specs);
    expect(await read(getReadValues(set))).to.deep.equal(await read(getReadValues(unset)));
    expect(Object.keys(await read(getReadValues(set)))).to.deep.equal(['PRODUCT_NAME']);
  });

  it('tell instances of a service apart by all other settings, but not by ports and passwords', async () => {
    const specs = {
      ...{ PRODUCT_NAME: text({ default: 'M' }), LOG_LEVEL: text({ default: 'info' }), API_PORT: port(1) },
      ...{ DATABASE_URL: databaseUrl(), KEY: secret() },
    };
    const readService = async (environment: Record<string, string>) => {
      readEnvironment(environment, specs);
      return await read(getReadValues(environment), 'service_setting');
    };
    const KEY = 'a key of thirty-two characters, a key';
    const one = await readService({ DATABASE_URL: 'postgres://me:secret@one/db', KEY });
    expect(Object.keys(one)).to.deep.equal(['LOG_LEVEL', 'DATABASE_URL']);
    expect(
      await readService({ DATABASE_URL: 'postgres://me:other@one/db?sslpassword=x', KEY, API_PORT: '2' }),
    ).to.deep.equal(one);
    const other = await readService({ DATABASE_URL: 'postgres://me:secret@two/db', KEY, LOG_LEVEL: 'warn' });
    for (const setting of Object.keys(one)) expect(other[setting], setting).not.to.equal(one[setting]);
  });
});

describe('switch metrics', () => {
  it('show which switches of the process are on', async () => {
    const readSwitches = async (values: Record<string, unknown>) => {
      const metrics = createMetrics('test');
      registerSwitches(metrics, values);
      const samples = parseMetrics(await metrics.render()).filter(({ name }) => name === 'switch_active');
      return Object.fromEntries(samples.map(({ labels, value }) => [labels['switch'], value]));
    };
    expect(await readSwitches({ SIGN_UP: 'on', EMAIL_CODE_SIGN_IN: 'off' })).to.deep.equal({
      SIGN_UP: 0,
      EMAIL_CODE_SIGN_IN: 1,
    });
    expect(await readSwitches({ BLOCKED_PATHS: ['/'], BLOCKED_NETWORKS: [] })).to.deep.equal({
      BLOCKED_PATHS: 1,
      BLOCKED_NETWORKS: 0,
    });
  });
});
