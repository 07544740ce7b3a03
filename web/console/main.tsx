import { takeCallbackUrl } from '../signing-in/callback-url.ts';
import { startApplication } from '../start.tsx';
import '../components/dialog.css';
import '../components/page.css';
import '../components/lists.css';
import { CALLBACK_PATH, Console } from './console.tsx';
import { takeInvitationCode } from './invitation/invitation-code.ts';

takeCallbackUrl(CALLBACK_PATH);
takeInvitationCode();
await startApplication(<Console />);
