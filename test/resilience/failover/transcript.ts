import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpRequest } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';

type Options = { gatewayUrl: string; inboxUrl: string; adminToken: string };

const CODE_SUBJECT = 'Your verification code';

/** Signs up and in, verifies the e-mail with the code of a mail, and lists the users; returns a line for each step. */
export const recordTranscript = async ({ gatewayUrl, inboxUrl, adminToken }: Options) => {
  const client = createHttpClient(gatewayUrl);
  const lines: string[] = [];
  const failed: string[] = [];
  const addLine = (step: string, result: string, milliseconds: number) =>
    lines.push(`${step.padEnd(62)} ${result.padEnd(14)} ${milliseconds.toFixed(0).padStart(5)} ms`);
  const send = async (request: HttpRequest) => {
    const response = await client.send(request);
    const step = `${request.method ?? 'GET'} ${request.path}`;
    addLine(step, formatStatus(response), response.milliseconds);
    if (response.status < 200 || response.status > 299) failed.push(step);
    return response;
  };
  const auth = createAuthClient(gatewayUrl, CUSTOMER, send);
  const account = { email: uniqueEmail(), password: PASSWORD };
  await auth.signUp(account);
  const device = auth.toDevice(await auth.signIn(account, uniqueFingerprint()));
  await auth.sendVerificationCode(device);
  const began = performance.now();
  const mail = await createInboxClient(inboxUrl).untilMail(account.email, CODE_SUBJECT);
  addLine(`mail "${mail.subject}"`, 'received', performance.now() - began);
  await auth.verifyEmail(device, { code: codeIn(mail) });
  const refreshed = auth.afterRefresh(device, await auth.refresh(device));
  await auth.me(refreshed);
  await send({ path: '/api/v1/users?perPage=20', headers: { Authorization: `Bearer ${adminToken}` } });
  return { lines, failed };
};
