-- Gives a new contact form to the account whose verified address it names. This is a trigger, because instances of
-- the previous release insert forms, too, and has the rights of the owner, because the lock needs them. The lock
-- makes the form wait for a deletion or a change of the address, and these for the form.
create or replace function set_form_account() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    new.user_id := null;
    select id into new.user_id from users where email = lower(new.email) and is_email_verified for share;
    return new;
  end
$$;
