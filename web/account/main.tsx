import { takeCallbackUrl } from '../signing-in/callback-url.ts';
import { startApplication } from '../start.tsx';
import { Account } from './account.tsx';
import { ACCOUNT_KINDS, toCallbackPath } from './kinds.ts';

for (const kind of ACCOUNT_KINDS) takeCallbackUrl(toCallbackPath(kind));
await startApplication(<Account />);
