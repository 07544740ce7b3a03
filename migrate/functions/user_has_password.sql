-- Whether a user who is not deleted has a password. This is a function with the rights of the owner, because
-- admin-service may not read password hashes.
create or replace function user_has_password(owner uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from users where id = owner and password_hash is not null and deleted_at is null)
$$;
