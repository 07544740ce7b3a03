import type { Passkey } from '@platform/client';
import { deletePasskey, renamePasskey } from '@platform/client/account';
import { isPasskeyAvailable, registerPasskey } from '@platform/client/passkeys';
import { useState } from 'react';
import { CardRow } from '../components/card.tsx';
import { TextField } from '../components/fields.tsx';
import { Time } from '../components/time.tsx';
import { usePlatform } from '../session/platform.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { useProof } from './proof.tsx';
import { useSecondFactor } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const NAME_LENGTH = 64;

type AddPasskeyProps = { onCodes: (codes: string[]) => void };

/** The caller shows the recovery codes of a first factor that the role requires. */
export const AddPasskey = ({ onCodes }: AddPasskeyProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  if (!isPasskeyAvailable()) return null;
  return (
    <AccountAction
      button={words.addPasskey}
      title={words.addPasskey}
      text={words.addPasskeyHint}
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
        const { name, recoveryCodes } = await registerPasskey(client, body);
        if (recoveryCodes) onCodes(recoveryCodes);
        return name;
      }}
      done={words.passkeyAdded}
    >
      <TextField name="name" label={words.passkeyName} hint={words.passkeyNameHint} maxLength={NAME_LENGTH} />
    </AccountAction>
  );
};

const PasskeyLine = ({ passkey: { id, name, lastUsedAt } }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  const isRequired = useSecondFactor().data?.isRequired;
  return (
    <li className="row small">
      <span className="muted">
        {name} · {lastUsedAt ? words.lastUsed : words.neverUsed} {lastUsedAt && <Time at={lastUsedAt} />}
      </span>
      <AccountAction
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
      </AccountAction>
      <AccountAction
        button={words.remove}
        buttonLook="link"
        buttonLabel={words.removePasskey(name)}
        title={words.removePasskey(name)}
        text={isRequired ? words.removeFactorHint : words.removePasskeyHint}
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
  const [codes, setCodes] = useState<string[]>();
  if (passkeys.length === 0 && !isPasskeyAvailable())
    return (
      <CardRow>
        {words.passkeys}
        <div className="muted small">{words.passkeyUnavailable}</div>
      </CardRow>
    );
  return (
    <CardRow button={<AddPasskey onCodes={setCodes} />}>
      {words.passkeys}
      {passkeys.length === 0 && <div className="muted small">{words.passkeysNone}</div>}
      <ul>
        {passkeys.map((passkey) => (
          <PasskeyLine key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
    </CardRow>
  );
};
