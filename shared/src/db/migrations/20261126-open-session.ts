import type { Knex } from 'knex';

export const OPEN_SESSION = `
  create function open_session(
    owner uuid, checked_hash text, device text, address text,
    access_id uuid, access_end timestamptz, refresh_id uuid, refresh_end timestamptz
  ) returns setof sessions language plpgsql as $$
    declare
      old_token uuid;
      new_token uuid;
    begin
      perform 1 from users where id = owner and password_hash = checked_hash and not is_blocked for no key update;
      if not found then
        return;
      end if;
      select token_id into old_token from sessions where user_id = owner and fingerprint = device;
      insert into token_records
          (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
        values (owner, access_id, access_end, refresh_id, refresh_end) returning id into new_token;
      return query insert into sessions (user_id, token_id, fingerprint, ip) values (owner, new_token, device, address)
        on conflict (user_id, fingerprint) do update
          set token_id = excluded.token_id, ip = excluded.ip, updated_at = now()
        returning *;
      delete from token_records where id = old_token;
    end
  $$;`;

/**
 * The writes of a sign-in in one round trip. A function rather than one statement, because each of its statements has its
 * own snapshot: a sign-in that waited for another one of the same device sees, and removes, the other's tokens.
 */
export const up = (db: Knex): Promise<void> => db.schema.raw(OPEN_SESSION);

export const down = (db: Knex): Promise<void> => db.schema.raw('drop function open_session;');
