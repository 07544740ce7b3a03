import { useMutation } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { CONTINUE } from './continue-words.ts';
import { useGoOn } from './go-on.ts';

/** For somebody who is signed in already. */
export const Continue = ({ email }: { email: string }) => {
  const words = useWords(CONTINUE);
  const { client } = usePlatform();
  const goOn = useGoOn();
  // The session may have ended, and the page that the person comes from would send them back.
  const check = useMutation({ mutationFn: () => client.me(), onSuccess: () => goOn() });
  const signOut = useMutation({ mutationFn: () => client.signOut() });
  return (
    <>
      <p>{words.signedInAs(email)}</p>
      <ErrorNotice error={check.error ?? signOut.error} />
      <div className="stack-small">
        <Button
          look="main"
          isWide
          isBusy={check.isPending}
          busyLabel={words.goingOn}
          onClick={() => check.mutate()}
        >
          {words.goOn}
        </Button>
        <Button
          isWide
          isBusy={signOut.isPending}
          busyLabel={words.signingOut}
          onClick={() => signOut.mutate()}
        >
          {words.useAnother}
        </Button>
      </div>
    </>
  );
};
