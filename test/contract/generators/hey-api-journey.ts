import { getCookie } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { type Client, createClient } from '../.generated/hey-api/client/index.ts';
import * as platform from '../.generated/hey-api/sdk.gen.ts';
import type { ErrorResponse, UserAuthResponseDto } from '../.generated/hey-api/types.gen.ts';
import type { ClientJourneys, JourneyFixture } from './journey.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Generated clients type a time as text, so check that `new Date` parses it. */
const expectTime = (time: string): void => {
  expect(new Date(time).toISOString()).to.equal(time);
};

type Tokens = { access?: string; refresh?: string };

const connect = ({ baseUrl, fetch }: JourneyFixture, tokens: Tokens = {}) => {
  const client: Client = createClient({
    baseUrl,
    fetch,
    auth: (scheme) => (scheme.in === 'cookie' ? tokens.refresh : tokens.access),
  });
  return { client, throwOnError: true } as const;
};

/** This compiles only while `kind` discriminates the accounts. */
const readLink = (account: UserAuthResponseDto): string => {
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

const runCustomerJourney = async (fixture: JourneyFixture): Promise<void> => {
  const { email, password } = fixture.customer;
  const tokens: Tokens = {};
  const call = connect(fixture, tokens);
  const headers = { 'X-Fingerprint': 'hey-api' };
  const { data: signedUp } = await platform.customerSignUp({ ...call, body: { email, password } });
  expectTime(signedUp.user.createdAt);
  const signedIn = await platform.customerSignIn({ ...call, headers, body: { email, password } });
  tokens.access = signedIn.data.token;
  const { data: me } = await platform.customerMe({ ...call, headers });
  expect(me.user.customerId).to.equal(signedUp.profile.id);
  expect(readLink((await platform.universalMe(call)).data)).to.equal(signedUp.profile.id);

  const { data: sent } = await platform.customerVerificationEmailCode(call);
  expect(sent.expiresIn).to.equal(900);
  const body = { code: await fixture.readCode(email) };
  await platform.customerVerificationEmailCodeCheck({ ...call, body });
  expect((await platform.customerVerificationEmailCheck(call)).data.verified).to.equal(true);

  // Node's fetch keeps no cookies.
  const cookies = { 'set-cookie': signedIn.response.headers.getSetCookie() };
  tokens.refresh = getCookie({ headers: cookies }, 'CustomerRefreshToken');
  const device = { ...headers, 'X-Session-Id': signedIn.data.session.id };
  tokens.access = (await platform.customerRefreshToken({ ...call, headers: device })).data.token;
  const { response } = await platform.customerSignOut({ ...call, headers });
  expect(response.status).to.equal(204);
};

const editProjects = async (call: ReturnType<typeof connect>, id: string): Promise<void> => {
  const path = { id };
  const { data: edited } = await platform.editProject({ ...call, path, body: { title: 'Edited' } });
  expect(edited).to.include({ id, title: 'Edited' });
  await platform.deleteProject({ ...call, path });
  const { data: restored } = await platform.restoreProject({ ...call, path });
  expect(restored.deletedAt).to.equal(null);
  const { data: page } = await platform.listProjects({ ...call, query: { status: 'DRAFT', perPage: 1 } });
  expectTime(page.data[0]?.createdAt ?? '');
};

const blockUsers = async (call: ReturnType<typeof connect>, email: string): Promise<string> => {
  const query = { search: email, role: 'CUSTOMER', isBlocked: false } as const;
  const { data: page } = await platform.listUsers({ ...call, query });
  const path = { id: page.data[0]?.id ?? '' };
  const { data: user } = await platform.getUser({ ...call, path });
  expect(user).to.include({ email, isBlocked: false });
  expect((await platform.blockUser({ ...call, path })).data.message).to.equal('User has been blocked');
  await platform.unblockUser({ ...call, path });
  return path.id;
};

const verifyTeams = async (call: ReturnType<typeof connect>, teamId: string): Promise<void> => {
  const { data: teams } = await platform.listTeams({ ...call, query: { status: 'ONBOARDING' } });
  expect(teams.data.map(({ id }) => id)).to.include(teamId);
  await platform.verifyTeam({ ...call, path: { teamId } });
  const { data: team } = await platform.getTeam({ ...call, path: { teamId } });
  expectTime(team.verifiedAt ?? '');
};

const runAdministratorJourney = async (fixture: JourneyFixture): Promise<void> => {
  const tokens: Tokens = {};
  const call = connect(fixture, tokens);
  const headers = { 'X-Fingerprint': 'hey-api' };
  const signedIn = await platform.administratorSignIn({ ...call, headers, body: fixture.administrator });
  tokens.access = signedIn.data.token;
  expect(readLink((await platform.universalMe(call)).data)).to.equal('ADMIN');
  const targetId = await blockUsers(call, fixture.customer.email);
  await editProjects(call, fixture.projectId);
  await verifyTeams(call, fixture.teamId);
  const { data: log } = await platform.listAuditLog({ ...call, query: { targetId, action: 'USER_BLOCKED' } });
  expect(log.data).to.have.length(1);
  const contact = { email: fixture.customer.email, subject: 'Help', message: 'Please.' };
  await platform.submitSupportRequest({ ...call, body: contact });
};

const runErrorJourney = async (fixture: JourneyFixture): Promise<void> => {
  const { client } = connect(fixture);
  const body = { email: fixture.customer.email, password: 'Battery staple 2' };
  const signedIn = await platform.customerSignIn({ client, headers: { 'X-Fingerprint': 'hey-api' }, body });
  const rejected: ErrorResponse | undefined = signedIn.error;
  expect(rejected?.code).to.equal('INVALID_CREDENTIALS');
  const guessable = `other-${body.email}`;
  const account = { email: guessable, password: guessable };
  const signedUp = await platform.customerSignUp({ client, body: account });
  expect(signedUp.error?.details?.map(({ path }) => path)).to.deep.equal(['/body/password']);

  const tokens: Tokens = {};
  const { client: office } = connect(fixture, tokens);
  const headers = { 'X-Fingerprint': 'errors' };
  const admin = await platform.administratorSignIn({ client: office, headers, body: fixture.administrator });
  tokens.access = admin.data?.token ?? '';
  const unknown = await platform.getUser({ client: office, path: { id: UNKNOWN_ID } });
  expect(unknown.error?.code).to.equal('USER_NOT_FOUND');
};

export const journeys: ClientJourneys = { runCustomerJourney, runAdministratorJourney, runErrorJourney };
