import type { handledOperations as AdminOperations } from '@platform/openapi/types/admin';
import { ADMINISTRATOR, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import {
  type ContractClient,
  createContractClient,
  readContract,
} from '@platform/shared/testing/contract-client';
import type { HttpClient, HttpResponse } from '@platform/shared/testing/http-client';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { uniqueWord } from '@platform/shared/testing/records';
import { createValidatingSender } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

type Client = ContractClient<AdminOperations>;

/** The tasks that the back office once left to SQL, the shell and a dashboard of queues. */
describe('an hour of an ADMIN', () => {
  const platform = usePlatform();
  const lines: string[] = [];
  let requests = 0;
  let client: Client;
  /** Its requests belong to no task. */
  let preparing: Client;

  before('sign in an ADMIN', async () => {
    const { gatewayUrl, records } = platform();
    const { accessToken } = await createAuthClient(gatewayUrl, ADMINISTRATOR).openDevice(
      await records.user(['ADMIN']),
    );
    const sendValid = createValidatingSender(gatewayUrl);
    const sendRecorded: HttpClient['send'] = async (request) => {
      const response = await sendValid(request);
      requests += 1;
      lines.push(`  ${response.status} ${request.method ?? 'GET'} ${request.path}`);
      return response;
    };
    const contract = await readContract('admin');
    client = createContractClient<AdminOperations>(contract, sendRecorded, { accessToken });
    preparing = createContractClient<AdminOperations>(contract, sendValid, { accessToken });
  });
  after('print the requests', () => {
    process.stdout.write(`${lines.join('\n')}\n`);
  });

  /** Runs a task, which must take this number of successful requests. */
  const task = (name: string, expected: number, run: () => Promise<void>): void => {
    it(`${name}: ${expected} requests`, async () => {
      requests = 0;
      lines.push(name);
      await run();
      expect(requests).to.equal(expected);
    });
  };
  const bodyOf = async (response: Promise<HttpResponse>) => {
    const { status, body, text } = await response;
    expect(status, text).to.be.within(200, 204);
    return body;
  };
  /** The first request of each task about a person. */
  const findUser = async (q: string): Promise<string> => {
    const { data, total } = await bodyOf(client.listUsers({ query: { q } }));
    expect(total).to.equal(1);
    return data[0].id;
  };
  const createCustomer = async () => {
    const { gatewayUrl } = platform();
    const auth = createAuthClient(gatewayUrl, CUSTOMER);
    const lastName = uniqueWord();
    const account = await auth.createAccount({ email: uniqueEmail(), firstName: 'Ada', lastName });
    await auth.openDevice(account);
    return { ...account, name: `Ada ${lastName}` };
  };

  task('sessions and last sign-in of a user whose name is known', 3, async () => {
    const { name, userId } = await createCustomer();
    const id = await findUser(name);
    expect(id).to.equal(userId);
    const { lastSignInAt } = await bodyOf(client.getUser({ id }));
    const { data } = await bodyOf(client.listSessionsOfUser({ id }));
    expect(data[0].signedInAt).to.equal(lastSignInAt);
  });

  task('block a user, with the reason', 3, async () => {
    const { email } = await createCustomer();
    const id = await findUser(email);
    await bodyOf(client.blockUser({ id }));
    await bodyOf(client.addUserNote({ id, body: { text: 'Sends advertising to teams' } }));
  });

  task('why a user is blocked', 2, async () => {
    const { email, userId } = await createCustomer();
    await bodyOf(preparing.blockUser({ id: userId }));
    await bodyOf(preparing.addUserNote({ id: userId, body: { text: 'Advertising' } }));
    const { data } = await bodyOf(client.listUserNotes({ id: await findUser(email) }));
    expect(data[0].text).to.equal('Advertising');
  });

  task('a role for a colleague who has an account', 2, async () => {
    const { email, userId } = await createCustomer();
    await platform().records.verifyEmail(userId);
    const id = await findUser(email);
    const { roles } = await bodyOf(client.assignPlatformRole({ id, body: { role: 'OPERATOR' } }));
    expect(roles).to.include('OPERATOR');
  });

  task('invite a new colleague, who chooses the password', 1, async () => {
    const email = uniqueEmail();
    const { role } = await bodyOf(client.invite({ body: { email, role: 'OPERATOR' } }));
    expect(role).to.equal('OPERATOR');
    const inbox = createInboxClient(platform().stack.inboxUrl);
    await waitFor('the invitation arrives', async () => (await inbox.mailsTo(email)).length === 1);
  });

  task('delete an account that its owner asks to be deleted', 2, async () => {
    const { email } = await createCustomer();
    await bodyOf(client.deleteUser({ id: await findUser(email) }));
  });

  task('answer a contact form and mark it as done', 2, async () => {
    const message = uniqueWord();
    const form = { email: uniqueEmail(), subject: 'Help', message };
    await bodyOf(preparing.submitSupportRequest({ body: form }));
    const { data } = await bodyOf(client.listContactRequests({ query: { kind: 'support', isDone: false } }));
    const { id } = data.find((each: { message: string }) => each.message === message);
    const { doneBy } = await bodyOf(client.editContactRequest({ id, body: { isDone: true } }));
    expect(doneBy.email).to.match(/@/);
  });

  task('why a mail failed, and send it again', 2, async () => {
    const failed = await platform().records.failedMail();
    const { data } = await bodyOf(client.listMails({ query: { state: 'failed' } }));
    const { id, failure } = data.find((mail: { id: string }) => mail.id === failed);
    expect(failure).to.equal('Rejected: 550');
    await bodyOf(client.retryMail({ id }));
    const isSent = async () =>
      (await platform().records.query('select id from mail_outbox where id = $1', [id])).length === 0;
    await waitFor('the mail is sent', isSent);
  });

  task('restore a deleted project of which the title is known', 2, async () => {
    const title = uniqueWord();
    await platform().records.project({ title, deletedAt: new Date() });
    const { data } = await bodyOf(client.listDeletedProjects({ query: { search: title } }));
    const { deletedAt } = await bodyOf(client.restoreProject({ id: data[0].id }));
    expect(deletedAt).to.equal(null);
  });

  task('who the members of a team are', 3, async () => {
    const { records } = platform();
    const name = uniqueWord();
    const employee = await records.user(['EMPLOYEE']);
    await records.member(await records.team({ name }), { employeeId: employee.employeeId });
    const found = await bodyOf(client.listTeams({ query: { search: name } }));
    const { members } = await bodyOf(client.getTeam({ teamId: found.data[0].id }));
    const id = members.map(({ employeeId }: { employeeId: string }) => employeeId);
    const { data } = await bodyOf(client.listEmployees({ query: { id } }));
    expect(data.map(({ email }: { email: string }) => email)).to.deep.equal([employee.email]);
  });

  task('what a user did and what was done to the user', 2, async () => {
    const { email, userId } = await createCustomer();
    await bodyOf(preparing.blockUser({ id: userId }));
    const { data } = await bodyOf(client.listAuditLog({ query: { userId: await findUser(email) } }));
    const actions = data.map(({ action }: { action: string }) => action);
    expect(actions).to.have.ordered.members(['USER_BLOCKED', 'SIGNED_IN', 'ACCOUNT_REGISTERED']);
  });
});
