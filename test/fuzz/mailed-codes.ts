import { waitFor } from '@platform/shared/testing/poll';
import type { Call, HttpClient } from '../resilience/load/http-client.ts';
import type { Identity } from './identity.ts';

export type CodePurpose = 'verification' | 'reset';

const PATIENCE_SECONDS = 20;

const callFor = ({ account, device }: Identity, purpose: CodePurpose): Call => {
  const { kind, email } = account;
  if (purpose === 'reset')
    return { method: 'POST', path: `${kind.path}/reset-password/email/code/send`, body: { email } };
  const headers = { Authorization: `Bearer ${device.accessToken}` };
  return { method: 'GET', path: `${kind.path}/verification/email/code`, headers };
};

const readCode = async (inboxUrl: string, email: string): Promise<string | undefined> => {
  const answer = await fetch(`${inboxUrl}/api/email?to=${encodeURIComponent(email)}`);
  const mails = (await answer.json()) as { text: string }[];
  return /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0];
};

/** Asks for a code for somebody who has been sent none yet, and reads it from the mail. */
export const createCodeReader =
  (inboxUrl: string, client: HttpClient) =>
  async (identity: Identity, purpose: CodePurpose): Promise<string> => {
    const outcome = await client.send(callFor(identity, purpose));
    if (outcome.kind === 'failure' || outcome.status !== 200)
      throw new Error(`No code for ${identity.account.email}: ${JSON.stringify(outcome)}`);
    return await waitFor(
      'the code is mailed',
      () => readCode(inboxUrl, identity.account.email),
      PATIENCE_SECONDS,
    );
  };
