import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useScreenFocus } from '../page/navigation.ts';
import { forgetLinkedCode } from '../session/mailed-code-link.ts';
import { usePlatform } from '../session/platform.ts';
import { useSend } from '../session/use-send.ts';
import { Person } from '../signing-in/person.tsx';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { CONTINUE } from './continue-words.ts';
import { useGoOn } from './go-on.ts';

type ContinueProps = {
  email: string;
  name: string | undefined;
  isSignUp?: boolean;
  /** The person has opened the link of a mail to this other address. */
  linkedEmail?: string | undefined;
};

/** For somebody who is signed in already. */
export const Continue = ({ email, name, isSignUp = false, linkedEmail }: ContinueProps) => {
  const words = useWords(CONTINUE);
  const { client } = usePlatform();
  const goOn = useGoOn();
  // The session may have ended, and the page that the person comes from would send them back.
  const check = useSend(() => client.me(), {
    onSuccess: () => {
      forgetLinkedCode();
      goOn();
    },
  });
  const signOut = useSend(() => client.signOut());
  useScreenFocus(words.welcome);
  return card(
    words.welcome,
    <>
      <p className="lead">{linkedEmail ? words.linkIsFor(linkedEmail) : words.signedInAs}</p>
      <Person email={email} name={name} />
      {isSignUp && <p className="muted">{words.signUpAnother}</p>}
      <ErrorNotice error={check.error ?? signOut.error} />
      <div className="stack-small">
        <Button look="main" isWide mutation={check} busyLabel={words.goingOn}>
          {words.goOn(name ?? email)}
        </Button>
        <Button isWide mutation={signOut} busyLabel={words.signingOut}>
          {words.useAnother}
        </Button>
      </div>
    </>,
  );
};
