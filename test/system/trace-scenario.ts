import { randomBytes } from 'node:crypto';
import { ADMINISTRATOR, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { createRecords } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import type { RunningStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** Somebody signs up, asks for a code, gets it, changes the password, is told so; an ADMIN looks the new user up. */
export const signUpAndBeLookedUp = async ({ stack }: RunningStack, traceparent: string): Promise<string> => {
  const records = createRecords(stack.databaseUrl);
  const inbox = createInboxClient(stack.inboxUrl);
  const email = uniqueEmail();
  const ask = async (method: 'GET' | 'POST', path: string, call: RequestOptions = {}) => {
    const headers = { 'X-Fingerprint': uniqueFingerprint(), ...call.headers, traceparent };
    const answer = await send(stack.gatewayUrl, method, path, { ...call, headers });
    expect(answer.status, answer.text).to.be.below(300);
    return answer;
  };
  try {
    const { body } = await ask('POST', `${CUSTOMER.path}/sign-up`, { body: { email, password: PASSWORD } });
    const device = await createAuthClient(stack.gatewayUrl, CUSTOMER).openDevice({
      email,
      password: PASSWORD,
    });
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    await ask('GET', `${CUSTOMER.path}/verification/email/code`, { headers: bearer(device.accessToken) });
    await inbox.untilMail(email, 'Your verification code');
    await ask('POST', `${CUSTOMER.path}/reset-password/me`, {
      headers: { Cookie: `${CUSTOMER.refreshCookie}=${device.refreshToken}` },
      body: { currentPassword: PASSWORD, newPassword: 'Unmistakable horse 2' },
    });
    await inbox.untilMail(email, 'Your password was changed');
    const admin = await createAuthClient(stack.gatewayUrl, ADMINISTRATOR).openDevice(
      await records.user(['ADMIN']),
    );
    const userId: string = body.user.id;
    await ask('GET', `/api/v1/users/${userId}`, { headers: bearer(admin.accessToken) });
    return userId;
  } finally {
    await records.close();
  }
};
