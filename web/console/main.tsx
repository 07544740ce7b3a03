import { startApplication } from '../page/start.tsx';
import { Console } from './console.tsx';

await startApplication(<Console />);
