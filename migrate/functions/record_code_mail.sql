-- Records what became of the mail of a code. Does nothing for a deleted account, and makes a deletion wait.
-- This is a function with the rights of the owner, because mailer-worker may not lock users.
create or replace function record_code_mail(code_mail uuid, owner uuid, template text, address text, reason text)
  returns void language sql security definer set search_path = public, pg_temp as $$
  insert into sent_mails (id, user_id, mail, recipient, state, failure)
    select code_mail, id, template, address, case when reason is null then 'sent' else 'failed' end, reason
    from users where id = owner and deleted_at is null for share
    on conflict (id) do update set state = excluded.state, failure = excluded.failure, recorded_at = excluded.recorded_at
$$;
