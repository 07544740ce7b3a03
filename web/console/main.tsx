import { takeCallbackUrl } from '../signing-in/callback-url.ts';
import { startApplication } from '../start.tsx';
import './sheets.ts';
import { CALLBACK_PATH, Console } from './console.tsx';
import { takeInvitationCode } from './invitation/invitation-code.ts';

takeCallbackUrl(CALLBACK_PATH);
await startApplication(<Console invitationCode={takeInvitationCode()} />);
