type Browser = { location?: { hostname: string }; PublicKeyCredential?: unknown };

/** Browsers bind passkeys to a domain and do not accept an IP address. */
const IP_ADDRESS = /^[\d.]+$|:/;

/** Whether the browser supports passkeys on this page. The user may still have no authenticator. */
export const isPasskeyAvailable = (): boolean => {
  const { location, PublicKeyCredential } = globalThis as Browser;
  return typeof PublicKeyCredential === 'function' && !IP_ADDRESS.test(location?.hostname ?? '');
};
