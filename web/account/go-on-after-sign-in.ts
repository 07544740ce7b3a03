import { useLocation } from 'wouter';
import { usePlatform } from '../session/platform.ts';
import { readConnection } from '../signing-in/connection.ts';
import { useGoOn } from './go-on.ts';
import { mayOfferPasskey } from './passkey-offer-memory.ts';

/** Whether this device can ask for a fingerprint, a face or its screen lock. */
const hasScreenLock = async (): Promise<boolean> => {
  const { PublicKeyCredential: api } = window as { PublicKeyCredential?: typeof PublicKeyCredential };
  return (await api?.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false)) ?? false;
};

/**
 * Goes on after a sign-in. A passkey is offered before, where the device can make one and the address is verified;
 * the page of the offer looks whether the account has one already.
 */
export const useGoOnAfterSignIn = (): ((place?: string) => Promise<void>) => {
  const { client, kind } = usePlatform();
  const goOn = useGoOn();
  const [location, navigate] = useLocation();
  return async (place = location + window.location.search) => {
    const { user } = client.getSnapshot();
    const isConnecting = readConnection(kind) !== undefined;
    const mayOffer = !isConnecting && user?.isEmailVerified === true && mayOfferPasskey(user.id);
    if (mayOffer && (await hasScreenLock())) return navigate('/passkey', { replace: true, state: { place } });
    goOn(place);
  };
};
