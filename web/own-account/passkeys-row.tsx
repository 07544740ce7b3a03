import type { Passkey } from '@platform/client';
import { deletePasskey, renamePasskey } from '@platform/client/account';
import { isPasskeyAvailable, registerPasskey } from '@platform/client/passkeys';
import { CardRow } from '../components/card.tsx';
import { TextField } from '../components/fields.tsx';
import { Time } from '../components/time.tsx';
import { usePlatform } from '../session/platform.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { ActionDialog } from './action-dialog.tsx';
import { useProof } from './proof.tsx';
import { useSecondFactor } from './queries.ts';

const NAME_LENGTH = 64;

export const AddPasskey = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  if (!isPasskeyAvailable()) return null;
  let added = '';
  return (
    <ActionDialog
      button={words.addPasskey}
      title={words.addPasskey}
      submit={words.addPasskey}
      submitting={words.addingPasskey}
      proof={proof}
      onSubmit={async (read) => {
        const confirmation = await proof.read(read);
        // The client's type asks for a password, and an account without one has none to give.
        const body = { ...confirmation, name: read('name').trim() } as {
          currentPassword: string;
          name: string;
        };
        added = (await registerPasskey(client, body)).name;
      }}
      done={() => words.passkeyAdded(added)}
    >
      <TextField name="name" label={words.passkeyName} hint={words.passkeyNameHint} maxLength={NAME_LENGTH} />
    </ActionDialog>
  );
};

const PasskeyLine = ({ passkey: { id, name, lastUsedAt } }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  return (
    <li className="row small">
      <span className="muted">
        {name} · {lastUsedAt ? words.lastUsed : words.neverUsed} {lastUsedAt && <Time at={lastUsedAt} />}
      </span>
      <ActionDialog
        button={words.rename}
        buttonLook="link"
        buttonLabel={words.renamePasskey(name)}
        title={words.renamePasskey(name)}
        submit={words.rename}
        submitting={words.renaming}
        onSubmit={(read) => renamePasskey(client, id, read('name').trim())}
        done={() => words.passkeyRenamed}
      >
        <TextField name="name" label={words.passkeyName} defaultValue={name} maxLength={NAME_LENGTH} />
      </ActionDialog>
      <ActionDialog
        button={words.remove}
        buttonLook="link"
        buttonLabel={words.removePasskey(name)}
        title={words.removePasskey(name)}
        text={words.removePasskeyHint}
        submit={words.removePasskeyButton}
        submitting={words.removing}
        isDanger
        proof={proof}
        onSubmit={async (read) => deletePasskey(client, id, await proof.read(read))}
        done={() => words.passkeyRemoved}
      />
    </li>
  );
};

export const PasskeysRow = () => {
  const words = useWords(OWN_ACCOUNT);
  const passkeys = useSecondFactor().data?.passkeys ?? [];
  if (passkeys.length === 0 && !isPasskeyAvailable())
    return (
      <CardRow>
        {words.passkeys}
        <div className="muted small">{words.passkeyUnavailable}</div>
      </CardRow>
    );
  return (
    <CardRow button={<AddPasskey />}>
      {words.passkeys}
      {passkeys.length === 0 && <div className="muted small">{words.passkeysNone}</div>}
      <ul>
        {passkeys.map((passkey) => (
          <PasskeyLine key={passkey.id} passkey={passkey} />
        ))}
      </ul>
    </CardRow>
  );
};
