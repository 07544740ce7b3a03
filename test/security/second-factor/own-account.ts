import {
  type AccountKind,
  ADMINISTRATOR,
  bearer,
  CUSTOMER,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { observable } from '@platform/shared/testing/responses';
import { countStatuses, createFactorUser, type Fixture, INVALID, KINDS, type User } from '../fixture.ts';

const MAX_TIME_RATIO = 1.5;
const PAIRS = 25;

const changeEmail = ({ factors, device }: User, newEmail: string, password = PASSWORD) =>
  factors.as(device, 'POST', '/email/change', { newEmail, currentPassword: password });

const testDeletion = async (fixture: Fixture, kind: AccountKind): Promise<void> => {
  const user = await fixture.createUser(kind);
  const withFactor = await createFactorUser(fixture, kind);
  const remove = ({ factors, device }: User, body: object) =>
    factors.as(device, 'POST', '/account/delete', body);
  const attempts: [name: string, user: User, body: object, expected: string][] = [
    ['without the password', user, {}, '400 VALIDATION_FAILED'],
    ['with a wrong password', user, { currentPassword: WRONG_PASSWORD }, '400 CURRENT_PASSWORD_WRONG'],
    ['without the factor', withFactor, { currentPassword: PASSWORD }, '400 VALIDATION_FAILED'],
    [
      'with the code of another user',
      withFactor,
      { currentPassword: PASSWORD, recoveryCode: 'aaaa-aaaa-aaaa-aaaa-aaaa-aaaa' },
      INVALID,
    ],
  ];
  for (const [name, owner, body, expected] of attempts)
    await fixture.refused(`deletion of ${kind.plural} ${name}`, remove(owner, body), expected);
  for (const { device } of [user, withFactor])
    await fixture.accepted(`${kind.plural} afterwards`, await fixture.client(kind).auth.me(device));
};

const testExport = async (fixture: Fixture): Promise<void> => {
  fixture.section('Export: only what belongs to the caller');
  const victim = await fixture.createUser(CUSTOMER);
  const attacker = await fixture.createUser(CUSTOMER);
  await fixture.send('/api/v1/contact/support', {
    method: 'POST',
    body: { email: attacker.email, subject: 'Private', message: 'Sent by whoever owns the address.' },
  });
  const read = (kind: AccountKind, by: User, query = '') =>
    fixture.client(kind).as(by.device, 'GET', `/account/export${query}`);
  const own = await read(CUSTOMER, attacker);
  fixture.check(
    own.status === 200 && own.text.includes(attacker.id) && !own.text.includes(victim.id),
    'an export',
    `${formatStatus(own)}, ${own.text.length} bytes, nothing of another user`,
  );
  fixture.check(
    !own.text.includes('Sent by whoever'),
    'a contact form with an address that the user has not verified',
    own.text.includes('Sent by whoever') ? 'exported' : 'not exported',
  );
  const hasSecret = /\$2[aby]\$|sealed|passwordHash|password_hash|token/i.test(own.text);
  fixture.check(!hasSecret, 'a hash or a token id in it', hasSecret ? 'found' : 'none');
  const named = await read(CUSTOMER, attacker, `?userId=${victim.id}`);
  fixture.check(!named.text.includes(victim.id), 'an export with the id of another user', named);
  await fixture.refused(
    "a customer's token at the employees' export",
    await read(EMPLOYEE, attacker),
    '401 TOKEN_INVALID',
  );
};

const testReset = async (fixture: Fixture): Promise<void> => {
  fixture.section('Removal of a second factor by administrators');
  const target = await createFactorUser(fixture, CUSTOMER);
  const remove = (id: string, headers = {}) =>
    fixture.send(`/api/v1/users/${id}/second-factor`, { method: 'DELETE', headers });
  await fixture.refused('without a token', remove(target.id), '401 TOKEN_INVALID');
  await fixture.refused('by the user', remove(target.id, bearer(target.device)), '401 TOKEN_INVALID');
  for (const role of ['OPERATOR', 'ARBITER'] as const) {
    const { device } = await fixture.createUser(ADMINISTRATOR, role);
    const response = await remove(target.id, bearer(device));
    await fixture.refused(`by an ${role}`, response, '403 WORKSPACE_FORBIDDEN');
  }
  const state = await target.factors.readState(target.device);
  fixture.check(state.totp !== null, 'the factor afterwards', state.totp ? 'still there' : 'removed');
  const admin = await createFactorUser(fixture, ADMINISTRATOR);
  const own = await remove(admin.id, bearer(admin.device));
  await fixture.refused('of the own account, with a stolen session', own, '403 OWN_SECOND_FACTOR');
  const spelled = await remove(admin.id.toUpperCase(), bearer(admin.device));
  fixture.check(spelled.status >= 400, 'of the own account, with the id in upper case', spelled);
  const kept = await admin.factors.readState(admin.device);
  fixture.check(kept.totp !== null, "the ADMIN's factor afterwards", kept.totp ? 'still there' : 'removed');
};

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
  const bodies = new Set([...taken, ...free].map((response) => JSON.stringify(observable(response))));
  fixture.check(
    bodies.size === 1,
    `${PAIRS} taken and ${PAIRS} free addresses`,
    countStatuses([...taken, ...free]),
  );
  const times = [taken, free].map((responses) => median(responses.map(({ milliseconds }) => milliseconds)));
  const ratio = Math.max(...times) / Math.min(...times);
  const shown = times.map((time) => `${time.toFixed(1)} ms`).join(' and ');
  fixture.check(ratio < MAX_TIME_RATIO, 'median times for a taken and a free address', shown);
  const mail = await fixture.inbox.untilMail(target, '');
  fixture.check(!/^\d{6}\b/m.test(mail.text), 'the mail to the taken address', `"${mail.subject}", no code`);
};

