import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createCipher } from '@platform/shared/encryption/cipher';
import {
  type AccountKind,
  ADMINISTRATOR,
  type AuthClient,
  bearer,
  CUSTOMER,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import type { Role } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import { addSecondFactor, countFactors } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const NEW_PASSWORD = 'A better horse 2';
/** Recovery codes in the order of their use. */
const RECOVERY_CODES = ['first', 'second'] as const;

/** A user with a factor, two sessions, a started sign-in, a requested e-mail change, and a waiting mail. */
type Subject = {
  client: AuthClient;
  roles: Role[];
  userId: string;
  email: string;
  newEmail: string;
  own: Device;
  other: Device;
  waiting: { challenge: string; fingerprint: string };
  changeCode: string;
};
/** `run` returns the values that differ afterwards. */
type Event = {
  /** The default is customers only. */
  kinds?: readonly AccountKind[];
  isVerified?: boolean;
  hasPlatformRole?: boolean;
  run: (subject: Subject) => Promise<{ email?: string; password?: string }>;
};

const readTable = async (): Promise<{ event: string; cells: Record<string, string> }[]> => {
  const page = await readFile(resolve(import.meta.dirname, '../../SECURITY.md'), 'utf8');
  const [, table = ''] = page.split('<!-- endings -->');
  const toCells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = '', , ...lines] = table.split('\n').filter((line) => line.startsWith('|'));
  const [, ...columns] = toCells(head);
  return lines.map((line) => {
    const [event = '', ...cells] = toCells(line);
    return { event, cells: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) };
  });
};
const TABLE = await readTable();

const succeeds = async (responding: Promise<HttpResponse>): Promise<void> => {
  const { status, text } = await responding;
  expect(status, text).to.be.within(200, 204);
};

