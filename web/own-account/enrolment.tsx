import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { SignInCard } from '../components/sign-in-card.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { FirstCodes, SetUpApp } from './app-row.tsx';
import { VerifyEmail } from './email-row.tsx';
import { ENROLMENT } from './enrolment-words.ts';
import { AddPasskey } from './passkeys-row.tsx';
import { useSecondFactor } from './queries.ts';

/** All that is open to a person whose role needs a second factor and who has none. */
export const Enrolment = () => {
  const words = useWords(ENROLMENT);
  const common = useWords(COMMON);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const queries = useQueryClient();
  const signOut = useMutation({ mutationFn: () => client.signOut() });
  const { data } = useSecondFactor();
  const [codes, setCodes] = useState<string[]>();
  const hasFactor = data && (data.totp || data.passkeys.length > 0);
  const isDone = hasFactor && !codes;
  useEffect(() => {
    // Also forgets that the enrolment is due, and loads what was rejected.
    if (isDone) void queries.resetQueries();
  }, [isDone, queries]);
  return (
    <SignInCard title={words.enrolment}>
      <p>{words.enrolmentHint}</p>
      {!user.isEmailVerified && <Notice look="warn">{words.verifyFirst}</Notice>}
      {user.isEmailVerified ? (
        <div className="row">
          <SetUpApp onCodes={setCodes} />
          <AddPasskey onCodes={setCodes} />
        </div>
      ) : (
        <VerifyEmail />
      )}
      <FirstCodes codes={codes} onSaved={() => setCodes(undefined)} />
      <div>
        <Button
          look="link"
          isBusy={signOut.isPending}
          busyLabel={common.signingOut}
          onClick={() => signOut.mutate()}
        >
          {common.signOut}
        </Button>
      </div>
      <ErrorNotice error={signOut.error} />
    </SignInCard>
  );
};