const testMailBombing = async (fixture: Fixture): Promise<void> => {
  fixture.section('Change of e-mail: wrong passwords, mail bombing and guessed codes');
  for (const kind of KINDS) {
    const user = await fixture.createUser(kind);
    const wrong = await changeEmail(user, uniqueEmail(), WRONG_PASSWORD);
    await fixture.refused(`a wrong password of ${kind.plural}`, wrong, '400 CURRENT_PASSWORD_WRONG');
    const first = await changeEmail(user, uniqueEmail());
    const second = await changeEmail(user, uniqueEmail());
    fixture.check(
      first.status === 200 && second.code === 'RESEND_LOCKED' && Number(second.headers['retry-after']) > 60,
      `two changes of ${kind.plural} at once, to two addresses`,
      `${formatStatus(first)}, ${formatStatus(second)}, Retry-After ${second.headers['retry-after']}`,
    );
  }
  const victim = uniqueEmail();
  const sent: HttpResponse[] = [];
  for (let count = 0; count < 12; count += 1)
    sent.push(await changeEmail(await fixture.createUser(CUSTOMER), victim));
  const accepted = sent.filter(({ status }) => status === 200).length;
  const locked = sent.filter(({ code }) => code === 'RESEND_LOCKED').length;
  const holds = accepted <= 10 && accepted + locked === sent.length;
  fixture.check(holds, 'changes of twelve users to one address', countStatuses(sent));

  const user = await fixture.createUser(CUSTOMER);
  await changeEmail(user, uniqueEmail());
  const guesses: HttpResponse[] = [];
  for (let code = 0; code < 20; code += 1)
    guesses.push(
      await user.factors.as(user.device, 'POST', '/email/change/check', {
        code: String(code).padStart(6, '0'),
      }),
    );
  const isGuarded = guesses.every(({ code }) => code === 'CODE_INVALID' || code === 'RATE_LIMITED');
  fixture.check(isGuarded, 'twenty guesses at the code', countStatuses(guesses));
};

const testForbiddenAddresses = async (fixture: Fixture): Promise<void> => {
  const admin = await fixture.createUser(ADMINISTRATOR);
  const outside = await changeEmail(admin, 'admin@evil.example');
  await fixture.refused('an ADMIN to a domain outside the allow-list', outside, '403 DOMAIN_NOT_ALLOWED');
  const removed = await fixture.client(ADMINISTRATOR).as(admin.device, 'POST', '/account/delete', {
    currentPassword: PASSWORD,
  });
  await fixture.refused('an ADMIN deletes the own account', removed, '409 PLATFORM_ROLE_TAKEN');
};

export const testOwnAccount = async (fixture: Fixture): Promise<void> => {
  fixture.section('Deletion: a stolen access token is not enough');
  for (const kind of KINDS) await testDeletion(fixture, kind);
  await testExport(fixture);
  await testReset(fixture);
  await testTakenAddress(fixture);
  await testMailBombing(fixture);
  await testForbiddenAddresses(fixture);
};
