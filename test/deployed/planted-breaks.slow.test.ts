import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';
import { createBreakingProxy, type PlantedBreak, setHeaders } from './breaking-proxy.ts';
import type { Credentials } from './check-deployment.ts';
import { READ_BREAKS, WRITE_BREAKS } from './planted-breaks.ts';
import { createAccounts, findFailures } from './run-checks.ts';

describe('check of a deployment with a broken contract', () => {
  const platform = usePlatform({ isShared: false });
  let accounts: Credentials[];
  before(async () => {
    accounts = await createAccounts(platform().records);
  });

  it('passes through a proxy that breaks nothing', async () => {
    const proxy = await createBreakingProxy(platform().gatewayUrl);
    try {
      expect(await findFailures(proxy.url, { accounts })).to.deep.equal([]);
    } finally {
      await proxy.close();
    }
  });

  for (const header of [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    'Strict-Transport-Security',
    'Content-Security-Policy',
    'Cache-Control',
    'WWW-Authenticate',
    'Vary',
  ])
    it(`counts ${header}, missing everywhere, as one failure`, async () => {
      const remove = setHeaders(/(?:)/, { [header.toLowerCase()]: undefined });
      const proxy = await createBreakingProxy(platform().gatewayUrl, [remove]);
      try {
        const failures = await findFailures(proxy.url, { accounts });
        expect(failures, failures.join('\n')).to.have.length(1);
        expect(failures[0]).to.include(header);
      } finally {
        await proxy.close();
      }
    });

  const describeBreaks = (title: string, breaks: readonly PlantedBreak[], isWriting: boolean) =>
    describe(title, () => {
      let failed: string[];
      before('run the checks through all breaks', async () => {
        const { gatewayUrl, stack } = platform();
        const proxy = await createBreakingProxy(
          gatewayUrl,
          breaks.map(([, apply]) => apply),
        );
        const write = isWriting ? { mailDomain: 'example.com', inboxUrl: stack.inboxUrl } : undefined;
        failed = await findFailures(proxy.url, { accounts, origin: 'http://localhost:5173', write });
        await proxy.close();
      });

      for (const [name, , line] of breaks)
        it(name, () =>
          expect(
            failed.some((text) => line.test(text)),
            failed.join('\n'),
          ).to.equal(true),
        );
    });
  describeBreaks('names', READ_BREAKS, false);
  describeBreaks('names with --write', WRITE_BREAKS, true);
});
