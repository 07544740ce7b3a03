import { isDeepStrictEqual } from 'node:util';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Check, Probe } from '../probe.ts';
import { type AccountState, requireDevice, sendAs } from './account-state.ts';
import { checkAuthorization, listProviders, toRedirectUri } from './providers.ts';

type Thing = Record<string, unknown> & { id: string };

const listIds = (things: readonly Thing[] | undefined): string =>
  (things ?? [])
    .map(({ id }) => id)
    .sort()
    .join();

/** Reads the identities of an account that signs in with its password. */
export const identitiesCheck = (state: AccountState): Check => ({
  name: 'identities: the list, and that the account has a password',
  run: async (probe) => {
    const response = await sendAs(state, probe, 'GET', '/identities');
    probe.expect(response, 200);
    probe.check(response.body?.hasPassword === true, '/hasPassword is not true', response);
  },
});

const linkCheck = (state: AccountState, origin: string | undefined): Check => ({
  name: 'identities: the address of a provider to link one, with PKCE; 400 CURRENT_PASSWORD_WRONG for a wrong password',
  operations: new RegExp(`^${state.kind.kind}(?:IdentityAuthorize|OidcAuthorize)$`),
  run: async (probe) => {
    const redirectUri = toRedirectUri(origin, probe);
    for (const id of await listProviders(probe, state.kind)) {
      const send = (currentPassword: string) =>
        sendAs(state, probe, 'POST', `/identities/${id}/authorize`, { redirectUri, currentPassword });
      probe.expect(await send('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
      checkAuthorization(probe, await send(state.password), redirectUri);
    }
  },
});

const profileCheck = (state: AccountState): Check => ({
  name: 'profile: a change sets what is sent and clears null; an empty one changes nothing',
  run: async (probe) => {
    const patch = (body: object) => sendAs(state, probe, 'PATCH', '/profile', body);
    const changed = await patch({ lastName: 'Changed', phone: null });
    probe.expect(changed, 200);
    const { lastName, phone, updatedAt } = Object(changed.body?.profile);
    probe.check(lastName === 'Changed' && phone === null, 'the profile has not changed', changed);
    const same = await patch({});
    probe.expect(same, 200);
    probe.check(same.body?.profile?.updatedAt === updatedAt, '/profile/updatedAt has changed', same);
    await probe.auth(state.kind).me(requireDevice(state, probe));
  },
});

/** The parts of an export, and where the same things are shown. */
const checkParts = (probe: Probe, response: HttpResponse, shown: Record<string, HttpResponse>): void => {
  const { user, profiles, sessions, identities, secondFactor, auditRecords } = Object(response.body);
  const { me, sessions: sessionList, identities: identityList, secondFactor: factors } = shown;
  const listed: Thing[] = sessionList?.body?.data ?? [];
  const isOwn = ({ actorId, targetId }: Thing) => [actorId, targetId].includes(user?.id);
  const profileId = Object.values<Thing | null>(Object(profiles)).find((each) => each !== null)?.id;
  for (const [part, holds] of Object.entries({
    user: user?.id === me?.body?.user?.id && user?.email === me?.body?.user?.email,
    profiles: profileId === me?.body?.profile?.id,
    sessions: listed.every(({ id }) => listIds(sessions).includes(id)),
    identities: listIds(identities) === listIds(identityList?.body?.data),
    secondFactor: isDeepStrictEqual(secondFactor, factors?.body),
    auditRecords: auditRecords?.length > 0 && auditRecords.every(isOwn),
  }))
    probe.check(holds, `/${part} is not that of the account`, response);
};

const exportCheck = (state: AccountState): Check => ({
  name: 'export: the user, profile, sessions, identities, second factors and audit records of the account',
  run: async (probe) => {
    const get = (route: string) => sendAs(state, probe, 'GET', route);
    const response = await get('/account/export');
    probe.expect(response, 200);
    checkParts(probe, response, {
      me: await get('/me'),
      sessions: await get('/sessions'),
      identities: await get('/identities'),
      secondFactor: await get('/second-factor'),
    });
  },
});

/** What a user that the checks have created does with the own account. */
export const ownAccountChecks = (state: AccountState, origin: string | undefined): Check[] => [
  ...(state.kind.kind === 'administrator' ? [] : [profileCheck(state)]),
  linkCheck(state, origin),
  exportCheck(state),
];
