// `npm run test:attacks`: what an attacker would try, from outside, on a stack of its own: each line says what was tried
// and what was answered.
import { startStack } from '@platform/shared/testing/stack';
import { runSuite } from '@platform/shared/testing/suite';
import { attackAccounts } from './accounts.ts';
import { attackByBodies } from './bodies.ts';
import { attackCodes } from './code-guessing.ts';
import { attackConnections } from './connections.ts';
import { attackWithDatabaseLogins } from './database-rights.ts';
import { createScene } from './fixture.ts';
import { attackByGuessing } from './guessing.ts';
import { attackHeaders, inspectLogs } from './headers.ts';
import { attackByInjection } from './injection.ts';
import { attackByMarkup } from './markup.ts';
import { attackOrigins } from './origins.ts';
import { attackPaths } from './paths.ts';
import { attackPrivilege } from './privilege.ts';
import { attackSessions } from './sessions.ts';
import { attackBySlowBodies } from './slow-bodies.ts';
import { attackBySmuggling } from './smuggling.ts';
import { attackTokens } from './tokens.ts';

const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'info' };

await runSuite({
  name: 'security',
  command: 'npm run test:security',
  timeoutSeconds: 300,
  run: async (report) => {
    const running = await startStack(ENVIRONMENT);
    const scene = createScene(running, report);
    try {
      await attackTokens(scene, running.dataDir);
      await attackHeaders(scene);
      await attackBySmuggling(scene);
      await attackConnections(scene);
      await attackPaths(scene);
      await attackOrigins(scene);
      await attackByInjection(scene);
      await attackByMarkup(scene);
      await attackSessions(scene);
      await attackAccounts(scene);
      await attackPrivilege(scene);
      await attackByGuessing(scene);
      await attackCodes(scene);
      await attackByBodies(scene);
      await attackWithDatabaseLogins(scene);
      await inspectLogs(scene);
    } finally {
      await scene.close();
      await running.stop();
    }
    await attackBySlowBodies(report);
  },
});
