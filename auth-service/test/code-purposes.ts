import type { AuthClient } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { otherThan, type RunningCodeService } from './code-service.ts';

/** A code that was mailed to somebody, and the routes that take it and send the next. */
export type Coded = {
  code: string;
  email: string;
  /** From this machine's own network unless an address is given, as the gateway would forward it. */
  attempt: (code: string, address?: string) => Promise<HttpResponse>;
  send: () => Promise<HttpResponse>;
  /** The next code, two minutes later. */
  resend: () => Promise<string>;
};

export type Purpose = {
  name: string;
  success: number;
  begin: (client: AuthClient, service: RunningCodeService) => Promise<Coded>;
};

const begin = async (
  email: string,
  { redis, codeFor }: RunningCodeService,
  { attempt, send }: Pick<Coded, 'attempt' | 'send'>,
): Promise<Coded> => {
  const sendAndRead = async () => {
    const { status, text } = await send();
    expect(status, text).to.equal(200);
    return await codeFor(email);
  };
  const resend = async () => {
    await redis.passTime(120);
    return await sendAndRead();
  };
  return { code: await sendAndRead(), email, attempt, send, resend };
};

const from = (address: string | undefined) => ({ 'X-Forwarded-For': address });

export const VERIFICATION: Purpose = {
  name: 'that verifies an e-mail',
  success: 200,
  begin: async (client, service) => {
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    return await begin(account.email, service, {
      attempt: (code, address) => client.verifyEmail(device, { code }, from(address)),
      send: () => client.sendVerificationCode(device),
    });
  },
};

export const RESET: Purpose = {
  name: 'that resets a password',
  success: 204,
  begin: async (client, service) => {
    const { email } = await client.createAccount();
    return await begin(email, service, {
      attempt: (code, address) =>
        client.resetPassword({ email, code, newPassword: 'A better horse 2' }, from(address)),
      send: () => client.sendResetCode({ email }),
    });
  },
};

export const PURPOSES = [VERIFICATION, RESET];

export const times = <Result>(count: number, work: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => work(index));

/** Never the code itself. */
export const wrongCodes = (code: string, count: number): string[] => {
  let wrong = code;
  return times(count, () => {
    wrong = otherThan(wrong);
    return wrong;
  });
};

/** An address of a stranger; each index is another client network. */
export const strangerAddress = (index: number): string => `203.0.113.${index + 1}`;

/** So many wrong guesses at once, five from each network: all of them are counted. */
export const guessFromNetworks = (
  { attempt, code }: Pick<Coded, 'attempt' | 'code'>,
  count: number,
): Promise<HttpResponse[]> =>
  Promise.all(wrongCodes(code, count).map((wrong, index) => attempt(wrong, strangerAddress(index % 4))));
