import { createServiceClient } from '@platform/client/service';
import express from 'express';
import { config } from './config.ts';
import { handleError } from './errors.ts';
import { readEvents } from './event-reader.ts';
import { createProjectRoutes } from './project-routes.ts';
import { createProjectStore } from './project-store.ts';
import { createTeamRoutes } from './team-routes.ts';

const { authUrl, adminUrl, secret, databaseFile, port } = config;
// A request makes at most three calls, and the gateway waits for 10 s.
const platform = createServiceClient({ authUrl, adminUrl, name: 'projects', secret, timeoutSeconds: 3 });
const store = createProjectStore(databaseFile);

const app = express()
  .use(express.json())
  .use('/api/v1/market', createProjectRoutes(platform, store), createTeamRoutes(platform))
  .use(handleError);
const server = app.listen(port, () => console.log(`projects-service listens on port ${port}`));
server.keepAliveTimeout = 65_000; // longer than the gateway keeps an idle connection
process.on('SIGTERM', () => server.close(() => process.exit()));

await readEvents(platform, store);
