import { once } from 'node:events';
import { createServer } from 'node:net';
import { startCollector } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import { startService } from '@platform/shared/testing/process';
import { expect } from 'chai';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

/** A port on which nothing listens. */
const findClosedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The port is unknown');
  return address.port;
};

describe('gateway spans', () => {
  it('have the cause of a failed upstream, and the instance id of the operator', async () => {
    const collector = await startCollector();
    const gateway = startService('gateway', {
      NODE_ENV: 'test',
      GATEWAY_PORT: '0',
      GATEWAY_OPS_PORT: '0',
      DRAIN_SECONDS: '0',
      AUTH_SERVICE_URLS: `http://127.0.0.1:${await findClosedPort()}`,
      ADMIN_SERVICE_URLS: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_RESOURCE_ATTRIBUTES: 'service.instance.id=pod-1,service.version=1.2.3',
    });
    try {
      const { url } = await gateway.listening();
      const headers = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
      const { status } = await fetch(`${url}/api/v1/auth/me?planted=ada@secret.example`, { headers });
      expect(status).to.equal(502);
      const span = await waitFor('the span has arrived', () => collector.getSpans(TRACE_ID)[0]);
      expect(span.isError).to.equal(true);
      expect(span.attributes).to.include({
        'error.type': '502',
        'marketplace.error.code': 'UPSTREAM_UNAVAILABLE',
      });
      expect(span.events.map(({ attributes }) => attributes['exception.type'])).to.deep.equal([
        'ECONNREFUSED',
      ]);
      expect(JSON.stringify(span)).not.to.match(/planted|secret/);
      expect(span.resource).to.include({ 'service.instance.id': 'pod-1', 'service.version': '1.2.3' });
      expect(await gateway.waitForLog('starting')).to.include({ instance: 'pod-1' });
    } finally {
      await gateway.stop();
      await collector.stop();
    }
  });
});
