-- The address of a user and the language of the user's mails, while the address is verified. This is a function
-- with the rights of the owner, because mailer-worker may not read the addresses of users.
create or replace function find_mail_recipient(owner uuid) returns table (email text, language text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select u.email, u.language from users u where u.id = owner and u.is_email_verified and u.deleted_at is null
$$;
