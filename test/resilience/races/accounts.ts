import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { signInCall } from '../load/user-actions.ts';
import { countAudit, labelOf, post, range, type Scene, withStatus } from './fixture.ts';
import { createJudge, type Race } from './race.ts';

const SIGN_UPS = 6;

const spell = (email: string, index: number): string => (index % 3 === 2 ? email.toUpperCase() : email);

/** One e-mail, signed up by customers and employees, in two letter cases, each with a password of their own. */
export const createSignUpRace = async (scene: Scene): Promise<Race> => ({
  name: 'sign-up with one e-mail',
  atOnce: SIGN_UPS,
  run: async () => {
    const { violations, expect } = createJudge();
    const email = uniqueEmail();
    const tries = range(SIGN_UPS).map((index) => ({
      kind: index % 2 ? EMPLOYEE : CUSTOMER,
      email: spell(email, index),
      password: `${PASSWORD} ${index}`,
    }));
    const answers = await Promise.all(
      tries.map(({ kind, ...body }) => scene.ask(post(`${kind.path}/sign-up`, body))),
    );
    expect(withStatus(answers, 201).length === 1, 'one signs up', answers.map(labelOf).join(', '));
    for (const answer of answers)
      if (answer.status !== 201)
        expect(answer.code === 'EMAIL_TAKEN', 'the others learn that it is taken', labelOf(answer));
    const winner = tries[answers.findIndex(({ status }) => status === 201)];
    if (winner) {
      const { status } = await scene.ask(signInCall(winner, 'device'));
      expect(status === 200, 'the one who signed up signs in', status);
    }
    const [row] = await scene.records.query<{ found: string }>(
      `select count(distinct u.id) || ' users, ' || count(distinct r.role) || ' roles, '
         || count(distinct c.id) + count(distinct e.id) || ' profiles' as found
       from users u left join user_roles r on r.user_id = u.id left join customer_profiles c on c.user_id = u.id
       left join employee_profiles e on e.user_id = u.id where u.email = $1`,
      [email],
    );
    expect(row?.found === '1 users, 1 roles, 1 profiles', 'there is one account', row?.found);
    return { ends: answers.map(labelOf), violations };
  },
});

const REGISTRATIONS = 5;

/** A platform without any ADMIN, and several who want to be the first. */
export const createBootstrapRace = async (scene: Scene): Promise<Race> => ({
  name: 'bootstrap registration',
  atOnce: REGISTRATIONS,
  run: async () => {
    const { violations, expect } = createJudge();
    await scene.records.query(
      "delete from users where id in (select user_id from user_roles where role = 'ADMIN')",
    );
    const bodies = range(REGISTRATIONS).map(() => ({ email: uniqueEmail(), password: PASSWORD }));
    const path = `${ADMINISTRATOR.path}/register`;
    const answers = await Promise.all(bodies.map((body) => scene.ask(post(path, body))));
    const [winner] = withStatus(answers, 201);
    expect(withStatus(answers, 201).length === 1, 'one registers', answers.map(labelOf).join(', '));
    for (const answer of answers)
      if (answer.status !== 201)
        expect(answer.code === 'TOKEN_INVALID', 'the others need a token by now', labelOf(answer));
    const admins = await scene.records.query<{ userId: string }>(
      `select user_id as "userId" from user_roles where role = 'ADMIN'`,
    );
    const { id = '' } = (winner?.body ?? {}) as { id?: string };
    expect(
      admins.length === 1 && admins[0]?.userId === id,
      'the platform has that ADMIN alone',
      admins.length,
    );
    const users = await scene.records.query('select 1 from users where email = any($1)', [
      bodies.map(({ email }) => email),
    ]);
    expect(users.length === 1, 'the others have left no account', users.length);
    const audited = await countAudit(scene, 'ADMINISTRATOR_REGISTERED', id);
    expect(audited === 1, 'the audit trail has it once', audited);
    return { ends: answers.map(labelOf), violations };
  },
});
