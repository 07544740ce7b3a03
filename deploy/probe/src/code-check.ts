import { setTimeout as delay } from 'node:timers/promises';
import { CODE_DEVICE, post, postAsPerson, readError, send } from './requests.ts';

/**
 * An address may get 30 codes a day. After a failure, the check repeats more often, for as long as the alert
 * fires.
 */
const INTERVAL_MILLISECONDS = 3_600_000;
const RETRY_MILLISECONDS = 600_000;
const MAIL_SECONDS = 60;
const AUTH = '/customers/auth';
const CODE = /(?<![\w-])\d{6}(?![\w-])/g;
/** The inbox may contain other numbers, and a code has five tries. */
const MAX_TRIES = 3;

type Account = { email: string; password: string };
type Options = { url: string; account: Account; inboxUrl: string; stopping?: AbortSignal | undefined };
type SignedIn = { token: string; user: { isEmailVerified: boolean }; session: { id: string } };

const withToken = ({ token, session }: SignedIn) => ({
  ...CODE_DEVICE,
  Authorization: `Bearer ${token}`,
  'X-Session-Id': session.id,
});

/**
 * Signs in with a mailed code once an hour. The address of the account is verified before, because the first
 * proof by a mailed code would end the password of the other journey. Where the platform offers no codes to sign
 * in, it requests one to reset the password, and does not use it.
 * @returns a function that resolves with whether the last code arrived and signed in, or with undefined if none
 * may be sent at the moment
 */
export const createCodeCheck = ({ url, account, inboxUrl, stopping }: Options) => {
  const api = `${url}/api/v1${AUTH}`;
  const { email } = account;
  let nextAt = 0;
  let result: { problem?: string } | undefined;

  const readCodes = async (): Promise<string[]> => {
    // Mailpit responds with 404 for the newest mail of an address that has none.
    const response = await send(inboxUrl, [200, 404], {});
    return response.ok ? [...(await response.text()).matchAll(CODE)].map(([code]) => code) : [];
  };
  /** The new numbers of six digits in the inbox. */
  const waitForCodes = async (known: ReadonlySet<string>): Promise<string[]> => {
    for (let second = 0; second < MAIL_SECONDS; second += 1) {
      await delay(1_000, undefined, { signal: stopping });
      const codes = new Set((await readCodes()).filter((code) => !known.has(code)));
      if (codes.size > 0) return [...codes].slice(0, MAX_TRIES);
    }
    throw new Error(`no code arrived within ${MAIL_SECONDS} s`);
  };
  /** @throws Error if no code is right */
  const submit = async (codes: string[], attempt: (code: string) => Promise<Response>): Promise<Response> => {
    for (const code of codes) {
      const response = await attempt(code);
      if (response.status === 200) return response;
    }
    throw new Error('the code that arrived is not accepted');
  };
  const signOut = (signedIn: SignedIn) => send(`${api}/sign-out`, [204], { headers: withToken(signedIn) });

  /** Resolves with false if no code may be sent at the moment. */
  const verifyAddress = async (): Promise<boolean> => {
    const response = await post(`${api}/sign-in`, [200, 401], account, CODE_DEVICE);
    if (response.status === 401) {
      const { code } = await readError(response);
      // Only verified accounts are asked on a new device.
      if (code === 'SECOND_FACTOR_REQUIRED') return true;
      throw new Error(`401 ${code} for the password`);
    }
    const signedIn = (await response.json()) as SignedIn;
    try {
      if (signedIn.user.isEmailVerified) return true;
      const known = new Set(await readCodes());
      const headers = withToken(signedIn);
      const sent = await send(`${api}/verification/email/code`, [200, 429], { headers });
      if (sent.status === 429) return false;
      await submit(await waitForCodes(known), (code) =>
        post(`${api}/verification/email/code/check`, [200, 400], { code }, headers),
      );
      return true;
    } finally {
      await signOut(signedIn);
    }
  };

  const check = async (): Promise<typeof result> => {
    if (!(await verifyAddress())) return undefined;
    const known = new Set(await readCodes());
    const sent = await post(`${api}/sign-in/email-code/send`, [200, 404, 429], { email }, CODE_DEVICE);
    if (sent.status === 429) return undefined;
    if (sent.status === 404) {
      const reset = await postAsPerson(url, `${AUTH}/reset-password/email/code/send`, [200, 429], { email });
      if (reset.status === 429) return undefined;
      await waitForCodes(known);
      return {};
    }
    const response = await submit(await waitForCodes(known), (code) =>
      post(`${api}/sign-in/email-code`, [200, 400], { email, code }, CODE_DEVICE),
    );
    await signOut((await response.json()) as SignedIn);
    return {};
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
