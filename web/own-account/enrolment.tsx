import './sheets.ts';
import { isPasskeyAvailable } from '@platform/client/passkeys';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { SignInCard } from '../components/frame/sign-in-card.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { useScreenFocus } from '../page/navigation.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { useWords } from '../words/words.ts';
import { useEmailDialog } from './email-dialog.tsx';
import { AddPasskey } from './passkey-rows.tsx';
import { useSecondFactor } from './queries.ts';
import { RecoveryCodesProvider, useRecoveryCodes } from './recovery-codes.tsx';
import { SetUpApp } from './set-up-app.tsx';
import { OWN_ACCOUNT } from './words.ts';

const Ways = () => {
  const words = useWords(OWN_ACCOUNT);
  const [isSettingUp, setSettingUp] = useState(false);
  return (
    <div className="stack-small">
      <Button isWide onClick={() => setSettingUp(true)}>
        {words.setUpApp}
      </Button>
      {isPasskeyAvailable() && <AddPasskey button={words.addPasskey} buttonLook="plain" isWide />}
      <SetUpApp isOpen={isSettingUp} onClose={() => setSettingUp(false)} />
    </div>
  );
};

const VerifyFirst = () => {
  const words = useWords(OWN_ACCOUNT);
  const email = useEmailDialog();
  return (
    <>
      <Notice look="warn">{words.verifyFirst}</Notice>
      <Button look="main" isWide onClick={email.verify}>
        {words.verify}
      </Button>
      {email.dialog}
    </>
  );
};

const Content = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const queries = useQueryClient();
  const signOut = useMutation({ mutationFn: () => client.signOut() });
  const { data } = useSecondFactor();
  const codes = useRecoveryCodes();
  const hasFactor = data && (data.totp || data.passkeys.length > 0);
  // The factor is known before its recovery codes are shown.
  const isAdding = useIsMutating() > 0;
  const isDone = hasFactor && !isAdding && !codes.isShown;
  useScreenFocus(words.enrolment);
  useEffect(() => {
    // The reset also forgets that the enrolment is due, and loads what was rejected.
    if (isDone) void queries.resetQueries();
  }, [isDone, queries]);
  return (
    <SignInCard title={words.enrolment}>
      <p>{words.enrolmentHint}</p>
      {user.isEmailVerified ? <Ways /> : <VerifyFirst />}
      <div>
        <Button look="link" mutation={signOut} busyLabel={words.signingOut}>
          {words.signOut}
        </Button>
      </div>
      <ErrorNotice error={signOut.error} />
    </SignInCard>
  );
};

/** All that is open to a person whose role needs a second factor and who has none. */
export const Enrolment = () => (
  <RecoveryCodesProvider>
    <Content />
  </RecoveryCodesProvider>
);
