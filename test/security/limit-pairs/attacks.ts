import type { AuthClient } from '@platform/shared/testing/auth-client';
import {
  CONFIRMATION,
  PASSWORD,
  uniqueEmail,
  uniqueFingerprint,
  WRONG_PASSWORD,
} from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { fromNewNetwork, type Owner, passCodeTime, readCode } from './owner.ts';

export const NEW_PASSWORD = 'A better horse 2';
const BATCH = 20;
const range = (length: number) => Array.from({ length }, (_, index) => index);

const expectLimit = (response: HttpResponse): void => {
  if (response.status !== 429) throw new Error(`The limit is not reached: ${formatStatus(response)}`);
};

const guessPassword = ({ account: { email } }: Owner, client: AuthClient) =>
  client.signIn({ fingerprint: uniqueFingerprint(), body: { email, password: WRONG_PASSWORD } });

export const guessPasswordsOfAccount = async (owner: Owner): Promise<void> => {
  for (const _ of range(100 / BATCH))
    await Promise.all(range(BATCH).map(() => guessPassword(owner, fromNewNetwork(owner))));
  expectLimit(await guessPassword(owner, fromNewNetwork(owner)));
};

/** Makes up to five guesses at the second factor of a sign-in with the correct password. */
const guessFactors = async (owner: Owner, count: number): Promise<HttpResponse[]> => {
  const [client, fingerprint] = [fromNewNetwork(owner), uniqueFingerprint()];
  const challenge = (await client.startSignIn(owner.account, fingerprint)).challenge;
  const code = totpCode(owner.totp.secret, 50);
  const responses: HttpResponse[] = [];
  for (const _ of range(count))
    responses.push(await client.signInSecondFactor({ fingerprint, body: { challenge, totpCode: code } }));
  return responses;
};

const sendCode = async (owner: Owner): Promise<HttpResponse> => {
  const sent = await fromNewNetwork(owner).resetPasswordEmailCodeSend({
    body: { email: owner.account.email },
  });
  if (sent.status === 200) owner.codes += 1;
  return sent;
};

export const useCode = (
  { account: { email } }: Owner,
  client: AuthClient,
  code: string,
  fingerprint?: string,
) =>
  client.resetPasswordEmailCode({
    body: { email, code, newPassword: NEW_PASSWORD },
    headers: { 'X-Fingerprint': fingerprint },
  });

export const guessCodes = async (owner: Owner): Promise<void> => {
  for (const _ of range(5)) {
    await sendCode(owner);
    for (const client of range(4).map(() => fromNewNetwork(owner)))
      await Promise.all(range(5).map(() => useCode(owner, client, '000000')));
    await passCodeTime(owner, 0);
  }
  expectLimit(await useCode(owner, fromNewNetwork(owner), '000000'));
};

export const sendCodes = async (owner: Owner, hours: number): Promise<void> => {
  for (const hour of range(hours))
    for (const index of range(10)) {
      await passCodeTime(owner, hour > 0 && index === 0 ? 3_600 : 0);
      if (index === 9) await readCode(owner);
      await sendCode(owner);
    }
  await passCodeTime(owner, hours > 1 ? 3_600 : 0);
  expectLimit(await sendCode(owner));
};

/** Changes the password in a stolen session. In the end the password is the same again. */
export const changePasswords = async ({ device, ...owner }: Owner): Promise<void> => {
  const passwords = [
    PASSWORD,
    ...range(9).map((index) => `${NEW_PASSWORD} ${index}`),
    PASSWORD,
    NEW_PASSWORD,
  ];
  const change = (index: number) =>
    fromNewNetwork(owner).resetPasswordMe({
      ...device,
      body: {
        currentPassword: passwords[index],
        newPassword: passwords[index + 1],
      },
    });
  for (const index of range(10)) await change(index);
  expectLimit(await change(10));
};

export const addPasskey = async (client: AuthClient, device: Device): Promise<HttpResponse> => {
  const options = await client.passkeyOptions({ ...device, body: CONFIRMATION });
  if (options.status !== 200) return options;
  const response = createSoftwareAuthenticator().create(options.body);
  return await client.passkeyCreate({ ...device, body: { response, name: 'Phone' } });
};

export const changeFactors = async ({ device, ...owner }: Owner): Promise<void> => {
  for (const _ of range(10)) await addPasskey(fromNewNetwork(owner), device);
  expectLimit(await addPasskey(fromNewNetwork(owner), device));
};

export const floodGateway = async (owner: Owner): Promise<void> => {
  const client = fromNewNetwork(owner);
  const signIn = () =>
    client.signIn({ fingerprint: 'device', body: { email: uniqueEmail(), password: WRONG_PASSWORD } });
  await Promise.all(range(60).map(signIn));
  expectLimit(await signIn());
  const send = () => client.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } });
  expectLimit(
    (await Promise.all(range(31).map(send))).find(({ status }) => status === 429) ?? (await send()),
  );
};

export const guessPasswordsFromNetwork = async (owner: Owner): Promise<void> => {
  const client = fromNewNetwork(owner);
  for (const _ of range(5)) await guessPassword(owner, client);
  expectLimit(await guessPassword(owner, client));
};

export const guessFactorsOfAccount = async (owner: Owner): Promise<void> => {
  await Promise.all(range(20).map(() => guessFactors(owner, 5)));
  for (const response of await guessFactors(owner, 1)) expectLimit(response);
};

export const lockCodes = async (owner: Owner): Promise<void> => {
  await sendCode(owner);
  expectLimit(await sendCode(owner));
};
