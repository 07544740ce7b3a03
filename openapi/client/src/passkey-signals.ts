/** The methods of WebAuthn's Signal API that report to the browser's authenticators. */
type Signals = {
  signalAllAcceptedCredentials: { rpId: string; userId: string; allAcceptedCredentialIds: string[] };
  signalUnknownCredential: { rpId: string; credentialId: string };
  signalCurrentUserDetails: { rpId: string; userId: string; name: string; displayName: string };
};
type SignalApi = { [Name in keyof Signals]?: (details: Signals[Name]) => Promise<void> };

/**
 * Does nothing in a browser without the method, and never fails: the reported change has happened, whether or
 * not the browser processes it.
 */
export const signalPasskeys = async <Name extends keyof Signals>(
  name: Name,
  readDetails: () => Promise<Signals[Name]>,
): Promise<void> => {
  const { PublicKeyCredential: api } = globalThis as { PublicKeyCredential?: SignalApi };
  if (api?.[name])
    await readDetails()
      .then((details) => api[name]?.(details))
      .catch(() => undefined);
};
