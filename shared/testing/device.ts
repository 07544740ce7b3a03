export type TestAccount = { email: string; password: string; userId: string; profileId: string };

/** The tokens and the session of a signed-in device, as its browser stores them. */
export type Device = { fingerprint: string; sessionId: string; accessToken: string; refreshToken: string };
