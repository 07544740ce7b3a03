'use client';

import { createPlatformClient, isPlatformError } from '@platform/client';
import { usePlatformSession } from '@platform/client/react';
import { type FormEvent, useState } from 'react';

/**
 * The client of the browser. This module is also loaded on the server, where all requests share it, so it must be called in
 * effects and event handlers only, which never run there.
 */
const platform = createPlatformClient({ gatewayUrl: '', kind: 'customer' });

const SignInForm = () => {
  const [error, setError] = useState('');
  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    try {
      await platform.signIn({ email: String(fields.get('email')), password: String(fields.get('password')) });
    } catch (failure) {
      setError(isPlatformError(failure) ? failure.code : String(failure));
    }
  };
  return (
    <form onSubmit={signIn}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit">Sign in</button>
      <p role="alert">{error}</p>
    </form>
  );
};

const Devices = () => {
  const [count, setCount] = useState<number>();
  const load = async () => setCount((await platform.listSessions()).length);
  return (
    <p>
      <button type="button" onClick={load}>
        Signed-in devices
      </button>
      <output>{count}</output>
    </p>
  );
};

export const Account = () => {
  // On the server and until the page is hydrated the status is unknown.
  const { status, user } = usePlatformSession(platform);
  if (status === 'unknown') return <p>Loading …</p>;
  if (status === 'signed-out') return <SignInForm />;
  return (
    <section>
      <h2>{user.email}</h2>
      <Devices />
      <button type="button" onClick={() => platform.signOut()}>
        Sign out
      </button>
    </section>
  );
};
