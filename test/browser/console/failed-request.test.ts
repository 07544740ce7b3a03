import { waitFor } from '@platform/shared/testing/poll';
import { withFailing } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type LogLine, waitForLogLine } from '../../system/service-logs.ts';
import { useTracedPlatform } from '../../system/trace-spans.ts';
import { browserTest } from '../support/browser-test.ts';
import { ENGLISH, signIn, waitForHeading } from './console-tab.ts';

/** Verifies a team, and returns the number of the request that the dialog shows. */
const readRequestId = async (page: Page): Promise<string> => {
  await page
    .getByRole('button', { name: /^Verify/ })
    .first()
    .click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('button', { name: 'Verify team' }).click();
  await dialog.getByText('Request id:').waitFor();
  return await dialog.locator('.code').innerText();
};

describe('a failed request in the console', () => {
  const platform = useTracedPlatform({ PAGES: 'on' });

  it(
    'is found by the id of its dialog in the log of each process, and in a trace, down to its statement',
    browserTest(async (openBrowser) => {
      const { running, collector } = platform();
      const { gatewayUrl, adminUrl, databaseUrl } = running.stack;
      const records = createRecords(databaseUrl);
      const [administrator, teamId] = [
        await records.user(['ADMIN']),
        await records.team({ name: 'South Studio' }),
      ];
      await records.close();
      const browser = await openBrowser(ENGLISH);
      browser.allowErrors(/Failed to load resource/);
      const origin = gatewayUrl.replace('127.0.0.1', 'localhost');
      const page = await browser.open(`${origin}/console/teams/${teamId}`);
      await signIn(page, administrator);
      await waitForHeading(page, 'South Studio');
      let requestId = '';
      await withFailing(databaseUrl, 'insert', 'audit_records', async () => {
        requestId = await readRequestId(page);
      });

      const isOf = (msg: string) => (line: LogLine) => line['requestId'] === requestId && line.msg === msg;
      const forwarded = await waitForLogLine(running, 'gateway', isOf('request'));
      const handled = await waitForLogLine(running, 'admin-service', isOf('request'));
      const failed = await waitForLogLine(running, 'admin-service', isOf('Internal error'));
      const { traceId } = forwarded;
      const spans = await waitFor('the spans of both processes have arrived', () => {
        const found = collector.getSpans(String(traceId));
        return found.filter(({ kind }) => kind === 'server').length === 2 && found;
      });
      const line = { operation: 'verifyTeam', traceId };
      const code = { ...line, errorCode: 'INTERNAL_ERROR', status: 500 };
      expect(forwarded).to.include({ ...code, instance: adminUrl });
      expect(handled).to.include(code);
      expect(failed).to.include({ ...line, level: 'error' });
      expect(failed['err']).to.include({ statement: 'audit-add', errorType: 'P0001' });
      const statement = spans.find(
        ({ attributes }) => attributes['db.system.name'] && attributes['error.type'],
      );
      expect(statement).to.include({ service: 'admin-service', name: 'audit-add', isError: true });
    }),
  );
});
