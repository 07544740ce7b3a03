import { createBatchLoader } from '@platform/shared/db/batch-loader';
import { type Database, query } from '@platform/shared/db/database';
import type { Language } from '@platform/shared/mail/mail';
import type { TokenSubject } from '../accounts/account.ts';
import { profileJoin, ROLES_COLUMN } from '../accounts/account-mapper.ts';
import { forEachKind, type Kind } from '../kinds.ts';
import type { SessionIdentifiers, TokenPairIds } from './session.ts';

/** One rotation: the presented and the newest token with their checks, and what replaces the newest one. */
type Rotation = SessionIdentifiers &
  TokenPairIds & { presentedId: string; currentId: string; userId: string };

type ExpiryTimes = Pick<TokenPairIds, 'accessTokenExpiredAt' | 'refreshTokenExpiredAt'>;

/** What the new tokens are signed with. */
type Rotated = ExpiryTimes & { subject: TokenSubject; sessionId: string; language: Language };

type RotatedRow = Omit<Rotated, 'subject'> & { key: string; roles: string[]; profileId: string | null };

const SESSION_END = 't.created_at + make_interval(secs => $10::float8)';

// Compare and swap: of several requests with one token, only the first finds it current. An older one may take its place while no
// request has used it: the response with it was lost.
const rotation = (kind: Kind, lock: 'for update of t' | 'for update of t skip locked') => `
  with current_tokens as (
    select t.id, ${ROLES_COLUMN}, u.language, p.id as profile_id, s.id as session_id, ${SESSION_END} as session_end,
      r.presented_id, r.new_access_token_id, r.new_access_token_end, r.new_refresh_token_id, r.new_refresh_token_end
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::timestamptz[], $8::uuid[],
      $9::timestamptz[])
      r (presented_id, current_id, user_id, fingerprint, session_id, new_access_token_id, new_access_token_end,
        new_refresh_token_id, new_refresh_token_end)
    join token_records t on t.refresh_token_id = r.current_id and t.user_id = r.user_id
      and (r.presented_id = r.current_id or not t.is_used)
    join users u on u.id = t.user_id and not u.is_blocked ${profileJoin(kind)}
    join sessions s on s.token_id = t.id and s.fingerprint = r.fingerprint and s.id = coalesce(r.session_id, s.id)
    where coalesce(${SESSION_END} >= now(), true)
    ${lock}
  ), rotated as (
    update token_records t
    set access_token_id = c.new_access_token_id, access_token_expired_at = least(c.new_access_token_end, c.session_end),
      refresh_token_id = c.new_refresh_token_id, refresh_token_expired_at = least(c.new_refresh_token_end, c.session_end),
      previous_refresh_token_id = c.presented_id, refreshed_at = now(), is_used = false
    from current_tokens c
    where t.id = c.id
    returning c.*, t.access_token_expired_at, t.refresh_token_expired_at
  )
  select new_access_token_id as key, roles, language, profile_id, session_id, access_token_expired_at, refresh_token_expired_at
  from rotated`;

/**
 * Exchanges a session's current refresh token, with all of its checks. One statement serves all requests that arrive in the
 * same turn of the event loop, so do not use it within a transaction. The expiry times of the new tokens are limited to the end
 * of the session, `maxAgeSeconds` after the sign-in; undefined sets no limit.
 */
export const createTokenRotation = (database: Database, maxAgeSeconds: number | undefined) => {
  const rotations = forEachKind((kind) => {
    // A batch that waited for a lock would delay all of its requests, and two batches could wait for each other.
    const batch = { name: `rotate-tokens-${kind}`, text: rotation(kind, 'for update of t skip locked') };
    const single = { name: `rotate-locked-token-${kind}`, text: rotation(kind, 'for update of t') };
    const run = (statement: typeof batch, requested: readonly Rotation[]) => {
      const column = (name: keyof Rotation) => requested.map((each) => each[name]);
      const values = [
        column('presentedId'),
        column('currentId'),
        column('userId'),
        column('fingerprint'),
        column('sessionId'),
        column('accessTokenId'),
        column('accessTokenExpiredAt'),
        column('refreshTokenId'),
        column('refreshTokenExpiredAt'),
        maxAgeSeconds,
      ];
      return query<RotatedRow>(database, { ...statement, values });
    };
    const rotateInBatch = createBatchLoader(
      // Requests with one token have the same new refresh token.
      ({ accessTokenId }: Rotation) => accessTokenId,
      (requested) => run(batch, requested),
    );
    return async (requested: Rotation): Promise<RotatedRow | undefined> =>
      (await rotateInBatch(requested)) ?? (await run(single, [requested]))[0];
  });
  /** Undefined when any check fails. */
  return async (kind: Kind, requested: Rotation): Promise<Rotated | undefined> => {
    const row = await rotations[kind](requested);
    if (!row) return undefined;
    const { key: _key, roles, profileId, ...rotated } = row;
    const profile = profileId === null ? null : { id: profileId };
    const subject = { userId: requested.userId, roles, profile };
    return { subject, ...rotated };
  };
};

export type RotateTokens = ReturnType<typeof createTokenRotation>;
