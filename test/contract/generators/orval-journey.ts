import { expect } from 'chai';
import * as platform from '../.generated/orval/platform.ts';
import { type ClientJourneys, expectTime, type JourneyFixture, readCookie, UNKNOWN_ID } from './journey.ts';
import { connect } from './orval-fetch.ts';

/** Narrows the response of a call by its status. */
const expectStatus = <Response extends { status: number }, Status extends Response['status']>(
  response: Response,
  status: Status,
): Extract<Response, { status: Status }> => {
  expect(response.status).to.equal(status);
  return response as Extract<Response, { status: Status }>;
};

/** Compiles only while `kind` discriminates the accounts. */
const readLink = (account: platform.UserAuthResponseDto): string => {
  // @ts-expect-error: an account of another kind has no such field.
  const link: string | undefined = account.user.customerId;
  if (account.kind !== 'customer') expect(link).to.equal(undefined);
  switch (account.kind) {
    case 'customer':
      return account.user.customerId;
    case 'employee':
      return account.user.employeeId;
    case 'administrator':
      return account.user.platformRole ?? '';
  }
};

const DEVICE = { 'X-Fingerprint': 'orval' };
const withToken = (token: string) => ({ headers: { ...DEVICE, Authorization: `Bearer ${token}` } });
type Call = ReturnType<typeof withToken>;

const verifyEmail = async (call: Call, code: Promise<string>): Promise<void> => {
  await platform.customerVerificationEmailCodeCheck({ code: await code }, call);
  const checked = expectStatus(await platform.customerVerificationEmailCheck(call), 200);
  expect(checked.data.verified).to.equal(true);
};

const runCustomerJourney = async (fixture: JourneyFixture): Promise<void> => {
  connect(fixture);
  const { email } = fixture.customer;
  const { user, profile } = expectStatus(await platform.customerSignUp(fixture.customer), 201).data;
  expectTime(user.createdAt);
  const response = await platform.customerSignIn(fixture.customer, { headers: DEVICE });
  const signedIn = expectStatus(response, 200);
  const call = withToken(signedIn.data.token);
  const me = expectStatus(await platform.customerMe(call), 200).data;
  expect(me.user.customerId).to.equal(profile.id);
  expect(readLink(expectStatus(await platform.universalMe(call), 200).data)).to.equal(profile.id);

  const sent = expectStatus(await platform.customerVerificationEmailCode(call), 200);
  expect(sent.data.expiresIn).to.equal(900);
  await verifyEmail(call, fixture.readCode(email));

  const refreshToken = readCookie(signedIn, 'CustomerRefreshToken');
  const headers = {
    ...DEVICE,
    'X-Session-Id': signedIn.data.session.id,
    Cookie: `CustomerRefreshToken=${refreshToken}`,
  };
  const refreshed = expectStatus(await platform.customerRefreshToken({ headers }), 200);
  expectStatus(await platform.customerSignOut(withToken(refreshed.data.token)), 204);
};

const editProjects = async (call: Call, id: string): Promise<void> => {
  const edited = expectStatus(await platform.editProject(id, { title: 'Edited' }, call), 200).data;
  expect(edited).to.include({ id, title: 'Edited' });
  expectStatus(await platform.deleteProject(id, {}, call), 204);
  const restored = expectStatus(await platform.restoreProject(id, {}, call), 200).data;
  expect(restored.deletedAt).to.equal(null);
  const page = expectStatus(await platform.listProjects({ status: 'DRAFT', perPage: 1 }, call), 200).data;
  expectTime(page.data[0]?.createdAt ?? '');
};

const blockUsers = async (call: Call, email: string): Promise<string> => {
  const filter = { search: email, role: 'CUSTOMER', isBlocked: false } as const;
  const page = expectStatus(await platform.listUsers(filter, call), 200).data;
  const id = page.data[0]?.id ?? '';
  const user = expectStatus(await platform.getUser(id, call), 200).data;
  expect(user).to.include({ email, isBlocked: false });
  const blocked = expectStatus(await platform.blockUser(id, {}, call), 200);
  expect(blocked.data.message).to.equal('User has been blocked');
  expectStatus(await platform.unblockUser(id, {}, call), 200);
  return id;
};

const verifyTeams = async (call: Call, teamId: string): Promise<void> => {
  const teams = expectStatus(await platform.listTeams({ status: 'ONBOARDING' }, call), 200).data;
  expect(teams.data.map(({ id }) => id)).to.include(teamId);
  expectStatus(await platform.verifyTeam(teamId, {}, call), 201);
  const team = expectStatus(await platform.getTeam(teamId, call), 200).data;
  expectTime(team.verifiedAt ?? '');
};

const signInAdministrator = async ({ administrator }: JourneyFixture): Promise<Call> => {
  const signedIn = await platform.administratorSignIn(administrator, { headers: DEVICE });
  return withToken(expectStatus(signedIn, 200).data.token);
};

const runAdministratorJourney = async (fixture: JourneyFixture): Promise<void> => {
  connect(fixture);
  const call = await signInAdministrator(fixture);
  expect(readLink(expectStatus(await platform.universalMe(call), 200).data)).to.equal('ADMIN');
  const targetId = await blockUsers(call, fixture.customer.email);
  await editProjects(call, fixture.projectId);
  await verifyTeams(call, fixture.teamId);
  const log = await platform.listAuditLog({ targetId, action: 'USER_BLOCKED' }, call);
  expect(expectStatus(log, 200).data.data).to.have.length(1);
  const contact = { email: fixture.customer.email, subject: 'Help', message: 'Please.' };
  expectStatus(await platform.submitSupportRequest(contact), 204);
};

const runErrorJourney = async (fixture: JourneyFixture): Promise<void> => {
  connect(fixture);
  const account = { email: fixture.customer.email, password: 'Battery staple 2' };
  const signedIn = await platform.customerSignIn(account, { headers: DEVICE });
  const rejected: platform.ErrorResponse = expectStatus(signedIn, 401).data;
  expect(rejected.code).to.equal('INVALID_CREDENTIALS');
  const guessable = `other-${account.email}`;
  const signedUp = await platform.customerSignUp({ email: guessable, password: guessable });
  const { details } = expectStatus(signedUp, 400).data;
  expect(details?.map(({ path }) => path)).to.deep.equal(['/body/password']);

  const call = await signInAdministrator(fixture);
  const unknown = expectStatus(await platform.getUser(UNKNOWN_ID, call), 404);
  expect(unknown.data.code).to.equal('USER_NOT_FOUND');
};

export const journeys: ClientJourneys = { runCustomerJourney, runAdministratorJourney, runErrorJourney };
