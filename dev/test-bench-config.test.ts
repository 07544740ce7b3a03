import { join } from 'node:path';
import { expect } from 'chai';
import { StackError } from './stack-error.ts';
import { readTestBenchConfig } from './test-bench-config.ts';

describe('npm run test-bench', () => {
  it('has the limits of production, cheap hashes, no demo data, and the ports of npm start', () => {
    const { env, seed, ports, testBench, dataDir, root } = readTestBenchConfig({}, {});
    expect(env).to.include({ RATE_LIMIT_SCALE: '1', BCRYPT_COST: '4' });
    expect(seed).to.include({ enabled: false });
    expect(ports.gateway).to.equal(3000);
    expect(testBench).to.deep.equal({ enabled: true, host: '127.0.0.1', urlHost: '127.0.0.1', port: 8027 });
    expect(dataDir).to.equal(join(root, '.data-test-bench'));
  });

  it('takes any free ports and a data folder of its own if it has a name', () => {
    const { ports, testBench, dataDir, root } = readTestBenchConfig(
      { AUTH_API_PORT: '4001' },
      { name: 'w3' },
    );
    expect(ports).to.include({ gateway: 0, auth: 4001, inbox: 0, oidc: 0 });
    expect(testBench.port).to.equal(0);
    expect(dataDir).to.equal(join(root, '.data-w3'));
    expect(readTestBenchConfig({ DATA_DIR: '/data' }, { name: 'w3' }).dataDir).to.equal('/data');
  });

  it('takes settings of --set before those of the environment', () => {
    const set = ['NEW_DEVICE_CODE=on', 'PRODUCT_NAME=A=B'];
    const { env } = readTestBenchConfig({ NEW_DEVICE_CODE: 'off', SIGN_UP: 'off', PAGES: '' }, { set });
    expect(env).to.include({ NEW_DEVICE_CODE: 'on', PRODUCT_NAME: 'A=B', SIGN_UP: 'off' });
  });

  it('does not start in production, without the inbox, or with malformed options', () => {
    expect(() => readTestBenchConfig({ NODE_ENV: 'production' }, {})).to.throw(
      StackError,
      /NODE_ENV=production/,
    );
    expect(() => readTestBenchConfig({ SMTP_URL: 'smtp://mail.internal' }, {})).to.throw(
      StackError,
      /SMTP_URL/,
    );
    expect(() => readTestBenchConfig({}, { set: ['new_device'] })).to.throw(StackError, /NAME=value/);
    expect(() => readTestBenchConfig({}, { name: '../x' })).to.throw(StackError, /--name/);
  });
});
