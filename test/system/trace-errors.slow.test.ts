import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import type { CollectedSpan } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type LogLine, waitForLogLine } from './service-logs.ts';
import { newSpanId, newTraceId } from './trace-scenario.ts';
import { findSpan, useTracedPlatform } from './trace-spans.ts';

const PATH = '/api/v1/contact/support';
const ROUTE = `POST ${PATH}`;
const SECRETS = { email: 'planted@secret.example', message: 'planted password Tr0ub4dor' };
const SECRET_TEXT = /planted|secret\.example|Tr0ub4dor/;

// Postgres includes the row in the message of the first error, and in the detail of the second one.
const TRIGGER = `
  create function reject_form() returns trigger language plpgsql as
    $$ begin raise exception E'rejected % \n    at planted (%:1:1)', new.message, new.email; end $$;
  create trigger reject_form before insert on support_requests for each row execute function reject_form()`;
const CONSTRAINT = `
  drop trigger if exists reject_form on support_requests;
  alter table support_requests add constraint form_rejected check (subject = '') not valid`;

describe('errors in traces', () => {
  const platform = useTracedPlatform();

  const sendTraced = async (
    method: 'GET' | 'POST',
    path: string,
    options: RequestOptions = {},
  ): Promise<{ status: number; spans: CollectedSpan[] }> => {
    const traceId = newTraceId();
    const headers = { ...options.headers, traceparent: `00-${traceId}-${newSpanId()}-01` };
    const { gatewayUrl } = platform().running.stack;
    const { status } = await send(gatewayUrl, method, path, { ...options, headers });
    const spans = await waitFor('the spans of both processes have arrived', () => {
      const found = platform().collector.getSpans(traceId);
      return found.filter(({ kind }) => kind === 'server').length === 2 && found;
    });
    return { status, spans };
  };
  const sendForm = () => sendTraced('POST', PATH, { body: { ...SECRETS, subject: 'planted' } });
  const findGatewaySpan = (spans: CollectedSpan[]) =>
    spans.find(({ service, kind }) => service === 'gateway' && kind === 'server');

  it('show the code of a 4xx, which is no error of the server', async () => {
    const { status, spans } = await sendTraced('GET', '/api/v1/auth/me');
    expect(status).to.equal(401);
    const span = findSpan(spans, 'auth-service', 'GET /api/v1/auth/me');
    expect(span.attributes).to.include({
      'http.response.status_code': 401,
      'marketplace.error.code': 'TOKEN_INVALID',
    });
    for (const { isError, events, attributes } of [span, findGatewaySpan(spans)].filter(
      Boolean,
    ) as CollectedSpan[]) {
      expect({ isError, events }).to.deep.equal({ isError: false, events: [] });
      expect(attributes).not.to.have.property('error.type');
    }
  });

  it('do not include the searched text of a query, whose SQL is recorded', async () => {
    const { stack } = platform().running;
    const records = createRecords(stack.databaseUrl);
    const administrator = await records.user(['ADMIN']);
    const client = createAuthClient(stack.gatewayUrl, ADMINISTRATOR);
    const { accessToken } = await client.openDevice(administrator);
    await records.close();
    const headers = { Authorization: `Bearer ${accessToken}` };
    const { status, spans } = await sendTraced('GET', '/api/v1/users?search=planted', { headers });
    expect(status).to.equal(200);
    const texts = spans.map(({ attributes }) => attributes['db.query.text']).filter(Boolean);
    expect(texts.join())
      .to.match(/from "?users"?/)
      .and.include('$1');
    expect(JSON.stringify(spans)).not.to.match(SECRET_TEXT);
  });

  const causes = [
    { title: 'an exception in Postgres whose message has the input', sql: TRIGGER, code: 'P0001' },
    {
      title: 'a violated constraint',
      sql: CONSTRAINT,
      code: '23514',
      attributes: { 'marketplace.db.constraint': 'form_rejected' },
    },
  ];
  for (const { title, sql, code, attributes = {} } of causes)
    it(`show the SQLSTATE of a 5xx, and none of its input, for ${title}`, async () => {
      await queryDatabase(platform().running.stack.databaseUrl, sql);
      const { status, spans } = await sendForm();
      expect(status).to.equal(500);

      const failed = spans.filter(({ kind, isError }) => kind === 'client' && isError);
      expect(failed.map(({ service }) => service)).to.have.members(['gateway', 'admin-service']);
      expect(failed.find(({ service }) => service === 'admin-service')?.attributes).to.include({
        ...attributes,
        'error.type': code,
        'db.response.status_code': code,
      });

      const span = findSpan(spans, 'admin-service', ROUTE);
      expect(span.isError).to.equal(true);
      expect(span.attributes).to.include({ 'error.type': '500', 'marketplace.error.code': 'INTERNAL_ERROR' });
      expect(span.events.map(({ name }) => name)).to.deep.equal(['exception']);
      expect(span.events[0]?.attributes).to.deep.equal({ 'exception.type': code });
      expect(findGatewaySpan(spans)).to.deep.include({ isError: true, events: [] });
      expect(JSON.stringify(spans)).not.to.match(SECRET_TEXT);
    });

  it('lead from the request id of the response, by the lines of both processes, to the statement', async () => {
    const { running } = platform();
    const body = { ...SECRETS, subject: 'planted' };
    const { body: error } = await send(running.stack.gatewayUrl, 'POST', PATH, { body });
    const { requestId } = error as { requestId: string };
    const isOf = (msg: string) => (line: LogLine) => line['requestId'] === requestId && line.msg === msg;
    const forwarded = await waitForLogLine(running, 'gateway', isOf('request'));
    const code = { errorCode: 'INTERNAL_ERROR', operation: 'submitSupportRequest' };
    expect(forwarded).to.include({ ...code, status: 500, instance: running.stack.adminUrl });
    expect(await waitForLogLine(running, 'admin-service', isOf('request'))).to.include(code);
    const failed = await waitForLogLine(running, 'admin-service', isOf('Internal error'));
    expect(failed).to.include({ level: 'error', operation: 'submitSupportRequest' });
    expect(failed['err']).to.include({ errorType: '23514', constraint: 'form_rejected' });
    expect(failed['err'])
      .to.have.property('statement')
      .that.matches(/support_requests|support/);
    expect(JSON.stringify(failed)).not.to.match(SECRET_TEXT);
  });
});