describe('what an event of an account ends', () => {
  const platform = usePlatform();
  let admin: Device;
  before('sign in an ADMIN', async () => {
    admin = (await platform().as('administrator').openVerifiedAccount()).device;
  });
  const query = (text: string, values: unknown[]) => platform().records.query(text, values);
  const asAdmin = (method: string, path: string, body?: object) =>
    send(platform().gatewayUrl, method, `/api/v1/users/${path}`, { headers: bearer(admin), body });
  const sent = (method: string, path: string, options: RequestOptions) =>
    succeeds(send(platform().gatewayUrl, method, path, options));
  const readCode = async (email: string, subject: string) =>
    codeIn(await createInboxClient(platform().stack.inboxUrl).untilMail(email, subject));
  const codeToReset = async ({ client, email }: Subject) => {
    await succeeds(client.resetPasswordEmailCodeSend({ body: { email } }));
    return await readCode(email, 'Your code to reset the password');
  };

  const setUp = async (
    kind: AccountKind,
    { isVerified = true, hasPlatformRole = false }: Event,
  ): Promise<Subject> => {
    const { records } = platform();
    const client = platform().as(kind);
    const roles: Role[] = kind === ADMINISTRATOR || hasPlatformRole ? ['OPERATOR'] : [];
    if (kind !== ADMINISTRATOR) roles.push(kind === CUSTOMER ? 'CUSTOMER' : 'EMPLOYEE');
    const account = await records.user(roles, { isEmailVerified: isVerified });
    const [own, other] = [await client.openDevice(account), await client.openDevice(account)];
    await addSecondFactor(records, account.id);
    const { encrypt } = createCipher(platform().stack.secondFactorKey, 'recovery code');
    for (const code of RECOVERY_CODES) {
      const hash = createHash('sha256').update(`${account.id}:${code}`).digest('base64url');
      await query('insert into recovery_codes values ($1, $2)', [account.id, encrypt(hash)]);
    }
    const newEmail = uniqueEmail();
    await succeeds(client.emailChange({ ...own, body: { newEmail, currentPassword: PASSWORD } }));
    const changeCode = await readCode(newEmail, 'Confirm your new email');
    const waiting = await client.startSignIn(account);
    // The worker does not retry a failed mail, so it stays in the outbox.
    await query(
      `insert into mail_outbox (mail, request_id, user_id, failed_at) values ('{"to": "nobody"}', 'endings', $1, now())`,
      [account.id],
    );
    return {
      client,
      roles,
      userId: account.id,
      email: account.email,
      newEmail,
      own,
      other,
      waiting,
      changeCode,
    };
  };

  const confirmChange = ({ client, own, changeCode: code }: Subject) =>
    client.emailChangeCheck({ ...own, body: { code } });
  const reset = async (subject: Subject) => {
    const { client, email } = subject;
    const code = await codeToReset(subject);
    await succeeds(client.resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } }));
    return { password: NEW_PASSWORD };
  };
  const EVENTS: Record<string, Event> = {
    'verification by code, in a session': {
      isVerified: false,
      run: async ({ client, own, email }) => {
        await succeeds(client.verificationEmailCode(own));
        const code = await readCode(email, 'is your code');
        await succeeds(client.verificationEmailCodeCheck({ ...own, body: { code } }));
        return {};
      },
    },
    'confirmed change of an unverified address': {
      isVerified: false,
      run: async (subject) => {
        await succeeds(confirmChange(subject));
        return { email: subject.newEmail };
      },
    },
    'confirmed change of a verified address': {
      run: async (subject) => {
        await succeeds(confirmChange(subject));
        return { email: subject.newEmail };
      },
    },
    'reset by code, unverified address': { isVerified: false, run: reset },
    'reset by code, verified address': { run: reset },
    'sign-in by a mailed code, unverified address': {
      isVerified: false,
      run: async ({ client, email }) => {
        await succeeds(client.signInEmailCodeSend({ body: { email } }));
        const code = await readCode(email, 'is your code');
        const fingerprint = uniqueFingerprint();
        await succeeds(client.signInEmailCode({ fingerprint, body: { email, code } }));
        return {};
      },
    },
    'acceptance of an invitation, unverified address': {
      isVerified: false,
      run: async ({ email }) => {
        const invitations = '/api/v1/administrator/invitations';
        const body = { email, role: 'OPERATOR' };
        await sent('POST', invitations, { headers: bearer(admin), body });
        const { text } = await createInboxClient(platform().stack.inboxUrl).untilMail(
          email,
          'You are invited',
        );
        const [code] = text.split(' ', 1);
        const acceptance = { code, password: NEW_PASSWORD };
        await sent('POST', '/api/v1/auth/admin/invitations/accept', { body: acceptance });
        return { password: NEW_PASSWORD };
      },
    },
    'change of the password': {
      run: async ({ client, own }) => {
        const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
        await succeeds(client.resetPasswordMe({ ...own, body }));
        return { password: NEW_PASSWORD };
      },
    },
    'end of another session': {
      run: async ({ client, own, other }) => {
        await succeeds(client.endSession({ ...own, sessionId: other.sessionId }));
        return {};
      },
    },
    'end of all sessions by an ADMIN': {
      run: async ({ userId }) => {
        await succeeds(asAdmin('DELETE', `${userId}/sessions`));
        return {};
      },
    },
    block: {
      run: async ({ userId }) => {
        await succeeds(asAdmin('PATCH', `${userId}/block`));
        return {};
      },
    },
    'removal of the factors by an ADMIN': {
      run: async ({ userId }) => {
        await succeeds(asAdmin('DELETE', `${userId}/second-factor`));
        return {};
      },
    },
    'assignment of a platform role': {
      run: async ({ userId }) => {
        await succeeds(asAdmin('POST', `${userId}/platform-role`, { role: 'ARBITER' }));
        return {};
      },
    },
    'removal of the platform role': {
      kinds: [CUSTOMER, ADMINISTRATOR],
      hasPlatformRole: true,
      run: async ({ userId }) => {
        await succeeds(asAdmin('DELETE', `${userId}/platform-role`));
        // Otherwise a user who is only an administrator could no longer sign in.
        await platform().records.giveRole(userId, 'OPERATOR');
        return {};
      },
    },
    deletion: {
      kinds: [CUSTOMER, ADMINISTRATOR],
      run: async ({ client, own, userId }) => {
        const proof = { currentPassword: PASSWORD, recoveryCode: RECOVERY_CODES[0] };
        await succeeds(
          client.kind === ADMINISTRATOR
            ? asAdmin('DELETE', `${userId}/platform-role?erase=true`)
            : client.accountDelete({ ...own, body: proof }),
        );
        return {};
      },
    },
    'deletion by an ADMIN': {
      run: async ({ userId }) => {
        await succeeds(asAdmin('DELETE', userId));
        return {};
      },
    },
  };

  type After = Subject & { password: string };

  /** A known device on its network is exempt from the pause of the account. */
  const isKnown = async ({ client, userId, email, password }: After, { fingerprint }: Device) => {
    await query(
      `insert into failed_guesses (subject, secret, scope, failures, pending, waits_until, expires_at)
       values ($1, 'password', 'account', 100, 0, now() + interval '1 hour', 'infinity')
       on conflict (subject, secret) do update set waits_until = excluded.waits_until`,
      [userId],
    );
    const { status, code } = await client.signIn({ fingerprint, body: { email, password } });
    await query('delete from failed_guesses where subject = $1', [userId]);
    return status === 200 || code === 'SECOND_FACTOR_REQUIRED';
  };
  const describeSession = async (after: After, device: Device): Promise<string> => {
    const me = await after.client.me(device);
    if (me.status === 200) return 'stays';
    if (me.code === 'USER_BLOCKED') return 'rejected';
    return (await isKnown(after, device)) ? 'tokens end' : 'forgotten';
  };
  const signInWithFactor = async ({ client, email, password }: After): Promise<Device | undefined> => {
    const fingerprint = uniqueFingerprint();
    const first = await client.signIn({ fingerprint, body: { email, password } });
    if (first.status === 200) return client.toDevice(first);
    if (first.code !== 'SECOND_FACTOR_REQUIRED') return undefined;
    const { challenge } = first.body;
    const proof = { recoveryCode: RECOVERY_CODES[1] };
    return client.toDevice(await client.signInSecondFactor({ fingerprint, body: { challenge, ...proof } }));
  };
  const describePassword = async ({ client, email, password }: After): Promise<string> => {
    const isOld = await client.signIn({
      fingerprint: uniqueFingerprint(),
      body: { email, password: PASSWORD },
    });
    if (isOld.code !== 'INVALID_CREDENTIALS') return 'stays';
    return password === PASSWORD ? 'removed' : 'replaced';
  };
  const describeChange = async (after: After): Promise<string> => {
    if (after.email === after.newEmail) return 'used';
    const device = await signInWithFactor(after);
    const confirmed = device && (await confirmChange({ ...after, own: device }));
    return confirmed?.status === 200 ? 'stays' : 'ends';
  };

  const observe = async (after: After): Promise<Record<string, string>> => {
    const { client, userId, own, other, waiting } = after;
    const sessions = {
      'acting session': await describeSession(after, own),
      'other sessions': await describeSession(after, other),
    };
    await platform().records.block(userId, false);
    const second = await client.signInSecondFactor({
      fingerprint: waiting.fingerprint,
      body: { challenge: waiting.challenge, recoveryCode: 'wrong' },
    });
    const { passkeys } = await countFactors(platform().records, userId);
    const mails = await query(
      `delete from mail_outbox where user_id = $1 and request_id = 'endings' returning 1`,
      [userId],
    );
    return {
      ...sessions,
      factors: passkeys > 0 ? 'stay' : 'removed',
      password: await describePassword(after),
      'waiting sign-in': second.code === 'CHALLENGE_INVALID' ? 'ends' : 'stays',
      'pending change of address': await describeChange(after),
      'waiting mails': mails.length > 0 ? 'stay' : 'removed',
    };
  };

  it('is in the table for every event', () => {
    expect(TABLE.map(({ event }) => event)).to.deep.equal(Object.keys(EVENTS));
  });

  for (const { event: name, cells } of TABLE)
    for (const kind of EVENTS[name]?.kinds ?? [CUSTOMER])
      it(`by ${name} is what the table says, of ${kind.plural}`, async () => {
        const event = EVENTS[name];
        if (!event) throw new Error(`Unknown event: ${name}`);
        const subject = await setUp(kind, event);
        const observed = await observe({ ...subject, password: PASSWORD, ...(await event.run(subject)) });
        // Without an acting session, the first session is treated like the others.
        if (cells['acting session'] === '–') observed['acting session'] = '–';
        expect(observed).to.deep.equal(cells);
      });
});
