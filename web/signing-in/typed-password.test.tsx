import { mock } from 'node:test';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, press } from '../testing/screen.ts';
import { signInOrAsk } from './second-step.ts';
import { SignIn } from './sign-in.tsx';
import { hasTypedPassword, keepTypedPassword } from './typed-password.ts';

describe('typed password', () => {
  const EMAIL = 'ada@example.com';
  const CREDENTIALS = { email: EMAIL, password: 'Password123!' };
  const render = (onDone?: () => void) =>
    renderScreen(<SignIn frame={(_title, content) => content} {...(onDone && { onDone })} />);
  const signIn = async () => {
    await fill({ Email: EMAIL, Password: 'Password123!' });
    await press('Sign in');
  };

  it('waits for the page after a sign-in, and is forgotten at sign-out', async () => {
    let isDone = false;
    const { client } = await render(() => {
      isDone = true;
    });
    await signIn();
    await waitFor(() => expect(isDone).to.equal(true));
    expect(hasTypedPassword(EMAIL)).to.equal(true);
    await client.signOut();
    expect(hasTypedPassword(EMAIL)).to.equal(false);
  });

  it('is forgotten at once where no page follows', async () => {
    const { client } = await render();
    await signIn();
    await waitFor(() => expect(client.isSignedIn()).to.equal(true));
    await waitFor(() => expect(hasTypedPassword(EMAIL)).to.equal(false));
  });

  it('is not kept for an administrator', async () => {
    await signInOrAsk(await renderScreen(<p>page</p>, { kind: 'administrator' }), CREDENTIALS);
    expect(hasTypedPassword(EMAIL)).to.equal(false);
  });

  it('is forgotten after ten minutes', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      keepTypedPassword(EMAIL, 'Password123!');
      mock.timers.tick(599_000);
      expect(hasTypedPassword(EMAIL)).to.equal(true);
      mock.timers.tick(1_000);
      expect(hasTypedPassword(EMAIL)).to.equal(false);
    } finally {
      mock.timers.reset();
    }
  });
});
