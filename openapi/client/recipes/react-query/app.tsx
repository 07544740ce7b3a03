import { isPlatformError } from '@platform/client';
import { usePlatformSession } from '@platform/client/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { platform } from './platform.ts';

type Credentials = { email: string; password: string };

const describe = (error: unknown): string => {
  if (isPlatformError(error, 'INVALID_CREDENTIALS')) return 'The e-mail or the password is wrong.';
  if (isPlatformError(error, 'RATE_LIMITED')) return `Try again in ${error.retryAfterSeconds} s.`;
  return isPlatformError(error) ? `${error.code} ${error.requestId ?? ''}` : String(error);
};

const SignInForm = ({ reason }: { reason: string | undefined }) => {
  const signIn = useMutation({ mutationFn: (credentials: Credentials) => platform.signIn(credentials) });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    signIn.mutate({ email: String(fields.get('email')), password: String(fields.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      {reason && <p>You were signed out: {reason}</p>}
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={signIn.isPending}>
        Sign in
      </button>
      {signIn.isError && <p role="alert">{describe(signIn.error)}</p>}
    </form>
  );
};

const Account = ({ userId }: { userId: string }) => {
  // The user is part of the key, so that no data of another user is shown.
  const sessions = useQuery({
    queryKey: ['sessions', userId],
    queryFn: ({ signal }) => platform.listSessions({ signal }),
  });
  const signOut = useMutation({ mutationFn: () => platform.signOut() });
  return (
    <section>
      {sessions.isError && <p role="alert">{describe(sessions.error)}</p>}
      <ul aria-label="Sessions">
        {sessions.data?.map(({ id, ip }) => (
          <li key={id}>{ip}</li>
        ))}
      </ul>
      <button type="button" onClick={() => signOut.mutate()}>
        Sign out
      </button>
    </section>
  );
};

export const App = () => {
  const { status, user, reason } = usePlatformSession(platform);
  if (status === 'unknown') return <p>Loading …</p>;
  if (status === 'signed-out') return <SignInForm reason={reason} />;
  return (
    <>
      <h1>{user.email}</h1>
      <Account userId={user.id} />
    </>
  );
};
