import { linkIdentity } from '@platform/client/oidc';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { Redirect } from 'wouter';
import { Button } from '../components/button.tsx';
import { useStepFocus } from '../components/keys/step-focus.ts';
import { type ProofFields, ProofForm, useTypedProof } from '../own-account/proof.tsx';
import { useOwnName, useProviderNames } from '../own-account/queries.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { toRedirectUri } from '../signing-in/callback-url.ts';
import { endConnection, readConnection } from '../signing-in/connection.ts';
import { Person } from '../signing-in/person.tsx';
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
      <ProofForm proof={proof} mutation={connect} submit={words.connect} submitting={words.connecting} />
      <Button look="link" onClick={() => goOn(endConnection(kind))}>
        {notNow}
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
