import type { Identity } from '@platform/client';
import { linkIdentity, unlinkIdentity } from '@platform/client/oidc';
import { ProviderLogo } from '../components/provider-logo.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { toRedirectUri } from '../signing-in/callback-url.ts';
import { useWords } from '../words/words.ts';
import { AccountAction, type Change } from './account-action.tsx';
import { ConnectionIcon } from './account-icons.tsx';
import { useIdentities, useProviderNames, useSecondFactor } from './queries.ts';
import { ActionGroup, Moment, Row } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** The page is being left. Closing the dialog now would go back in the history, which cancels that. */
const untilShownAgain = (): Promise<unknown> =>
  new Promise((resolve) => window.addEventListener('pageshow', resolve, { once: true }));

const Connect = ({ id, name }: { id: string; name: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const platform = usePlatform();
  return (
    <AccountAction
      button={words.connect}
      buttonLabel={words.connectTo(name)}
      title={words.connectTo(name)}
      text={words.connectHint(name)}
      submit={words.connect}
      submitting={words.connecting}
      asks="password"
      onSubmit={async ({ client, proof }: Change) => {
        await linkIdentity(client, id, { redirectUri: toRedirectUri(platform, id), ...proof });
        await untilShownAgain();
      }}
    />
  );
};

const Disconnect = ({ id, name }: { id: string; name: string }) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <AccountAction
      button={words.disconnect}
      buttonLabel={words.disconnectFrom(name)}
      title={words.disconnectFrom(name)}
      text={words.disconnectHint}
      submit={words.disconnect}
      submitting={words.disconnecting}
      isDanger
      asks="password"
      onSubmit={({ client, proof }: Change) => unlinkIdentity(client, id, proof)}
      done={() => words.disconnected(name)}
    />
  );
};

/** Whether this is the last way to sign in, which the platform does not remove. */
const useIsLastMethod = (): boolean => {
  const { data } = useIdentities();
  const passkeys = useSecondFactor().data?.passkeys ?? [];
  return data !== undefined && !data.hasPassword && data.data.length === 1 && passkeys.length === 0;
};

const Logo = ({ provider }: { provider: string }) => (
  <ProviderLogo provider={provider}>
    <ConnectionIcon />
  </ProviderLogo>
);

const ConnectedRow = ({ name, identity }: { name: string; identity: Identity }) => {
  const words = useWords(OWN_ACCOUNT);
  const isLast = useIsLastMethod();
  const { id, email, lastUsedAt } = identity;
  return (
    <Row
      icon={<Logo provider={identity.provider} />}
      title={name}
      notes={[
        ...(email ? [email] : []),
        lastUsedAt ? <Moment key="used" at={lastUsedAt} sentence={words.lastUsed} /> : words.neverUsed,
        ...(isLast ? [words.lastMethod] : []),
      ]}
      action={!isLast && <Disconnect id={id} name={name} />}
    />
  );
};

/** A row for each provider; one that is no longer offered can still be disconnected. */
export const IdentityRows = () => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const identities = useIdentities().data?.data ?? [];
  const providers = useProviderNames().data ?? [];
  const gone = identities.filter(({ provider }) => !providers.some(({ id }) => id === provider));
  const rows = [...providers, ...gone.map(({ provider }) => ({ id: provider, name: provider }))];
  if (rows.length === 0) return null;
  return (
    <ActionGroup title={words.providers}>
      {rows.map(({ id, name }) => {
        const identity = identities.find(({ provider }) => provider === id);
        if (identity) return <ConnectedRow key={id} name={name} identity={identity} />;
        return (
          <Row
            key={id}
            icon={<Logo provider={id} />}
            title={name}
            notes={[user.isEmailVerified ? words.notConnected : words.verifyFirst]}
            action={user.isEmailVerified && <Connect id={id} name={name} />}
          />
        );
      })}
    </ActionGroup>
  );
};
