import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import type { CollectedSpan } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { SCHEMA_URL } from '@platform/shared/tracing/tracer';
import { expect } from 'chai';
import { type LogLine, readLog, SERVICES, waitForLogLine } from './service-logs.ts';
import { newSpanId, newTraceId, runTraceScenario } from './trace-scenario.ts';
import { childrenOf, findSpan, isRedisSpan, useTracedPlatform } from './trace-spans.ts';

const CODE_ROUTE = '/api/v1/customers/auth/verification/email/code';

/** The attributes of Redis spans. None contains a key, an argument or a result of a command. */
const REDIS_ATTRIBUTES = [
  'db.system.name',
  'db.namespace',
  'db.operation.name',
  'db.operation.batch.size',
  'db.stored_procedure.name',
  'server.address',
  'server.port',
];

const isAuthRequest = ({ service, kind }: CollectedSpan): boolean =>
  service === 'auth-service' && kind === 'server';

describe('trace context with OpenTelemetry', () => {
  const platform = useTracedPlatform();

  const waitForScenario = (traceId: string): Promise<CollectedSpan[]> =>
    waitFor('the spans of both mails and the last response have arrived', () => {
      const found = platform().collector.getSpans(traceId);
      const count = (service: string, kind: string) =>
        found.filter((span) => span.service === service && span.kind === kind).length;
      const isComplete = count('gateway', 'server') === 4 && count('auth-service', 'server') === 3;
      return (
        isComplete &&
        count('mailer-worker', 'consumer') === 2 &&
        count('admin-service', 'server') === 1 &&
        found
      );
    });

  it('connects all spans of a sign-up, its mails and a lookup in one tree', async () => {
    const [traceId, callerSpanId] = [newTraceId(), newSpanId()];
    const { secrets } = await runTraceScenario(platform().running, `00-${traceId}-${callerSpanId}-01`);
    const spans = await waitForScenario(traceId);
    expect([...new Set(spans.map(({ service }) => service))]).to.have.members([...SERVICES]);
    expect(spans.filter(({ isError }) => isError)).to.deep.equal([]);

    const roots = spans.filter(({ service, kind }) => service === 'gateway' && kind === 'server');
    expect(roots.map(({ parentSpanId }) => parentSpanId)).to.deep.equal(roots.map(() => callerSpanId));
    expect(roots.map(({ attributes: { 'http.route': route } }) => route)).to.have.members([
      '/api/v1/customers/auth/sign-up',
      CODE_ROUTE,
      '/api/v1/customers/auth/reset-password/me',
      '/api/v1/users/{id}',
    ]);
    expect(new Set(spans.map(({ schemaUrl }) => schemaUrl))).to.deep.equal(new Set([SCHEMA_URL]));
    const ids = new Set([callerSpanId, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.filter(({ parentSpanId }) => !ids.has(parentSpanId))).to.deep.equal([]);

    const codeRequest = findSpan(spans, 'auth-service', `GET ${CODE_ROUTE}`);
    expect(codeRequest.attributes).to.include({ 'http.route': CODE_ROUTE, 'http.response.status_code': 200 });
    const forwarded = spans.find(({ spanId }) => spanId === codeRequest.parentSpanId);
    expect(forwarded).to.include({ service: 'gateway', kind: 'client' });
    expect(roots.map(({ spanId }) => spanId)).to.include(forwarded?.parentSpanId);
    expect(forwarded?.attributes['url.full']).to.match(
      new RegExp(`^http://127\\.0\\.0\\.1:\\d+${CODE_ROUTE}$`),
    );
    const { attributes } = codeRequest;
    expect(attributes).to.include({ 'url.path': CODE_ROUTE, 'url.scheme': 'http' });
    expect(attributes['http.request.header.x-request-id']).to.be.an('array').with.lengthOf(1);
    const produced = findSpan(childrenOf(codeRequest, spans), 'auth-service', 'send mail');
    const consumed = findSpan(childrenOf(produced, spans), 'mailer-worker', 'deliver mail');
    const mailId = produced.attributes['messaging.message.id'];
    expect(consumed.attributes).to.include({ 'messaging.message.id': mailId, 'messaging.system': 'bullmq' });
    const smtp = findSpan(childrenOf(consumed, spans), 'mailer-worker', 'SMTP');
    expect(smtp.kind).to.equal('client');
    expect(smtp.attributes).to.include({ 'server.address': '127.0.0.1', 'smtp.response.status_code': 250 });
    const lookup = findSpan(spans, 'admin-service', 'GET /api/v1/users/{id}');
    const statement = findSpan(childrenOf(lookup, spans), 'admin-service', 'callers-by-access-tokens');
    expect(statement.attributes).to.include({
      'db.system.name': 'postgresql',
      'db.query.summary': 'callers-by-access-tokens',
      'db.operation.name': 'SELECT',
      'server.address': '127.0.0.1',
    });
    expect(statement.attributes['db.namespace']).to.be.a('string').that.is.not.empty;
    expect(statement.attributes['server.port']).to.be.a('number');
    const signUp = findSpan(spans, 'auth-service', 'POST /api/v1/customers/auth/sign-up');
    expect(childrenOf(signUp, spans).map(({ name }) => name)).to.include.members([
      ...['wait for a password thread', 'hash a password', 'BEGIN', 'COMMIT'],
    ]);

    const text = JSON.stringify(spans);
    for (const secret of secrets) expect(text).not.to.include(secret);
    expect(text).not.to.match(/@|Password|horse|eyJ/);
  });

  it('shows the Redis commands and scripts of a code and its mail, without keys and values', async () => {
    const traceId = newTraceId();
    await runTraceScenario(platform().running, `00-${traceId}-${newSpanId()}-01`);
    const spans = await waitForScenario(traceId);
    const codeRequest = findSpan(spans, 'auth-service', `GET ${CODE_ROUTE}`);
    const scripts = childrenOf(codeRequest, spans).filter(isRedisSpan);
    expect(scripts.map(({ name }) => name)).to.include.members(['EVAL reserve-code']);
    const produced = findSpan(spans, 'mailer-worker', 'send mail');
    for (const parent of [findSpan(childrenOf(codeRequest, spans), 'auth-service', 'send mail'), produced])
      expect(childrenOf(parent, spans).some(isRedisSpan), `Redis span of ${parent.service}`).to.equal(true);
    // The gateway counts sign-ups in Redis.
    expect(spans.some((span) => span.service === 'gateway' && isRedisSpan(span))).to.equal(true);
    const redisSpans = spans.filter(isRedisSpan);
    for (const { kind, attributes } of redisSpans) {
      expect(kind).to.equal('client');
      expect(Object.keys(attributes).filter((name) => !REDIS_ATTRIBUTES.includes(name))).to.deep.equal([]);
    }
  });

  it('shows the access check of each concurrent request, or a link to the batch that it is part of', async () => {
    const { running, collector } = platform();
    const { gatewayUrl, databaseUrl } = running.stack;
    const records = createRecords(databaseUrl);
    const { openDevice } = createAuthClient(gatewayUrl, CUSTOMER);
    const { accessToken, fingerprint } = await openDevice(await records.user(['CUSTOMER']));
    await records.close();
    const traceIds = Array.from({ length: 30 }, newTraceId);
    const sendTraced = (traceId: string, flags: string) => {
      const traceparent = `00-${traceId}-${newSpanId()}-${flags}`;
      const identity = { Authorization: `Bearer ${accessToken}`, 'X-Fingerprint': fingerprint };
      return send(gatewayUrl, 'GET', `${CUSTOMER.path}/me`, { headers: { ...identity, traceparent } });
    };
    const unsampled = traceIds.map(() => sendTraced(newTraceId(), '00'));
    const responses = await Promise.all([...unsampled, ...traceIds.map((id) => sendTraced(id, '01'))]);
    for (const { status } of responses) expect(status).to.equal(200);

    const hasCheck = (traceId: string): boolean => {
      const request = collector.getSpans(traceId).find(isAuthRequest);
      const [batch] = request?.links ?? [];
      const isCheck = ({ name, parentSpanId }: CollectedSpan) =>
        name === 'signed-in-by-access-tokens-customer' && (!batch || parentSpanId === batch.spanId);
      return request !== undefined && collector.getSpans(batch?.traceId ?? traceId).some(isCheck);
    };
    await waitFor('the access check of each request has arrived', () => traceIds.every(hasCheck));
  });

  it('shows no spans of background work, such as polling the queue and readiness checks', async () => {
    const { collector } = platform();
    const roots = collector.getSpans().filter(({ parentSpanId }) => parentSpanId === '');
    expect(roots.filter(({ kind }) => kind !== 'server')).to.deep.equal([]);
    expect(collector.getSpans().map(({ name }) => name)).not.to.include('BZPOPMIN');
  });

  it('shows no spans of health checks', async () => {
    const { running, collector } = platform();
    const { gatewayUrl } = running.stack;
    for (const path of ['/healthz', '/readyz']) await send(gatewayUrl, 'GET', path);
    const traceparent = `00-${newTraceId()}-${newSpanId()}-01`;
    await send(gatewayUrl, 'GET', `${CUSTOMER.path}/me`, { headers: { traceparent } });
    const later = () => collector.getSpans(traceparent.split('-')[1]);
    // Each process exports its spans in the order in which they ended.
    await waitFor('the span of a later request has arrived from both processes', () =>
      ['gateway', 'auth-service'].every((name) => later().some(({ service }) => service === name)),
    );
    const paths = collector.getSpans().map(({ attributes }) => attributes['url.path']);
    expect(paths).not.to.include.oneOf(['/healthz', '/readyz', '/api', '/api/v1', '/api/v1/']);
  });

  it('shows the release, the instance that the log names, and the attributes of the operator', async () => {
    const { running, collector } = platform();
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    for (const service of SERVICES) {
      const { instance, ...line } = await waitForLogLine(running, service, ({ msg }) => msg === 'starting');
      expect(line).to.include({ version, node: process.version });
      const resources = collector.getSpans().filter((span) => span.service === service);
      expect(resources.length).to.be.above(0);
      for (const { resource } of resources)
        expect(resource).to.include({
          'service.namespace': 'marketplace',
          'service.version': version,
          'service.instance.id': instance,
          'deployment.environment.name': 'test',
        });
    }
  });

  it('starts at the gateway when the client sends none', async () => {
    const { running, collector } = platform();
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
      collector
        .getSpans(String(line['traceId']))
        .find(({ service, kind }) => service === 'gateway' && kind === 'server'),
    );
    expect(root.parentSpanId).to.equal('');
  });

  it('does not delay requests or the stop when the collector is down', async () => {
    const { running, collector } = platform();
    await collector.stop();
    for (let round = 0; round < 20; round += 1)
      expect((await send(running.stack.gatewayUrl, 'GET', '/api/v1')).status).to.equal(200);
    await waitForLogLine(running, 'gateway', ({ msg }) => msg === 'tracing error');
    const errors = (await readLog(running, 'gateway')).filter(({ msg }) => msg === 'tracing error');
    expect(errors.length).to.equal(1);
    await running.stop();
  });
});
