-- A UUID of version 7, which sorts by creation time: new rows are appended to the end of an index instead of
-- to random pages. This is a function, because it is the default of every id, and PostgreSQL before 18 has no
-- uuidv7(). It has the same layout: 48 bits of milliseconds, the version, 12 bits of the fraction of a
-- millisecond, 62 random bits. It is a single expression, so that Postgres inlines it.
create or replace function new_row_id() returns uuid language sql volatile parallel safe as $$
  select (
    overlay(
      lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0
    ) || right(replace(gen_random_uuid()::text, '-', ''), 16)
  )::uuid
$$;
