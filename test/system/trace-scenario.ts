import { randomBytes } from 'node:crypto';
import { ADMINISTRATOR, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { createRecords } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import type { RunningStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

const NEW_PASSWORD = 'Unmistakable horse 2';

/** Data that identifies the user or the tokens must not reach a span or a log. */
type TraceScenario = { userId: string; secrets: string[] };

/** A user signs up, gets a code by mail and changes the password; an ADMIN looks the user up. */
export const runTraceScenario = async (
  { stack }: RunningStack,
  traceparent: string,
): Promise<TraceScenario> => {
  const records = createRecords(stack.databaseUrl);
  const inbox = createInboxClient(stack.inboxUrl);
  const email = uniqueEmail();
  const sendTraced = async (method: 'GET' | 'POST', path: string, call: RequestOptions = {}) => {
    const headers = { 'X-Fingerprint': uniqueFingerprint(), ...call.headers, traceparent };
    const response = await send(stack.gatewayUrl, method, path, { ...call, headers });
    expect(response.status, response.text).to.be.below(300);
    return response;
  };
  try {
    const { body } = await sendTraced('POST', `${CUSTOMER.path}/sign-up`, {
      body: { email, password: PASSWORD },
    });
    const device = await createAuthClient(stack.gatewayUrl, CUSTOMER).openDevice({
      email,
      password: PASSWORD,
    });
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    await sendTraced('GET', `${CUSTOMER.path}/verification/email/code`, {
      headers: bearer(device.accessToken),
    });
    const code = codeIn(await inbox.untilMail(email, 'is your code'));
    await sendTraced('POST', `${CUSTOMER.path}/reset-password/me`, {
      headers: { Cookie: `${CUSTOMER.refreshCookie}=${device.refreshToken}` },
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    await inbox.untilMail(email, 'Your password was changed');
    const admin = await createAuthClient(stack.gatewayUrl, ADMINISTRATOR).openDevice(
      await records.user(['ADMIN']),
    );
    const userId: string = body.user.id;
    await sendTraced('GET', `/api/v1/users/${userId}`, { headers: bearer(admin.accessToken) });
    const { accessToken, refreshToken, fingerprint } = device;
    return {
      userId,
      secrets: [email, PASSWORD, NEW_PASSWORD, code, accessToken, refreshToken, fingerprint],
    };
  } finally {
    await records.close();
  }
};
