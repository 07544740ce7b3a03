import { linkIdentity } from '@platform/client/oidc';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Redirect } from 'wouter';
import { Button } from '../components/button.tsx';
import { Form } from '../components/forms/form.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { type ProofFields, useTypedProof } from '../own-account/proof.tsx';
import { useOwnName, useProviderNames } from '../own-account/queries.ts';
import { OWN_ACCOUNT } from '../own-account/words.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { toRedirectUri } from '../signing-in/callback-url.ts';
import { endConnection, readConnection } from '../signing-in/connection.ts';
import { Person } from '../signing-in/person.tsx';
import { useWords } from '../words/words.ts';
import { card } from './account-card.tsx';
import { useGoOn } from './go-on.ts';

const ConnectForm = ({ provider }: { provider: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const platform = usePlatform();
  const { client, kind } = platform;
  const { user } = useSignedIn();
  const goOn = useGoOn();
  const ownName = useOwnName();
  const proof = useTypedProof();
  useStepFocus(proof.isProven);
  // The browser shows this page again, as it was left, when somebody comes back from the provider.
  const onShow = useEffectEvent(proof.update);
  useEffect(() => {
    const update = () => onShow();
    window.addEventListener('pageshow', update);
    return () => window.removeEventListener('pageshow', update);
  }, []);
  const name = useProviderNames().data?.find(({ id }) => id === provider)?.name ?? provider;
  const connect = useMutation({
    mutationFn: async (fields: ProofFields) => {
      const redirectUri = toRedirectUri(platform, provider);
      await linkIdentity(client, provider, { redirectUri, ...(await proof.read(fields)) });
    },
    onError: proof.update,
  });
  return card(
    words.connectTo(name),
    <>
      <p className="lead">{words.connectHint(name)}</p>
      <Person email={user.email} name={ownName} />
      <Form {...proof.form} isWide mutation={connect} submit={words.connect} submitting={words.connecting}>
        {proof.fields}
      </Form>
      <Button look="link" onClick={() => goOn(endConnection(kind))}>
        {words.notNow}
      </Button>
    </>,
  );
};

/** Offers to connect the provider, after ACCOUNT_EXISTS and a sign-in to that account. */
export const ConnectPage = () => {
  const { kind } = usePlatform();
  const connection = readConnection(kind);
  if (!connection) return <Redirect to="/" replace />;
  return <ConnectForm provider={connection.provider} />;
};
