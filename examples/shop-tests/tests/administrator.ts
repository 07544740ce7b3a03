import { createPlatformClient } from '@platform/client';
import type { Label } from '@platform/test-bench';

/** An administrator who works beside the tested page, through the API of the platform. */
export const signInAdministrator = async (bench: Label) => {
  const { email, password = '' } = await bench.person({ kind: 'ADMIN' });
  const { gatewayUrl, fetch } = bench;
  const platform = createPlatformClient({ gatewayUrl, kind: 'administrator', fetch });
  await platform.signIn({ email, password });
  return platform;
};
