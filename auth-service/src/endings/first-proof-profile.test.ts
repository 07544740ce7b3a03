import { uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { addKind, useAuthService } from '../../testing/auth-service.ts';
import { insertInvitation } from '../../testing/invitations.ts';
import { newPerson, useProvider } from '../../testing/provider.ts';

const NEW_PASSWORD = 'A better horse 2';
/** The profile that a stranger has chosen. */
const CHOSEN = { firstName: 'Head', lastName: 'of Security', phone: '+49 30 1234567' };
const CLEARED = { firstName: null, lastName: null, phone: null };
const CLEARED_PROFILES = [{ kind: 'customer', fields: ['firstName', 'lastName', 'phone'] }];

const expectOk = ({ status, text }: HttpResponse): void => {
  expect(status, text).to.be.within(200, 204);
};

describe('profile after the first proof of its address', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const client = () => service().as('customer');
  const accept = async (email: string) => {
    const { id, code } = await insertInvitation(service().records, { email });
    const body = { code, password: NEW_PASSWORD };
    expectOk(await service().as('administrator').invitationAccept({ body }));
    return id;
  };
  const signUp = async (fields: object = CHOSEN) => {
    const account = await client().createAccount(fields);
    return { account, device: await client().openDevice(account) };
  };
  const readProfile = async (userId: string) => {
    const text = `select first_name as "firstName", last_name as "lastName", phone
      from customer_profiles where user_id = $1`;
    return (await service().records.query(text, [userId]))[0];
  };
  const proofOf = async (userId: string) => {
    const [record] = await service().records.auditOf(userId, 'EMAIL_VERIFIED');
    return record?.details['clearedProfiles'];
  };
  const profileChangesOf = async (userId: string) => {
    const text = "select data from events where subject = $1 and type = 'user.profile-changed'";
    return (await service().records.query<{ data: object }>(text, [userId])).map(({ data }) => data);
  };
  const reset = async (email: string) => {
    const code = await client().requestResetCode(email);
    expectOk(await client().resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } }));
  };

  type Proof = { isCleared: boolean; prove: (account: TestAccount, device: Device) => Promise<unknown> };
  const PROOFS: Record<string, Proof> = {
    'a verification in the session': {
      isCleared: false,
      prove: async ({ email }, device) => {
        const code = await client().requestVerificationCode(device, email);
        expectOk(await client().verificationEmailCodeCheck({ ...device, body: { code } }));
      },
    },
    'a change of the address in the session': {
      isCleared: false,
      prove: async (_account, device) => {
        const code = await client().requestEmailChangeCode(device, uniqueEmail());
        expectOk(await client().emailChangeCheck({ ...device, body: { code } }));
      },
    },
    'a reset by code': { isCleared: true, prove: ({ email }) => reset(email) },
    'a sign-in with a provider': {
      isCleared: true,
      prove: async ({ email }) =>
        expectOk(await provider().signInWith(client(), 'company', newPerson(email))),
    },
    'an accepted invitation': {
      isCleared: true,
      prove: async ({ email, userId }) => {
        await service().records.project({ ownerId: userId });
        await accept(email);
      },
    },
  };

  for (const [name, { isCleared, prove }] of Object.entries(PROOFS))
    it(`${isCleared ? 'loses' : 'keeps'} names and phone number by ${name}`, async () => {
      const { account, device } = await signUp();
      await prove(account, device);
      expect(await readProfile(account.userId)).to.deep.equal(isCleared ? CLEARED : CHOSEN);
      expect(await proofOf(account.userId)).to.deep.equal(isCleared ? CLEARED_PROFILES : undefined);
      expect(await profileChangesOf(account.userId)).to.deep.equal(isCleared ? CLEARED_PROFILES : []);
    });

  it('is not mentioned if it was empty', async () => {
    const { account } = await signUp({});
    await reset(account.email);
    expect(await proofOf(account.userId)).to.equal(undefined);
    expect(await profileChangesOf(account.userId)).to.deep.equal([]);
  });

  it('keeps names and phone number by a second reset', async () => {
    const account = await client().createVerifiedAccount();
    const text = "update customer_profiles set phone = '+49 30 1234567' where user_id = $1";
    await service().records.query(text, [account.userId]);
    await reset(account.email);
    expect(await readProfile(account.userId)).to.deep.include({ phone: CHOSEN.phone });
  });
});

describe('kinds after the acceptance of an invitation', () => {
  const service = useAuthService();
  const records = () => service().records;

  type User = { id: string; employeeId: string };
  const OWNERS: [
    owner: string,
    kind: 'customer' | 'employee',
    own: (user: User) => Promise<unknown>,
    stays: boolean,
  ][] = [
    ['a customer without projects', 'customer', async () => undefined, false],
    ['a customer with a project', 'customer', ({ id: ownerId }) => records().project({ ownerId }), true],
    [
      'a customer with a deleted project',
      'customer',
      ({ id: ownerId }) => records().project({ ownerId, deletedAt: new Date() }),
      true,
    ],
    ['an employee without memberships', 'employee', async () => undefined, false],
    [
      'an employee with a membership',
      'employee',
      async ({ employeeId }) => await records().member(await records().team(), { employeeId }),
      true,
    ],
    [
      'an employee who was removed from a team',
      'employee',
      async ({ employeeId }) =>
        await records().member(await records().team(), { employeeId, status: 'REMOVED' }),
      true,
    ],
  ];

  const acceptAs = async (user: { id: string; email: string }) => {
    const { id, code } = await insertInvitation(records(), { email: user.email });
    const body = { code, password: NEW_PASSWORD };
    expectOk(await service().as('administrator').invitationAccept({ body }));
    const text = 'select role from user_roles where user_id = $1 order by role';
    const roles = (await records().query<{ role: string }>(text, [user.id])).map(({ role }) => role);
    const [accepted] = await records().auditOf(id, 'INVITATION_ACCEPTED');
    return { roles, removedKinds: accepted?.details['removedKinds'] };
  };

  for (const [owner, kind, own, stays] of OWNERS)
    it(`${stays ? 'stay' : 'go'} for ${owner}`, async () => {
      const role = kind === 'customer' ? 'CUSTOMER' : 'EMPLOYEE';
      const user = await records().user([role]);
      await own(user);
      const { roles, removedKinds } = await acceptAs(user);
      expect(roles).to.deep.equal(stays ? [role, 'OPERATOR'] : ['OPERATOR']);
      expect(removedKinds).to.deep.equal(stays ? undefined : [kind]);
    });

  it('are judged one by one, and an unused one no longer signs in', async () => {
    const user = await records().user(['CUSTOMER']);
    await addKind(records(), user.id, 'employee');
    await records().project({ ownerId: user.id });
    const { roles, removedKinds } = await acceptAs(user);
    expect(roles).to.deep.equal(['CUSTOMER', 'OPERATOR']);
    expect(removedKinds).to.deep.equal(['employee']);
    await service().as('employee').expectNoSignIn({ email: user.email, password: NEW_PASSWORD });
    await service().as('customer').openDevice({ email: user.email, password: NEW_PASSWORD });
  });
});
