import type { SignedIn } from './device.ts';
import type { SessionState } from './session-state.ts';

/** The paths whose responses contain the signed-in user: `me`, and a verified or changed e-mail. */
const ABOUT_USER = /\/(me|check)$/;
type AboutUser = Partial<SignedIn> & { verified?: boolean };

/** Updates the stored user and session with what the platform returns. */
export const createUpdate = (state: SessionState) => {
  return (path: string, body: AboutUser | undefined, sessionId: string | undefined): void => {
    const { signedIn } = state.record();
    if (!signedIn || signedIn.session.id !== sessionId || !ABOUT_USER.test(path)) return;
    const { user, session } = signedIn;
    if (body?.user) state.update({ user: body.user, session: body.session ?? session });
    else if (body?.verified) state.update({ user: { ...user, isEmailVerified: true }, session });
  };
};
