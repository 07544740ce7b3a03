import { setTimeout as delay } from 'node:timers/promises';
import { postAsPerson, send } from './requests.ts';

/**
 * An address may get 30 codes a day. After a failure, the check repeats more often, for as long as the alert
 * fires.
 */
const INTERVAL_MILLISECONDS = 3_600_000;
const RETRY_MILLISECONDS = 600_000;
const MAIL_SECONDS = 60;
const CODE_PATH = '/customers/auth/reset-password/email/code/send';
const CODE = /(?<![\w-])\d{6}(?![\w-])/g;

type Options = { url: string; email: string; inboxUrl: string; stopping?: AbortSignal | undefined };

/**
 * Requests a code to reset the password once an hour and waits for it in the inbox. The code is not used.
 * @returns a function that resolves with whether the last code arrived, or with undefined if none may be sent
 * at the moment
 */
export const createCodeCheck = ({ url, email, inboxUrl, stopping }: Options) => {
  let nextAt = 0;
  let result: { problem?: string } | undefined;

  const readCodes = async (): Promise<string[]> => {
    // Mailpit responds with 404 for the newest mail of an address that has none.
    const response = await send(inboxUrl, [200, 404], {});
    return response.ok ? [...(await response.text()).matchAll(CODE)].map(([code]) => code) : [];
  };
  const check = async (): Promise<typeof result> => {
    const known = new Set(await readCodes());
    const sent = await postAsPerson(url, CODE_PATH, [200, 429], { email });
    if (sent.status === 429) return undefined;
    for (let second = 0; second < MAIL_SECONDS; second += 1) {
      await delay(1_000, undefined, { signal: stopping });
      if ((await readCodes()).some((code) => !known.has(code))) return {};
    }
    return { problem: `no code arrived within ${MAIL_SECONDS} s` };
  };

  return async (): Promise<typeof result> => {
    if (performance.now() < nextAt) return result;
    result = await check().catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
    }));
    const hasCome = result !== undefined && result.problem === undefined;
    nextAt = performance.now() + (hasCome ? INTERVAL_MILLISECONDS : RETRY_MILLISECONDS);
    return result;
  };
};
