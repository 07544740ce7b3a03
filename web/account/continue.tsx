import { isPlatformError } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { FirstPaint } from '../components/frame/first-paint.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useScreenFocus } from '../page/navigation.ts';
import { forgetLinkedCode } from '../session/mailed-code-link.ts';
import { usePlatform } from '../session/platform.ts';
import { Person } from '../signing-in/person.tsx';
import { COMMON } from '../words/common.ts';
import { toFullName } from '../words/full-name.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { CONTINUE } from './continue-words.ts';
import { useGoOn } from './go-on.ts';

type ContinueProps = {
  user: { id: string; email: string };
  isSignUp?: boolean;
  /** The person has opened the link of a mail to this other address. */
  linkedEmail?: string | undefined;
};

const Question = ({ user, name, isSignUp, linkedEmail }: ContinueProps & { name: string | undefined }) => {
  const words = { ...useWords(COMMON), ...useWords(CONTINUE) };
  const { client } = usePlatform();
  const goOn = useGoOn();
  // The session may have ended, and the page that the person comes from would send them back.
  const check = useMutation({
    mutationFn: () => client.me(),
    onSuccess: () => {
      forgetLinkedCode();
      goOn();
    },
  });
  const signOut = useMutation({ mutationFn: () => client.signOut() });
  useScreenFocus(words.welcome);
  return card(
    words.welcome,
    <>
      <p className="lead">{linkedEmail ? words.linkIsFor(linkedEmail) : words.signedInAs}</p>
      <Person email={user.email} name={name} />
      {isSignUp && <p className="muted">{words.signUpAnother}</p>}
      <ErrorNotice error={check.error ?? signOut.error} />
      <div className="stack-small">
        <Button look="main" isWide mutation={check} busyLabel={words.goingOn}>
          {words.goOn(name ?? user.email)}
        </Button>
        <Button isWide mutation={signOut} busyLabel={words.signingOut}>
          {words.useAnother}
        </Button>
      </div>
    </>,
  );
};

/**
 * Asks a person who is signed in already whether to go on. The platform is asked before: if the session has ended
 * elsewhere, the page must name nobody.
 */
export const Continue = (props: ContinueProps) => {
  const { client } = usePlatform();
  const [person, setPerson] = useState<{ id?: string; name?: string | undefined }>();
  useEffect(() => {
    const leaving = new AbortController();
    client.me({ signal: leaving.signal }).then(
      ({ user: { id }, profile }) => setPerson({ id, name: toFullName(profile) }),
      // Without a connection, the stored session is the best answer.
      (error: unknown) => isPlatformError(error) && setPerson({}),
    );
    return () => leaving.abort();
  }, [client]);
  if (!person) return <FirstPaint />;
  // Another person may sign in meanwhile, in another tab.
  return <Question {...props} name={person.id === props.user.id ? person.name : undefined} />;
};
