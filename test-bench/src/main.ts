import { serve } from '@platform/shared/server/serve';
import { compose } from './compose.ts';
import { readConfig } from './config.ts';

await serve({ name: 'test-bench', readConfig, compose });
