import { expect } from 'chai';
import { parseMetrics } from '../../testing/parse-metrics.ts';
import { getReadValues, readEnvironment, text } from '../config/env.ts';
import { createMetrics } from './metrics.ts';
import { registerSettingFingerprints } from './setting-fingerprints.ts';

const read = async (values: Record<string, unknown>) => {
  const metrics = createMetrics('test');
  registerSettingFingerprints(metrics, values);
  const samples = parseMetrics(await metrics.render()).filter(({ name }) => name === 'shared_setting');
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
});
