import { Button } from '../components/button.tsx';
import { CancelButton, Dialog } from '../components/dialogs/dialog.tsx';
import { useSayStatus } from '../components/status.tsx';
import { pageState } from '../page/page-state.ts';
import { hasUnsaved } from '../session/drafts.ts';
import { forgetPerson } from '../session/forget-person.ts';
import { usePlatform } from '../session/platform.ts';
import type { SignInAgainProps } from '../session/session-gate.tsx';
import { COMMON } from '../words/common.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { Person } from './person.tsx';
import { SignIn } from './sign-in.tsx';
import { SIGN_IN_AGAIN } from './sign-in-again-words.ts';

type NamedProps = SignInAgainProps & {
  /** The name that the page shows: without a session, it cannot be loaded. */
  name: string | undefined;
};

/** A dialog over the page whose session has expired, or that needs a fresh sign-in as a proof. */
export const SignInAgain = ({ email, name, onCancel, onDone }: NamedProps) => {
  const words = useWords(SIGN_IN_AGAIN);
  const { signInAgain } = useWords(SIGNING_IN);
  const { client } = usePlatform();
  const { notSaved, useAnother } = useWords(COMMON);
  const say = useSayStatus();
  const finish = (): void => {
    onDone();
    if (onCancel || !hasUnsaved()) return;
    // The page says it, and so does a dialog over it.
    say(notSaved);
    pageState.set({ hasOutlived: true });
  };
  const switchAccount = async () => {
    await client.signOut({ localOnly: true });
    // The session may have ended already. Whoever signs in next gets an empty page.
    forgetPerson();
    window.location.reload();
  };
  return (
    <SignIn
      fixedEmail={email}
      intro={
        <>
          <p className="muted">{onCancel ? words.signInAgainProof : words.endedText}</p>
          <Person email={email} name={name} />
        </>
      }
      {...(!onCancel && { title: words.ended, submit: signInAgain })}
      wrongHint={() => words.endedFailed}
      noRole={words.noRole}
      onDone={finish}
      frame={(title, content) => (
        <Dialog title={title} isOpen onClose={onCancel} isCovering={!onCancel}>
          {content}
          <div className="row">
            {onCancel && <CancelButton onClick={onCancel} />}
            <Button look="link" onClick={() => void switchAccount()}>
              {useAnother}
            </Button>
          </div>
        </Dialog>
      )}
    />
  );
};
