import { randomUUID } from 'node:crypto';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
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

  it('appears in the logs of all four processes for a sign-up, its mails and a lookup by an ADMIN', async () => {
    const traceId = newTraceId();
    const { userId } = await runTraceScenario(platform().running, `00-${traceId}-${newSpanId()}-01`);
    const requestsIn = (lines: LogLine[]) =>
      lines.filter(({ msg }) => msg === 'request').map(({ method, path }) => `${method} ${path}`);
    const traced = async (service: (typeof SERVICES)[number]) =>
      (await readLog(platform().running, service)).filter((line) => line['traceId'] === traceId);
    await waitFor('every process has logged its requests, its audit record or mails', async () => {
      const counts = await Promise.all(SERVICES.map(async (service) => (await traced(service)).length));
      return counts.join() === '4,5,1,2';
    });
    const lookup = `GET /api/v1/users/${userId}`;
    expect(requestsIn(await traced('gateway'))).to.deep.equal([...AUTH_REQUESTS, lookup]);
    expect(requestsIn(await traced('auth-service'))).to.deep.equal(AUTH_REQUESTS);
    expect(requestsIn(await traced('admin-service'))).to.deep.equal([lookup]);
    const audited = (await traced('auth-service')).filter(({ msg }) => msg === 'audit');
    expect(audited.map(({ action }) => action)).to.deep.equal(['ACCOUNT_REGISTERED', 'PASSWORD_CHANGED']);
    const mails = await traced('mailer-worker');
    expect(mails.map(({ msg, template }) => `${msg}: ${template}`)).to.have.members([
      'mail sent: verification-code',
      'mail sent: password-changed',
    ]);
    // Each mail has the id of the request that caused it.
    const ids = (await traced('gateway')).slice(1, 3).map(({ requestId }) => requestId);
    expect(mails.map(({ requestId }) => requestId)).to.have.members(ids);
  });

  it('appears in the log with the error of a failed request', async () => {
    const traceId = newTraceId();
    const requestId = await sendRequest({ traceparent: `00-${traceId}-${newSpanId()}-00` });
    const [gatewayLine, serviceLine] = await getLogLines(requestId);
    for (const line of [gatewayLine, serviceLine]) expect(line).to.include({ traceId, status: 401 });
    expect(serviceLine).to.include({ errorCode: 'TOKEN_INVALID' });
  });

  it('appears in no log when the client sends none', async () => {
    for (const line of await getLogLines(await sendRequest({}))) expect(line).not.to.have.property('traceId');
  });

  it('appears in no log when the header of the client is malformed', async () => {
    const traceparent = 'x" , "level":"fatal';
    for (const line of await getLogLines(await sendRequest({ traceparent })))
      expect(line).not.to.have.property('traceId');
  });
});
