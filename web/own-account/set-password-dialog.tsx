import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useSayStatus } from '../components/status.tsx';
import { useSignedIn } from '../session/session-gate.tsx';
import { NewPasswordForm } from '../signing-in/forgotten-password.tsx';
import type { SecondStep } from '../signing-in/second-step.ts';
import { SecondStepForm } from '../signing-in/second-step-form.tsx';
import { useStaySignedIn } from '../signing-in/stay-signed-in.ts';
import { SIGNING_IN } from '../words/signing-in.ts';
import { useWords } from '../words/words.ts';
import { OWN_ACCOUNT } from './words.ts';

const ignore = () => undefined;

/**
 * Mails a code, and sets the first password of an account with it. That ends all sessions, so the form signs in with
 * the new password.
 */
export const SetPasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const words = { ...useWords(OWN_ACCOUNT), ...useWords(SIGNING_IN) };
  const { user } = useSignedIn();
  const { stay } = useStaySignedIn(true);
  const say = useSayStatus();
  const [step, setStep] = useState<SecondStep>();
  const queries = useQueryClient();
  const finish = (): void => {
    // The account has a password now, and other sessions.
    void queries.invalidateQueries();
    say(words.passwordSet);
    onClose();
  };
  return (
    <Dialog title={step ? words.secondStep : words.setPassword} isOpen onClose={onClose}>
      {step ? (
        <SecondStepForm step={step} onDone={finish} onRestart={onClose} onError={ignore} />
      ) : (
        <NewPasswordForm
          email={user.email}
          stay={stay}
          isOwn
          onSecondStep={setStep}
          onDone={finish}
          onError={ignore}
        />
      )}
    </Dialog>
  );
};
