import { takeMailedCode } from '../session/mailed-code-link.ts';
import { takeCallbackUrl } from '../signing-in/callback-url.ts';
import { startApplication } from '../start.tsx';
import { Account } from './account.tsx';
import { ACCOUNT_KINDS, toCallbackPath } from './kinds.ts';
import { takeLinkParameters } from './link-parameters.ts';
import './account.css';
import './theme.css';

for (const kind of ACCOUNT_KINDS) takeCallbackUrl(toCallbackPath(kind));
takeMailedCode();
await takeLinkParameters();
await startApplication(<Account />);
