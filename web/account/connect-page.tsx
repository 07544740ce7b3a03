import { linkIdentity } from '@platform/client/oidc';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { Button } from '../components/button.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { type ProofFields, useProof } from '../own-account/proof.tsx';
import { useOwnName, useProviderNames } from '../own-account/queries.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { toRedirectUri } from '../signing-in/callback-url.ts';
import { endConnection, readConnection } from '../signing-in/connection.ts';
import { Person } from '../signing-in/person.tsx';
import { hasTypedPassword, takeTypedPassword } from '../signing-in/typed-password.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { CONTINUE } from './continue-words.ts';
import { useGoOn } from './go-on.ts';

const ConnectForm = ({ provider }: { provider: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const { notNow } = useWords(CONTINUE);
  const platform = usePlatform();
  const { client, kind } = platform;
  const { user } = useSignedIn();
  const goOn = useGoOn();
  const ownName = useOwnName();
  const proof = useProof();
  const [isProven, setProven] = useState(() => hasTypedPassword(user.email));
  useStepFocus(isProven);
  // The browser shows this page again, as it was left, when somebody comes back from the provider.
  useEffect(() => {
    const askAgain = () => setProven(hasTypedPassword(user.email));
    window.addEventListener('pageshow', askAgain);
    return () => window.removeEventListener('pageshow', askAgain);
  }, [user.email]);
  const name = useProviderNames().data?.find(({ id }) => id === provider)?.name ?? provider;
  const connect = useMutation({
    mutationFn: async (fields: ProofFields) => {
      const redirectUri = toRedirectUri(platform, provider);
      const typed = takeTypedPassword(user.email);
      if (typed === undefined)
        return await linkIdentity(client, provider, { redirectUri, ...(await proof.read(fields)) });
      try {
        await linkIdentity(client, provider, { redirectUri, currentPassword: typed });
      } catch (error) {
        // The password is used up, and asked for.
        setProven(false);
        throw error;
      }
    },
  });
  return card(
    words.connectTo(name),
    <>
      <p className="lead">{words.connectHint(name)}</p>
      <Person email={user.email} name={ownName} />
      <Form
        submit={words.connect}
        submitting={words.connecting}
        isWide
        advice={proof.advice}
        fieldErrorsOf={proof.fieldErrorsOf}
        mutation={connect}
      >
        {!isProven && proof.fields}
      </Form>
      <Button look="link" onClick={() => goOn(endConnection(kind))}>
        {notNow}
      </Button>
    </>,
  );
};

/** After ACCOUNT_EXISTS and the sign-in to that account: offers to connect the provider. */
export const ConnectPage = () => {
  const { kind } = usePlatform();
  const connection = readConnection(kind);
  if (!connection) return <Redirect to="/" replace />;
  return <ConnectForm provider={connection.provider} />;
};
