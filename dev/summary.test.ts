import { expect } from 'chai';
import { readStackConfig } from './config.ts';
import { demoAccounts } from './seed/demo-people.ts';
import type { StackReport } from './start-services.ts';
import { formatSummary } from './summary.ts';

const url = (port: number) => `http://127.0.0.1:${port}`;
const description: StackReport['description'] = {
  gatewayUrl: url(3000),
  authUrl: url(3001),
  adminUrl: url(3002),
  inboxUrl: url(8025),
  oidcIssuer: url(8026),
  databaseUrl: 'postgres://platform:secret@127.0.0.1:5432/platform',
  databaseUrls: { auth: '', admin: '', worker: '' },
  adminAllowedDomains: null,
  redisUrl: 'redis://127.0.0.1:6379',
  smtpUrl: 'smtp://me:secret@mail.internal',
  opsUrls: { gateway: '', auth: '', admin: '', worker: '' },
  pids: { stack: 1, gateway: 2, auth: 3, admin: 4, worker: 5, postgres: 6, redis: 7, inbox: 8, oidc: 9 },
};
const seeded = demoAccounts.map(({ email }) => email);

describe('start-up summary', () => {
  const format = (env: NodeJS.ProcessEnv = {}, report: Partial<StackReport> = {}) =>
    formatSummary(readStackConfig(env), { description, seeded, ...report }, 4.21);

  it('names the start page, both documentation pages, the queues and the inbox with the codes', () => {
    const text = format();
    for (const path of ['/', '/api/', '/api/v1/docs/', '/api/v1/administrator/queues/'])
      expect(text).to.include(`${url(3000)}${path}`);
    expect(text).to.match(/Inbox +http:\/\/127\.0\.0\.1:8025\/ .*codes/);
    expect(text).to.include('The platform is ready (4.2 s).').and.include('npm run stop');
  });

  it('names the demo accounts, and their password only when it was just set', () => {
    for (const email of seeded) expect(format()).to.include(email);
    expect(format()).to.match(
      /^ {4}secured@example\.com +ADMIN with a second factor, TOTP key [A-Z2-7]{32}$/m,
    );
    expect(format({ SEED_PASSWORD: 'chosen' })).to.include('password: chosen');
    expect(format({ SEED_PASSWORD: 'chosen' }, { seeded: [] })).to.not.include('chosen');
    expect(format({ SEED_DEMO: 'off' })).to.not.include('Demo accounts');
  });

  it('contains no password of a server', () => {
    const text = format({}, { description: { ...description, inboxUrl: null } });
    expect(text).to.include('smtp://me:…@mail.internal').and.include('postgres://platform:…@');
    expect(text).to.not.include('secret');
  });

  it('leaves out the start page with NODE_ENV=production', () => {
    expect(format({ NODE_ENV: 'production' })).to.not.match(/start page/i);
  });
});
