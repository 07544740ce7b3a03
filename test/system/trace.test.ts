import { randomUUID } from 'node:crypto';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { type CollectedSpan, startCollector } from './otlp-collector.ts';
import { type LogLine, readLog, SERVICES, waitForLogLine } from './service-logs.ts';
import { newSpanId, newTraceId, runTraceScenario } from './trace-scenario.ts';
import { usePlatform } from './use-platform.ts';

const AUTH_REQUESTS = [
  'POST /api/v1/customers/auth/sign-up',
  'GET /api/v1/customers/auth/verification/email/code',
  'POST /api/v1/customers/auth/reset-password/me',
];

describe('trace context without OpenTelemetry', () => {
  const platform = usePlatform();
  const sendRequest = async (headers: Record<string, string>): Promise<string> => {
    const requestId = randomUUID();
    await send(platform().gatewayUrl, 'GET', '/api/v1/auth/me', {
      headers: { ...headers, 'X-Request-Id': requestId },
    });
    return requestId;
  };
  const getLogLines = (requestId: string) =>
    Promise.all(
      (['gateway', 'auth-service'] as const).map((service) =>
        waitForLogLine(platform().running, service, (line) => line['requestId'] === requestId),
      ),
    );

  it('is logged by all four processes for a sign-up, its mails and a lookup by an ADMIN', async () => {
    const traceId = newTraceId();
    const userId = await runTraceScenario(platform().running, `00-${traceId}-${newSpanId()}-01`);
    const requestsIn = (lines: LogLine[]) =>
      lines.filter(({ msg }) => msg === 'request').map(({ method, path }) => `${method} ${path}`);
    const traced = async (service: (typeof SERVICES)[number]) =>
      (await readLog(platform().running, service)).filter((line) => line['traceId'] === traceId);
    await waitFor('every process has logged its requests or mails', async () => {
      const counts = await Promise.all(SERVICES.map(async (service) => (await traced(service)).length));
      return counts.join() === '4,3,1,2';
    });
    const lookup = `GET /api/v1/users/${userId}`;
    expect(requestsIn(await traced('gateway'))).to.deep.equal([...AUTH_REQUESTS, lookup]);
    expect(requestsIn(await traced('auth-service'))).to.deep.equal(AUTH_REQUESTS);
    expect(requestsIn(await traced('admin-service'))).to.deep.equal([lookup]);
    const mails = await traced('mailer-worker');
    expect(mails.map(({ msg, template }) => `${msg}: ${template}`)).to.have.members([
      'mail sent: verification-code',
      'mail sent: password-changed',
    ]);
    // Each mail has the id of its request.
    const ids = (await traced('gateway')).slice(1, 3).map(({ requestId }) => requestId);
    expect(mails.map(({ requestId }) => requestId)).to.have.members(ids);
  });

  it('is logged with the error of a failed request', async () => {
    const traceId = newTraceId();
    const requestId = await sendRequest({ traceparent: `00-${traceId}-${newSpanId()}-00` });
    for (const line of await getLogLines(requestId)) expect(line).to.include({ traceId, status: 401 });
  });

  it('is absent from the logs when the client sends none', async () => {
    for (const line of await getLogLines(await sendRequest({}))) expect(line).not.to.have.property('traceId');
  });

  for (const [what, traceparent] of [
    ['of zeros', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`],
    ['in capitals', `00-${'AB'.repeat(16)}-${'1'.repeat(16)}-01`],
    ['too long', `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01-more`],
    ['of a version that there will never be', `ff-${'a'.repeat(32)}-${'1'.repeat(16)}-01`],
    ['no trace at all', 'x" , "level":"fatal'],
  ] as const)
    it(`is not forwarded ${what}`, async () => {
      for (const line of await getLogLines(await sendRequest({ traceparent })))
        expect(line).not.to.have.property('traceId');
    });
});

describe('trace context with OpenTelemetry', function () {
  this.timeout(60_000);
  let running: RunningStack;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  before('start a collector and a stack that sends to it', async () => {
    collector = await startCollector();
    running = await startStack({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
  });
  after('stop the stack and the collector', async () => {
    await running?.stop();
    await collector?.stop();
  });

  const childrenOf = ({ spanId }: CollectedSpan, spans: CollectedSpan[]) =>
    spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const only = (spans: CollectedSpan[], what: string): CollectedSpan => {
    expect(spans.length, what).to.equal(1);
    return spans[0] as CollectedSpan;
  };
  const named = (spans: CollectedSpan[], service: string, name: string) =>
    only(
      spans.filter((span) => span.service === service && span.name === name),
      `${service} ${name} in ${spans.map((span) => `${span.service} ${span.name}`).join(', ')}`,
    );

  it('connects all spans of a sign-up, its mails and a lookup in one tree', async () => {
    const [traceId, callerSpanId] = [newTraceId(), newSpanId()];
    await runTraceScenario(running, `00-${traceId}-${callerSpanId}-01`);
    const spans = await waitFor('the spans of both mails and the last response have arrived', () => {
      const found = collector.getSpans(traceId);
      const count = (service: string, kind: string) =>
        found.filter((span) => span.service === service && span.kind === kind).length;
      const isComplete = count('gateway', 'server') === 4 && count('mailer-worker', 'client') >= 2;
      return (
        isComplete &&
        count('mailer-worker', 'consumer') === 2 &&
        count('admin-service', 'server') === 1 &&
        found
      );
    });
    expect([...new Set(spans.map(({ service }) => service))]).to.have.members([...SERVICES]);
    expect(spans.every(({ resource }) => resource['deployment.environment.name'] === 'test')).to.equal(true);

    const roots = spans.filter(({ service, kind }) => service === 'gateway' && kind === 'server');
    expect(roots.map(({ parentSpanId }) => parentSpanId)).to.deep.equal(roots.map(() => callerSpanId));
    const route = '/api/v1/customers/auth/verification/email/code';
    const codeRequest = named(spans, 'auth-service', `GET ${route}`);
    expect(codeRequest.attributes).to.include({ 'http.route': route, 'http.response.status_code': 200 });
    expect(roots.map(({ spanId }) => spanId)).to.include(codeRequest.parentSpanId);

    const produced = named(childrenOf(codeRequest, spans), 'auth-service', 'send mail');
    const consumed = named(childrenOf(produced, spans), 'mailer-worker', 'deliver mail');
    expect(named(childrenOf(consumed, spans), 'mailer-worker', 'SMTP').kind).to.equal('client');
    const lookup = named(spans, 'admin-service', 'GET /api/v1/users/{id}');
    expect(childrenOf(lookup, spans).map(({ name }) => name)).to.include('callers-by-access-tokens');
    expect(JSON.stringify(spans)).not.to.match(/@|Password|horse/);
  });

  it('is created by the gateway when the client sends none', async () => {
    const requestId = randomUUID();
    await send(running.stack.gatewayUrl, 'GET', '/api/v1/auth/me', {
      headers: { 'X-Request-Id': requestId },
    });
    const hasRequestId = (line: LogLine) => line['requestId'] === requestId;
    const line = await waitForLogLine(running, 'gateway', hasRequestId);
    expect(line['traceId']).to.match(/^[0-9a-f]{32}$/);
    expect((await waitForLogLine(running, 'auth-service', hasRequestId))['traceId']).to.equal(
      line['traceId'],
    );
    const root = await waitFor('the span has arrived', () =>
      collector.getSpans(String(line['traceId'])).find(({ service }) => service === 'gateway'),
    );
    expect(root.parentSpanId).to.equal('');
  });

  it('does not delay requests or the stop when the collector is down', async () => {
    await collector.stop();
    for (let round = 0; round < 20; round += 1)
      expect((await send(running.stack.gatewayUrl, 'GET', '/api/v1')).status).to.equal(200);
    await waitForLogLine(running, 'gateway', ({ msg }) => msg === 'tracing error');
    const errors = (await readLog(running, 'gateway')).filter(({ msg }) => msg === 'tracing error');
    expect(errors.length).to.equal(1);
    const started = performance.now();
    await running.stop();
    expect(performance.now() - started).to.be.below(10_000);
  });
});
