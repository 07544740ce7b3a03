import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { observable } from '@platform/shared/testing/responses';
import {
  countStatuses,
  createFactorUser,
  createPasskeyUser,
  type Fixture,
  KINDS,
  type User,
} from './fixture.ts';

const MAX_TIME_RATIO = 1.5;
const PAIRS = 25;

const checkEqual = (fixture: Fixture, attack: string, responses: readonly HttpResponse[]): void => {
  const isEqual = new Set(responses.map((response) => JSON.stringify(observable(response)))).size === 1;
  fixture.check(isEqual, attack, countStatuses(responses));
};

const testResponses = async (fixture: Fixture): Promise<void> => {
  fixture.section(
    'Enumeration: nothing tells strangers whether an address has an account or a second factor',
  );
  for (const kind of KINDS) {
    const emails = [
      uniqueEmail(),
      (await fixture.createUser(kind)).email,
      (await fixture.createUser(kind === CUSTOMER ? EMPLOYEE : CUSTOMER)).email,
      (await createFactorUser(fixture, kind)).email,
      (await createPasskeyUser(fixture, kind)).email,
    ];
    const { auth } = fixture.client(kind);
    const reset = { code: '000000', newPassword: PASSWORD };
    for (const [name, call] of [
      ['a wrong password', (email: string) => auth.signIn({ email, password: WRONG_PASSWORD }, 'device')],
      ['a reset code', (email: string) => auth.sendResetCode({ email })],
      ['a second reset code', (email: string) => auth.sendResetCode({ email })],
      ['a reset with a wrong code', (email: string) => auth.resetPassword({ email, ...reset })],
    ] as const) {
      const responses: HttpResponse[] = [];
      for (const email of emails) responses.push(await call(email));
      const accounts = 'unknown, without a factor, of another kind, with TOTP, with a passkey';
      checkEqual(fixture, `${name} of ${kind.plural}: ${accounts}`, responses);
    }
  }
};

const changeEmail = ({ factors, device }: User, newEmail: string): Promise<HttpResponse> =>
  factors.as(device, 'POST', '/email/change', { newEmail, currentPassword: PASSWORD });

const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

const testTakenAddress = async (fixture: Fixture): Promise<void> => {
  fixture.section('Change of e-mail: a taken address has the same response, time and no code');
  const taken: HttpResponse[] = [];
  const free: HttpResponse[] = [];
  let target = '';
  for (let pair = 0; pair < PAIRS; pair += 1) {
    target = (await fixture.createUser(CUSTOMER)).email;
    taken.push(await changeEmail(await fixture.createUser(CUSTOMER), target));
    free.push(await changeEmail(await fixture.createUser(CUSTOMER), uniqueEmail()));
  }
  checkEqual(fixture, `${PAIRS} taken and ${PAIRS} free addresses`, [...taken, ...free]);
  const times = [taken, free].map((responses) => median(responses.map(({ milliseconds }) => milliseconds)));
  const ratio = Math.max(...times) / Math.min(...times);
  const shown = times.map((time) => `${time.toFixed(1)} ms`).join(' and ');
  fixture.check(ratio < MAX_TIME_RATIO, 'median times for a taken and a free address', shown);
  const mail = await fixture.inbox.untilMail(target, '');
  fixture.check(!/^\d{6}\b/m.test(mail.text), 'the mail to the taken address', `"${mail.subject}", no code`);
};

export const testEnumeration = async (fixture: Fixture): Promise<void> => {
  await testResponses(fixture);
  await testTakenAddress(fixture);
};
