import { startApplication } from '../page/start.tsx';
import { takeCallbackUrl } from '../signing-in/callback-url.ts';
import { CALLBACK_PATH, Console } from './console.tsx';

takeCallbackUrl(CALLBACK_PATH);
await startApplication(<Console />);
