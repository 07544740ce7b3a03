import '../own-account/sheets.ts';
import { isPlatformError } from '@platform/client';
import { isPasskeyAvailable } from '@platform/client/passkeys';
import { useIsMutating, useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { CheckIcon, FingerprintIcon } from '../components/form-icons.tsx';
import { Form } from '../components/forms/form.tsx';
import { useSayStatus } from '../components/status.tsx';
import { addPasskey, useSayAdded } from '../own-account/add-passkey.ts';
import { type ProofFields, useTypedProof } from '../own-account/proof.tsx';
import { ACCOUNT_CHANGE, useIdentities, useSecondFactor } from '../own-account/queries.ts';
import { RecoveryCodesProvider, useRecoveryCodes } from '../own-account/recovery-codes.tsx';
import { OWN_ACCOUNT } from '../own-account/words.ts';
import { useScreenFocus } from '../page/navigation.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { keepTypedPassword } from '../signing-in/typed-password.ts';
import { useWords } from '../words/words.ts';
import { AccountCard } from './account-card.tsx';
import { useGoOn } from './go-on.ts';
import { declinePasskey, mayOfferPasskey } from './passkey-offer-memory.ts';
import { PASSKEY_OFFER } from './passkey-offer-words.ts';

/** Adds a passkey with the password that has just signed in, else with a proof. */
const useAddPasskey = () => {
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const proof = useTypedProof();
  const sayAdded = useSayAdded();
  const say = useSayStatus();
  const add = useMutation({
    mutationFn: async (fields: ProofFields) => {
      const confirmation = await proof.read(fields);
      try {
        return await addPasskey(client, confirmation);
      } catch (error) {
        // The person who has cancelled may try again, or go on.
        if (!isPlatformError(error, 'PASSKEY_CANCELLED')) throw error;
        const { currentPassword } = confirmation;
        if (proof.isProven && currentPassword) keepTypedPassword(user.email, currentPassword);
        return undefined;
      }
    },
    onSuccess: (passkey) => {
      const added = passkey && sayAdded(passkey);
      if (added) say(added);
    },
    onError: proof.update,
    meta: ACCOUNT_CHANGE,
  });
  return { add, proof };
};

const Offer = ({ onDecline }: { onDecline: () => void }) => {
  const words = { ...useWords(OWN_ACCOUNT), ...useWords(PASSKEY_OFFER) };
  const hasPassword = useIdentities().data?.hasPassword;
  const { add, proof } = useAddPasskey();
  useScreenFocus(words.title);
  return (
    <AccountCard title={words.title} symbol={<FingerprintIcon />}>
      <p className="lead">{words.lead}</p>
      <ul className="item-facts">
        {[...(hasPassword ? [words.passwordStays] : []), ...words.facts].map((fact) => (
          <li key={fact}>
            <CheckIcon />
            {fact}
          </li>
        ))}
      </ul>
      <Form {...proof.form} isWide mutation={add} submit={words.addPasskey} submitting={words.addingPasskey}>
        {proof.fields}
      </Form>
      <Button look="link" isWide onClick={onDecline}>
        {words.notNow}
      </Button>
    </AccountCard>
  );
};

const readPlace = (): string | undefined => {
  const { place } = (history.state ?? {}) as { place?: unknown };
  return typeof place === 'string' ? place : '/';
};

/** Offers a passkey, or goes on at once if there is nothing to offer, also after a passkey was added. */
const OfferOrGoOn = () => {
  const { user } = useSignedIn();
  const { data, error } = useSecondFactor();
  // The fields of the proof depend on whether the account has a password.
  const { isPending } = useIdentities();
  const codes = useRecoveryCodes();
  const goOn = useGoOn();
  const [place] = useState(readPlace);
  const isOffered =
    data?.passkeys.length === 0 && user.isEmailVerified && isPasskeyAvailable() && mayOfferPasskey(user.id);
  const leave = useEffectEvent(() => goOn(place));
  // The passkey is known before its recovery codes are shown.
  const isAdding = useIsMutating() > 0;
  const isDone = (data !== undefined || error !== null) && !isOffered && !isAdding && !codes.isShown;
  useEffect(() => {
    if (isDone) leave();
  }, [isDone]);
  if (!isOffered || isPending) return null;
  return (
    <Offer
      onDecline={() => {
        declinePasskey(user.id);
        goOn(place);
      }}
    />
  );
};

/** The page of the offer, which is shown once after a sign-in without a passkey. */
export const PasskeyOfferPage = () => (
  <RecoveryCodesProvider>
    <OfferOrGoOn />
  </RecoveryCodesProvider>
);
