import { serve } from '@platform/shared/http/serve';
import { compose } from './compose.ts';
import { readConfig } from './config.ts';

await serve({ name: 'probe', readConfig, compose });
