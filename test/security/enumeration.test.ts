import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { KINDS, type User, useFixture } from './fixture.ts';

const MAX_TIME_RATIO = 1.5;
const PAIRS = 25;

const expectEqual = (responses: readonly HttpResponse[], title?: string): void => {
  const [first, ...others] = responses.map(observable);
  for (const other of others) expect(other, title).to.deep.equal(first);
};

const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

describe('enumeration of addresses', () => {
  const fixture = useFixture();

  for (const kind of KINDS)
    it(`shows neither an account of ${kind.plural} nor its second factor`, async () => {
      const { createUser, createVerifiedUser } = fixture();
      const withTotp = await createVerifiedUser(kind);
      await withTotp.client.enableTotp(withTotp.device);
      const withPasskey = await createVerifiedUser(kind);
      await withPasskey.client.addPasskey(withPasskey.device);
      await withPasskey.client.enableSecondStep(withPasskey.device);
      const ofOtherKind = await createUser(kind === CUSTOMER ? EMPLOYEE : CUSTOMER);
      const users = [await createUser(kind), ofOtherKind, withTotp, withPasskey];
      const emails = [uniqueEmail(), ...users.map(({ email }) => email)];
      const client = fixture().client(kind);
      const reset = { code: '000000', newPassword: PASSWORD };
      for (const [name, call] of [
        [
          'a wrong password',
          (email: string) =>
            client.signIn({ fingerprint: 'device', body: { email, password: WRONG_PASSWORD } }),
        ],
        ['a reset code', (email: string) => client.resetPasswordEmailCodeSend({ body: { email } })],
        ['a second reset code', (email: string) => client.resetPasswordEmailCodeSend({ body: { email } })],
        [
          'a reset with a wrong code',
          (email: string) => client.resetPasswordEmailCode({ body: { email, ...reset } }),
        ],
      ] as const) {
        const responses: HttpResponse[] = [];
        for (const email of emails) responses.push(await call(email));
        expectEqual(responses, name);
      }
    });

  it('has the same responses and times for sign-in codes to unknown, blocked, unverified and known addresses', async () => {
    const { createUser, createVerifiedUser, records, client } = fixture();
    const owners: Record<string, () => Promise<string>> = {
      unknown: async () => uniqueEmail(),
      unverified: async () => (await createUser(CUSTOMER)).email,
      verified: async () => (await createVerifiedUser(CUSTOMER)).email,
      blocked: async () => {
        const { id, email } = await createVerifiedUser(CUSTOMER);
        await records.query('update users set is_blocked = true where id = $1', [id]);
        return email;
      },
    };
    const responses: Record<string, HttpResponse[]> = {};
    const times: Record<string, number[]> = {};
    // The samples take each kind in turn, so that a busy machine slows down all of them.
    for (let round = 0; round < PAIRS; round += 1)
      for (const [owner, createEmail] of Object.entries(owners)) {
        const email = await createEmail();
        const guess = { fingerprint: uniqueFingerprint(), body: { email, code: '000000' } };
        for (const [name, call] of [
          ['send', () => client(CUSTOMER).signInEmailCodeSend({ body: { email } })],
          ['send again', () => client(CUSTOMER).signInEmailCodeSend({ body: { email } })],
          ['wrong code', () => client(CUSTOMER).signInEmailCode(guess)],
        ] as const) {
          const response = await call();
          responses[name] = [...(responses[name] ?? []), response];
          const key = `${name}, ${owner}`;
          times[key] = [...(times[key] ?? []), response.milliseconds];
        }
      }
    for (const [name, each] of Object.entries(responses)) expectEqual(each, name);
    for (const name of Object.keys(responses)) {
      const medians = Object.keys(owners).map((owner) => median(times[`${name}, ${owner}`] ?? []));
      const text = `${name}: ${medians.map((each) => each.toFixed(1)).join(', ')} ms`;
      expect(Math.max(...medians) / Math.min(...medians), text).to.be.below(MAX_TIME_RATIO);
    }
  });

  it('has the same response and time for a change to a taken address, which gets no code', async () => {
    const { createUser, inbox } = fixture();
    const changeEmail = async (newEmail: string) => {
      const { client, device }: User = await createUser(CUSTOMER);
      const response = await client.emailChange({ ...device, body: { newEmail, currentPassword: PASSWORD } });
      expect(response.body).to.include({ newEmail });
      return { ...response, text: response.text.replace(newEmail, '<newEmail>') };
    };
    const [taken, free]: [HttpResponse[], HttpResponse[]] = [[], []];
    let target = '';
    for (let pair = 0; pair < PAIRS; pair += 1) {
      target = (await createUser(CUSTOMER)).email;
      taken.push(await changeEmail(target));
      free.push(await changeEmail(uniqueEmail()));
    }
    expectEqual([...taken, ...free]);
    const times = [taken, free].map((each) => median(each.map(({ milliseconds }) => milliseconds)));
    expect(Math.max(...times) / Math.min(...times), times.join(' and ')).to.be.below(MAX_TIME_RATIO);
    expect((await inbox.untilMail(target, '')).text).not.to.match(/^\d{6}\b/m);
  });
});
