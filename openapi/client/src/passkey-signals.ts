/** What WebAuthn's Signal API tells the authenticators of the browser. */
type Signals = {
  signalAllAcceptedCredentials: { rpId: string; userId: string; allAcceptedCredentialIds: string[] };
  signalUnknownCredential: { rpId: string; credentialId: string };
  signalCurrentUserDetails: { rpId: string; userId: string; name: string; displayName: string };
};
type SignalApi = { [Name in keyof Signals]?: (details: Signals[Name]) => Promise<void> };

/** Does nothing in a browser without the method, and fails no call: what it reports has happened, whether or not the browser knows. */
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
