import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { checkAudit, checkOneWinner, type Race, type RaceFixture, range } from './fixture.ts';

const SIGN_UPS = 6;
const REGISTRATIONS = 5;

/** Customers and employees sign up with one e-mail in two letter cases, each with another password. */
export const createSignUpRace = (fixture: RaceFixture): Race => ({
  name: 'sign-up with one e-mail',
  concurrency: SIGN_UPS,
  run: async (check) => {
    const email = uniqueEmail();
    const attempts = range(SIGN_UPS).map((index) => ({
      kind: index % 2 ? EMPLOYEE : CUSTOMER,
      body: { email: index % 3 === 2 ? email.toUpperCase() : email, password: `${PASSWORD} ${index}` },
    }));
    const responses = await Promise.all(attempts.map(({ kind, body }) => fixture.auth(kind).signUp(body)));
    const created = checkOneWinner(check, responses, 201, /^EMAIL_TAKEN$/);
    const winner = created && attempts[responses.indexOf(created)];
    if (winner) {
      const { status } = await fixture.auth(winner.kind).signIn(winner.body, 'device');
      check(status === 200, 'the created account signs in', status);
    }
    const [row] = await fixture.records.query<{ found: string }>(
      `select count(distinct u.id) || ' users, ' || count(distinct r.role) || ' roles, '
         || count(distinct c.id) + count(distinct e.id) || ' profiles' as found
       from users u left join user_roles r on r.user_id = u.id left join customer_profiles c on c.user_id = u.id
       left join employee_profiles e on e.user_id = u.id where u.email = $1`,
      [email],
    );
    check(row?.found === '1 users, 1 roles, 1 profiles', 'there is one account', row?.found);
    return responses;
  },
});

/** Several registrations on a platform without any ADMIN. */
export const createBootstrapRace = (fixture: RaceFixture): Race => ({
  name: 'bootstrap registration',
  concurrency: REGISTRATIONS,
  run: async (check) => {
    const { records, send } = fixture;
    await records.query(
      "delete from users where id in (select user_id from user_roles where role = 'ADMIN')",
    );
    const bodies = range(REGISTRATIONS).map(() => ({ email: uniqueEmail(), password: PASSWORD }));
    const path = `${ADMINISTRATOR.path}/register`;
    const responses = await Promise.all(bodies.map((body) => send({ method: 'POST', path, body })));
    const winner = checkOneWinner(check, responses, 201, /^TOKEN_INVALID$/);
    const id = String(winner?.body.id ?? '');
    const admins = await records.query<{ userId: string }>(
      `select user_id as "userId" from user_roles where role = 'ADMIN'`,
    );
    check(admins.length === 1 && admins[0]?.userId === id, 'there is one ADMIN', admins.length);
    const emails = bodies.map(({ email }) => email);
    const users = await records.query('select 1 from users where email = any($1)', [emails]);
    check(users.length === 1, 'the others created no account', users.length);
    await checkAudit(fixture, check, 'ADMINISTRATOR_REGISTERED', id);
    return responses;
  },
});
