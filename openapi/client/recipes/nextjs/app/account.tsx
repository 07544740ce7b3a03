'use client';

import { createPlatformClient, isPlatformError, type SessionSnapshot } from '@platform/client';
import { usePlatformSession } from '@platform/client/react';
import { useActionState, useState } from 'react';

/**
 * The client of the browser. The server loads this module, too, and shares it between all requests. So use
 * the client only in effects and event handlers, which never run on a server.
 */
const platform = createPlatformClient({ gatewayUrl: '', kind: 'customer' });

type SignInState = { email: string; error: string };

const signIn = async (_: SignInState, fields: FormData): Promise<SignInState> => {
  const email = String(fields.get('email'));
  try {
    await platform.signIn({ email, password: String(fields.get('password')) });
    return { email: '', error: '' };
  } catch (failure) {
    return { email, error: isPlatformError(failure) ? failure.code : String(failure) };
  }
};

const SignInForm = () => {
  const [{ email, error }, submit, isPending] = useActionState(signIn, { email: '', error: '' });
  return (
    // With `onSubmit`, a form submitted before hydration would send the password in the URL. React replays an
    // action instead.
    <form action={submit}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" defaultValue={email} required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={isPending}>
        Sign in
      </button>
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

type AccountProps = { initial: SessionSnapshot<'customer'> };

/**
 * The server renders the session in `initial`; after hydration, the browser uses the session of the client.
 */
export const Account = ({ initial }: AccountProps) => {
  const { status, user } = usePlatformSession(platform, { initial });
  // The gateway did not respond to the server in time. The browser knows the session after hydration.
  if (status === 'unknown') return <p>One moment …</p>;
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
