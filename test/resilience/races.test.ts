// Concurrent requests to one resource through the gateway, 200 rounds of each race.
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expectNoFailures, type StackWatch, watchStack } from '@platform/shared/testing/watch-processes';
import {
  createAdminDeletionRace,
  createAssignBlockRace,
  createAssignDeleteRace,
  createAssignmentRace,
  createAssignSignUpRace,
  createNoteRace,
  OWNER_ACTIONS,
} from './races/back-office.ts';
import { createDeleteContactRace, createDeleteRefreshRace } from './races/deletions.ts';
import { createFixture, type Race } from './races/fixture.ts';
import { createIntrospectionRace, SESSION_ENDINGS } from './races/introspection.ts';
import {
  createAcceptanceSignUpRace,
  createAcceptanceVerificationRace,
  createInvitationEndingRace,
  createTwoAcceptancesRace,
  INVITATION_ENDINGS,
} from './races/invitations.ts';
import { createLostPowerRace, LOSSES } from './races/lost-power.ts';
import {
  createFewWrongCodesRace,
  createManyWrongCodesRace,
  createSameCodeRace,
  prepareSignIn,
} from './races/mailed-codes.ts';
import { createAddressNoticeRace, createContactInboxRace } from './races/mails.ts';
import { createLinkRace, createProviderDeletionRace } from './races/provider-endings.ts';
import { type ProviderRaceFixture, startProvider, withProvider } from './races/provider-fixture.ts';
import { createRefreshRace, createReusedRace, createSupersededRace, STAYING } from './races/refreshes.ts';
import { RACE_MILLISECONDS, runRace } from './races/run-race.ts';
import { SERVICE_RACES } from './races/service-writes.ts';

const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn', ...SERVICE_ENVIRONMENT };

const RACES: Record<string, (fixture: ProviderRaceFixture) => Race | Promise<Race>> = {
  'two refreshes with one token': createRefreshRace(2),
  'twenty refreshes with one token': createRefreshRace(20),
  'refreshes with a superseded token': createSupersededRace(),
  'refreshes with a reused token': createReusedRace(),
  'twenty refreshes of a session that stays signed in': createRefreshRace(20, STAYING),
  'refreshes with a superseded token of a session that stays signed in': createSupersededRace(STAYING),
  'refreshes with a reused token of a session that stays signed in': createReusedRace(STAYING),
  'sign-ins with one mailed code': createSameCodeRace(prepareSignIn),
  'a mailed code among four wrong ones': createFewWrongCodesRace(prepareSignIn),
  'ten wrong codes before a mailed one': createManyWrongCodesRace(prepareSignIn),
  'deletion against refresh': createDeleteRefreshRace,
  'deletion against contact form': createDeleteContactRace,
  'deletion with the address of CONTACT_INBOX against contact forms': createContactInboxRace,
  'deletion against the notice of a changed address': createAddressNoticeRace,
  'link against first sign-in of the identity': createLinkRace,
  'deletion against sign-in with a provider': createProviderDeletionRace,
  'two assignments of a role': createAssignmentRace,
  'assignment of a role against block': createAssignBlockRace,
  'assignment of a role against deletion': createAssignDeleteRace,
  'assignment of a role against sign-up of the same address': createAssignSignUpRace,
  'notes against deletion': createNoteRace,
  'two acceptances of an invitation': createTwoAcceptancesRace,
  'acceptance of an invitation against sign-up': createAcceptanceSignUpRace,
  'acceptance of an invitation against verification of the address': createAcceptanceVerificationRace,
  ...Object.fromEntries(
    Object.entries(INVITATION_ENDINGS).map(([name, prepareEnd]) => [
      `acceptance of an invitation against ${name}`,
      createInvitationEndingRace(prepareEnd),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(OWNER_ACTIONS).map(([name, act]) => [
      `deletion by an ADMIN against ${name}`,
      createAdminDeletionRace(act),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(LOSSES).map(([name, prepare]) => [
      `changes by an ADMIN against ${name}`,
      createLostPowerRace(prepare),
    ]),
  ),
  ...SERVICE_RACES,
  ...Object.fromEntries(
    Object.entries(SESSION_ENDINGS).map(([name, prepare]) => [
      `${name} against introspection`,
      createIntrospectionRace(prepare),
    ]),
  ),
};

describe('race', () => {
  let provider: ProviderRaceFixture['provider'];
  let running: RunningStack;
  let watching: StackWatch;
  let fixture: ProviderRaceFixture;

  before('start a provider and a stack', async () => {
    provider = await startProvider();
    running = await startStack({ ...ENVIRONMENT, ...provider.environment });
    watching = watchStack(running);
    fixture = withProvider(createFixture(running.stack), provider);
  });
  after('stop both', async () => {
    await fixture?.close();
    await running?.stop();
    await provider?.stop();
  });

  for (const [name, create] of Object.entries(RACES))
    it(`${name} holds its invariants`, async () => runRace(await create(fixture))).timeout(RACE_MILLISECONDS);

  it('leaves every process running, with its metrics', async () => expectNoFailures(await watching.stop()));
});
