import { platform } from './page.ts';
import { showAccount } from './security.ts';
import { showSignIn } from './sign-in.ts';

let shownUserId: string | undefined;

/** Called after each change of the session, in this tab or another. */
const show = (): void => {
  const { status, user } = platform.getSnapshot();
  showSignIn(status === 'signed-out');
  if (shownUserId === user?.id) return;
  shownUserId = user?.id;
  showAccount(user?.email);
};

platform.subscribe(show);
show();
