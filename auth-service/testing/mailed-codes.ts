import type { AuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { RunningAuthService } from './auth-service.ts';

export const getOtherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** A mailed code, and the requests that submit it and send the next one. */
export type CodeFixture = {
  code: string;
  email: string;
  /**
   * Submits the code from the network of this machine, or from `address`, which is sent as X-Forwarded-For.
   */
  attempt: (code: string, address?: string) => Promise<HttpResponse>;
  send: () => Promise<HttpResponse>;
  /** Sends and returns the next code, after the resend lock of two minutes. */
  resend: () => Promise<string>;
};

type Purpose = {
  name: string;
  success: number;
  begin: (client: AuthClient, service: RunningAuthService) => Promise<CodeFixture>;
};

const begin = async (
  email: string,
  { redis, mails }: RunningAuthService,
  { attempt, send }: Pick<CodeFixture, 'attempt' | 'send'>,
): Promise<CodeFixture> => {
  const sendAndRead = () => mails.codeOf(email, send());
  const resend = async () => {
    await redis.passTime(120);
    return await sendAndRead();
  };
  return { code: await sendAndRead(), email, attempt, send, resend };
};

const from = (address: string | undefined) => ({ 'X-Forwarded-For': address });

const VERIFICATION: Purpose = {
  name: 'for e-mail verification',
  success: 200,
  begin: async (client, service) => {
    const { account, device } = await client.createAccountAndDevice();
    return await begin(account.email, service, {
      attempt: (code, address) =>
        client.verificationEmailCodeCheck({ ...device, body: { code }, headers: from(address) }),
      send: () => client.verificationEmailCode(device),
    });
  },
};

export const RESET: Purpose = {
  name: 'for a password reset',
  success: 204,
  begin: async (client, service) => {
    const { email } = await client.createAccount();
    return await begin(email, service, {
      attempt: (code, address) =>
        client.resetPasswordEmailCode({
          body: { email, code, newPassword: 'A better horse 2' },
          headers: from(address),
        }),
      send: () => client.resetPasswordEmailCodeSend({ body: { email } }),
    });
  },
};

export const SIGN_IN: Purpose = {
  name: 'for a sign-in',
  success: 200,
  begin: async (client, service) => {
    const { email } = await client.createAccount();
    const fingerprint = uniqueFingerprint();
    return await begin(email, service, {
      attempt: (code, address) =>
        client.signInEmailCode({ fingerprint, body: { email, code }, headers: from(address) }),
      send: () => client.signInEmailCodeSend({ body: { email } }),
    });
  },
};

export const PURPOSES = [VERIFICATION, RESET, SIGN_IN];

export const times = <Result>(count: number, work: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => work(index));

/** Returns codes that are all different from the correct one. */
export const getWrongCodes = (code: string, count: number): string[] => {
  let wrong = code;
  return times(count, () => {
    wrong = getOtherCode(wrong);
    return wrong;
  });
};

export const getAttackerAddress = (index: number): string => `203.0.113.${index + 1}`;

/** Sends concurrent wrong attempts from four networks, so that up to 20 are all counted. */
export const attemptFromNetworks = (
  { attempt, code }: Pick<CodeFixture, 'attempt' | 'code'>,
  count: number,
): Promise<HttpResponse[]> =>
  Promise.all(
    getWrongCodes(code, count).map((wrong, index) => attempt(wrong, getAttackerAddress(index % 4))),
  );
