import { uniqueEmail } from '@platform/shared/testing/builders';
import { type CollectedSpan, startCollector } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import { startService } from '@platform/shared/testing/process';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { codeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import { WORKER_ENVIRONMENT } from '../../testing/test-worker.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

describe('SMTP spans', () => {
  const fixture = useMailFixture();
  const cleanups: (() => unknown)[] = [];
  afterEach('stop the worker and the collector', async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** Delivers a mail with a worker process that exports spans; returns the SMTP span. */
  const deliver = async (to: string, account = ''): Promise<CollectedSpan> => {
    const { databaseUrl, redis, smtp, enqueue } = fixture();
    const collector = await startCollector();
    cleanups.push(collector.stop);
    const worker = startService('mailer-worker', {
      ...WORKER_ENVIRONMENT,
      WORKER_OPS_PORT: '0',
      DATABASE_URL: await withLoginOf('worker', databaseUrl),
      REDIS_URL: redis.url,
      SMTP_URL: smtp.url.replace('//', `//${account}`),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    cleanups.push(() => worker.stop());
    const traceparent = `00-${TRACE_ID}-b7ad6b7169203331-01`;
    await enqueue(codeMail(to), {}, { traceparent });
    const span = await waitFor('the SMTP span has arrived', () =>
      collector.getSpans(TRACE_ID).find(({ name }) => name === 'SMTP'),
    );
    expect(JSON.stringify(collector.getSpans()))
      .not.to.match(/planted|042917|@/)
      .and.not.include(to);
    return span;
  };

  it('contain the server and its response code', async () => {
    const span = await deliver(uniqueEmail());
    expect(span.isError).to.equal(false);
    expect(span.attributes).to.include({
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(fixture().smtp.url).port),
      'smtp.response.status_code': 250,
    });
  });

  it('contain both response codes of a rejection, and not its text', async () => {
    const to = uniqueEmail();
    fixture().smtp.refuse(to, { at: 'recipient', code: 550 });
    const span = await deliver(to);
    expect(span.isError).to.equal(true);
    expect(span.attributes).to.include({ 'error.type': 'EENVELOPE', 'smtp.response.status_code': 550 });
  });

  it('contain neither the account nor the password of a rejected login', async () => {
    const span = await deliver(uniqueEmail(), 'planted-user:planted-password@');
    expect(span.attributes).to.include({ 'error.type': 'EAUTH', 'smtp.response.status_code': 535 });
  });
});
