import { setTimeout as delay } from 'node:timers/promises';
import type { FakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { ALL_KINDS, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import type { Records } from '@platform/shared/testing/records';
import { totpCode } from '@platform/shared/testing/totp';

const NEW_PASSWORD = `${PASSWORD} of the next phase`;
const MAIL_SECONDS = 60;
const DEVICES_PER_KIND = 2;

type Finish = () => Promise<HttpResponse>;
type Sent = { name: string; finish: Finish };

const expectSuccess = ({ status, text }: HttpResponse): void => {
  if (status >= 300) throw new Error(`${status} ${text}`);
};

const ATTEMPTS = 20;

/** Repeats a request that a busy machine has rejected with 503 and Retry-After, as clients do. */
const createPatientSender =
  ({ send }: Pick<HttpClient, 'send'>): HttpClient['send'] =>
  async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await send(call);
      const seconds = Number(response.headers['retry-after']);
      if (response.status !== 503 || !(seconds > 0) || attempt === ATTEMPTS) return response;
      await delay(seconds * 1_000);
    }
  };

/**
 * What is begun in one phase and finished in the next: e-mail codes, a sign-in that waits for a second factor,
 * and sessions, which stay open through all later phases.
 */
export const createInFlight = (client: HttpClient, records: Records, smtp: FakeSmtpServer) => {
  const send = createPatientSender(client);
  const auth = createAuthClient(client.baseUrl, CUSTOMER, send, records);
  const sessions: { name: string; device: Device; kind: (typeof ALL_KINDS)[number] }[] = [];
  let codes: Sent[] = [];

  const readCode = (email: string): Promise<string> =>
    waitFor(
      `a code for ${email}`,
      () => {
        const mails = smtp.mails().filter(({ to }) => to.includes(email));
        return mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).at(-1);
      },
      MAIL_SECONDS,
    );

  const sendVerification = async (): Promise<Sent> => {
    const { account, device } = await auth.createAccountAndDevice();
    expectSuccess(await auth.verificationEmailCode(device));
    const code = await readCode(account.email);
    return {
      name: 'code of a verification',
      finish: () => auth.verificationEmailCodeCheck({ ...device, body: { code } }),
    };
  };
  const sendReset = async (): Promise<Sent> => {
    const { email } = await auth.createVerifiedAccount();
    expectSuccess(await auth.resetPasswordEmailCodeSend({ body: { email } }));
    const body = { email, code: await readCode(email), newPassword: NEW_PASSWORD };
    return { name: 'code of a reset', finish: () => auth.resetPasswordEmailCode({ body }) };
  };
  const startSecondStep = async (): Promise<Sent> => {
    const { account, secret } = await auth.openAccountWithTotp();
    const { challenge, fingerprint } = await auth.startSignIn(account);
    return {
      name: 'sign-in that waits for a second factor',
      finish: () =>
        auth.signInSecondFactor({ fingerprint, body: { challenge, totpCode: totpCode(secret, 1) } }),
    };
  };
  const openSessions = async (phase: string): Promise<void> => {
    for (const kind of ALL_KINDS)
      for (let count = 0; count < DEVICES_PER_KIND; count += 1) {
        const own = createAuthClient(client.baseUrl, kind, send, records);
        const account = await own.createAccount();
        sessions.push({ name: `${kind.kind} since "${phase}"`, kind, device: await own.openDevice(account) });
      }
  };

  return {
    begin: async (phase: string): Promise<void> => {
      codes = [await sendVerification(), await sendReset(), await startSecondStep()];
      await openSessions(phase);
    },
    /** Finishes what the previous phase has begun. Returns what is lost. */
    finish: async (): Promise<{ codes: string[]; sessions: string[] }> => {
      const lost = { codes: [] as string[], sessions: [] as string[] };
      for (const { name, finish } of codes) {
        const response = await finish();
        if (response.status >= 300) lost.codes.push(`${name}: ${formatStatus(response)}`);
      }
      for (const session of sessions) {
        const own = createAuthClient(client.baseUrl, session.kind, send);
        const [me, refreshed] = [await own.me(session.device), await own.refreshToken(session.device)];
        if (refreshed.status === 200) session.device = own.afterRefresh(session.device, refreshed);
        if (me.status !== 200 || refreshed.status !== 200)
          lost.sessions.push(`${session.name}: me ${formatStatus(me)}, refresh ${formatStatus(refreshed)}`);
      }
      return lost;
    },
  };
};
