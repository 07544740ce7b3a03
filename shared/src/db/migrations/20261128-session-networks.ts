import type { Knex } from 'knex';

// Same format as toClientSubnet() in shared/src/http/client-address.ts: the IPv4 address, or the /64 prefix of an IPv6 address.
// inet_send puts four bytes before the address. A value that is not an address stays unchanged: it must not fail the migration.
const group = (index: number): string =>
  `to_hex(('x' || substr(encode(inet_send(plain::inet), 'hex'), ${9 + 4 * index}, 4))::bit(16)::int)`;
const CLIENT_SUBNET = `
  create function pg_temp.client_subnet(address text) returns text language plpgsql as $$
    declare
      plain text := regexp_replace(address, '^::ffff:(\\d+\\.)|%.*$', '\\1', 'gi');
    begin
      if plain not like '%:%' then
        return plain;
      end if;
      return concat_ws(':', ${[0, 1, 2, 3].map(group)}) || '::/64';
    exception when invalid_text_representation then
      return plain;
    end
  $$;`;

// The foreign key comes after the rows: it locks sessions against sign-ins until the migration has ended.
const TABLE = `
  create table session_networks (
    session_id uuid not null,
    network text not null,
    last_seen timestamptz not null default now()
  );
  insert into session_networks (session_id, network, last_seen)
    select id, pg_temp.client_subnet(ip), updated_at from sessions;
  drop function pg_temp.client_subnet;
  alter table session_networks add primary key (session_id, network);
  alter table session_networks add foreign key (session_id) references sessions on delete cascade;`;

// The previous release calls open_session without a network, so this one is an overload. It keeps the newest 20 networks
// of a session: a roaming device must not add rows without limit.
export const OPEN_SESSION = `
  create function open_session(
    owner uuid, checked_hash text, device text, address text,
    access_id uuid, access_end timestamptz, refresh_id uuid, refresh_end timestamptz, client_network text
  ) returns setof sessions language plpgsql as $$
    declare
      opened sessions;
    begin
      select * into opened
        from open_session(owner, checked_hash, device, address, access_id, access_end, refresh_id, refresh_end);
      if not found then
        return;
      end if;
      insert into session_networks (session_id, network) values (opened.id, client_network)
        on conflict (session_id, network) do update set last_seen = now();
      delete from session_networks where session_id = opened.id and network in (
        select network from session_networks where session_id = opened.id order by last_seen desc offset 20
      );
      return next opened;
    end
  $$;`;

/** The client networks of each session's sign-ins: above the account limit of failures, only these may still sign in. */
export const up = (db: Knex): Promise<void> => db.schema.raw(CLIENT_SUBNET + TABLE + OPEN_SESSION);

export const down = (db: Knex): Promise<void> =>
  db.schema.raw(`
    drop function open_session(uuid, text, text, text, uuid, timestamptz, uuid, timestamptz, text);
    drop table session_networks;
  `);
