import type { Identity } from '@platform/client';
import { linkIdentity, unlinkIdentity } from '@platform/client/oidc';
import { CardRow } from '../components/card.tsx';
import { Time } from '../components/time.tsx';
import { usePlatform } from '../session/platform.ts';
import { toRedirectUri } from '../signing-in/callback-url.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { useProof } from './proof.tsx';
import { useIdentities, useProviderNames } from './queries.ts';

/** The page is being left. Closing the dialog now would go back in the history, which cancels that. */
const untilShownAgain = (): Promise<unknown> =>
  new Promise((resolve) => window.addEventListener('pageshow', resolve, { once: true }));

const Connect = ({ id, name }: { id: string; name: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const platform = usePlatform();
  const { client } = platform;
  const proof = useProof();
  return (
    <AccountAction
      button={words.connect}
      buttonLabel={words.connectTo(name)}
      title={words.connectTo(name)}
      text={words.connectHint(name)}
      submit={words.connect}
      submitting={words.connecting}
      proof={proof}
      onSubmit={async (read) => {
        const redirectUri = toRedirectUri(platform, id);
        await linkIdentity(client, id, { redirectUri, ...(await proof.read(read)) });
        await untilShownAgain();
      }}
    />
  );
};

const Disconnect = ({ id, name }: { id: string; name: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  return (
    <AccountAction
      button={words.disconnect}
      buttonLabel={words.disconnectFrom(name)}
      title={words.disconnectFrom(name)}
      text={words.disconnectHint}
      submit={words.disconnect}
      submitting={words.disconnecting}
      isDanger
      proof={proof}
      onSubmit={async (read) => unlinkIdentity(client, id, await proof.read(read))}
      done={() => words.disconnected(name)}
    />
  );
};

const IdentityFact = ({ identity: { email, lastUsedAt } }: { identity: Identity }) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <div className="muted small">
      {email && `${email} · `}
      {lastUsedAt ? words.lastUsed : words.neverUsed} {lastUsedAt && <Time at={lastUsedAt} />}
    </div>
  );
};

/** A row for each provider; one that is no longer offered can still be disconnected. */
export const IdentityRows = () => {
  const words = useWords(OWN_ACCOUNT);
  const identities = useIdentities().data?.data ?? [];
  const providers = useProviderNames().data ?? [];
  const gone = identities.filter(({ provider }) => !providers.some(({ id }) => id === provider));
  const rows = [...providers, ...gone.map(({ provider }) => ({ id: provider, name: provider }))];
  return (
    <>
      {rows.map(({ id, name }) => {
        const identity = identities.find(({ provider }) => provider === id);
        const button = identity ? (
          <Disconnect id={identity.id} name={name} />
        ) : (
          <Connect id={id} name={name} />
        );
        return (
          <CardRow key={id} button={button}>
            {name}
            {identity ? (
              <IdentityFact identity={identity} />
            ) : (
              <div className="muted small">{words.notConnected}</div>
            )}
          </CardRow>
        );
      })}
    </>
  );
};
