import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';
import { createBreakingProxy } from './breaking-proxy.ts';
import { ACCOUNT_BREAKS } from './breaks/account-breaks.ts';
import { REQUEST_BREAKS } from './breaks/request-breaks.ts';
import { ROUTE_BREAKS } from './breaks/route-breaks.ts';
import type { Credentials } from './check-deployment.ts';
import { createAccounts, runChecks } from './run-checks.ts';

const BREAKS = [...ROUTE_BREAKS, ...REQUEST_BREAKS, ...ACCOUNT_BREAKS];

describe('check of a deployment with a broken contract', () => {
  const platform = usePlatform();
  let accounts: Credentials[];
  before(async () => {
    accounts = await createAccounts(platform().records);
  });

  it('passes through a proxy that breaks nothing', async () => {
    const proxy = await createBreakingProxy(platform().gatewayUrl);
    try {
      expect((await runChecks(proxy.url, { accounts })).failed).to.deep.equal([]);
    } finally {
      await proxy.close();
    }
  });

  it('passes twice at once with the same accounts', async () => {
    const { gatewayUrl } = platform();
    const runs = await Promise.all([
      runChecks(gatewayUrl, { accounts }),
      runChecks(gatewayUrl, { accounts }),
    ]);
    expect(runs.flatMap(({ failed }) => failed)).to.deep.equal([]);
  });

  describe('names', () => {
    let failed: string[];
    before(async () => {
      const breaks = BREAKS.map(({ apply }) => apply);
      const proxy = await createBreakingProxy(platform().gatewayUrl, breaks);
      ({ failed } = await runChecks(proxy.url, { accounts, origin: 'http://localhost:5173' }));
      await proxy.close();
    });

    for (const { name, line } of BREAKS)
      it(
        name,
        () =>
          expect(
            failed.filter((text) => line.test(text)),
            failed.join('\n'),
          ).not.to.be.empty,
      );
  });
});
