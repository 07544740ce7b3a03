// `npm run test:attacks`: what an attacker would try, from outside, on a stack of its own: each line says what was tried
// and what was answered.
import { startStack } from '@platform/shared/testing/stack';
import { attackAccounts } from './attacks/accounts.ts';
import { createScene } from './attacks/attack.ts';
import { attackByBodies } from './attacks/bodies.ts';
import { attackCodes } from './attacks/code-guessing.ts';
import { attackConnections } from './attacks/connections.ts';
import { attackWithDatabaseLogins } from './attacks/database-rights.ts';
import { attackByGuessing } from './attacks/guessing.ts';
import { attackHeaders, inspectLogs } from './attacks/headers.ts';
import { attackByInjection } from './attacks/injection.ts';
import { attackByMarkup } from './attacks/markup.ts';
import { attackOrigins } from './attacks/origins.ts';
import { attackPaths } from './attacks/paths.ts';
import { attackPrivilege } from './attacks/privilege.ts';
import { attackSessions } from './attacks/sessions.ts';
import { attackBySlowBodies } from './attacks/slow-bodies.ts';
import { attackBySmuggling } from './attacks/smuggling.ts';
import { attackTokens } from './attacks/tokens.ts';
import { runSuite } from './suite.ts';

const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'info' };

await runSuite({
  name: 'attacks',
  limitSeconds: 300,
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
