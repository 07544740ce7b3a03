import { isDeepStrictEqual } from 'node:util';
import type { AccountChecks } from './account-state.ts';
import { checkAuthorization, listProviders, toRedirectUri } from './providers.ts';

type Thing = Record<string, unknown> & { id: string };

/** Reads the identities of an account that signs in with its password. */
export const identityReads: AccountChecks = {
  async 'identities: the list, and that the account has a password'({ send, expect, check }) {
    const response = await expect(send('GET', '/identities'), 200);
    check(response.body.hasPassword === true, '/hasPassword is not true', response);
  },
};

export const profileChecks: AccountChecks = {
  async 'profile: a change sets what is sent and clears null; an empty one changes nothing'(signedIn) {
    const { send, expect, check } = signedIn;
    const changed = await expect(send('PATCH', '/profile', { lastName: 'Changed', phone: null }), 200);
    const same = await expect(send('PATCH', '/profile', {}), 200);
    check(isDeepStrictEqual(same.body, changed.body), 'the empty one has changed it', same);
    await expect(send('GET', '/me'), 200);
  },
};

/** Operations of a user that the checks have created on the user's own account. */
export const ownAccountChecks: AccountChecks = {
  async 'identities: the address of a provider to link one, with PKCE, for the password'(probe) {
    probe.covers(/IdentityAuthorize|OidcAuthorize/);
    const { state, send, expect } = probe;
    for (const id of await listProviders(probe, state.kind)) {
      const redirectUri = toRedirectUri(probe, id);
      const authorize = (currentPassword: string) =>
        send('POST', `/identities/${id}/authorize`, { redirectUri, currentPassword });
      await expect(authorize('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
      await checkAuthorization(probe, await authorize(state.password), redirectUri);
    }
  },
  async 'export: the user, profile, sessions, second factors and audit records of the account'(signedIn) {
    const { state, device, send, expect, check } = signedIn;
    const response = await expect(send('GET', '/account/export'), 200);
    const { user, profiles, sessions, secondFactor, auditRecords, nextAuditCursor } = response.body;
    const me = await expect(send('GET', '/me'), 200);
    const factors = await expect(send('GET', '/second-factor'), 200);
    const shownProfiles = Object.values<Thing | null>(profiles).filter((each) => each !== null);
    for (const [part, holds] of Object.entries({
      user: user.id === state.user?.id,
      profiles: shownProfiles[0]?.id === me.body.profile?.id,
      sessions: sessions.some(({ id }: Thing) => id === device.sessionId),
      secondFactor: isDeepStrictEqual(secondFactor, factors.body),
      auditRecords:
        auditRecords.length > 0 &&
        auditRecords.every(({ actorId, targetId }: Thing) => [actorId, targetId].includes(user.id)),
      nextAuditCursor: nextAuditCursor === null,
    }))
      check(holds, `/${part} is not that of the account`, response);
    await expect(send('GET', '/account/export?auditCursor=foreign'), 400, 'VALIDATION_FAILED');
  },
};
