import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import { identityRoutes, oidcRoutes } from './oidc-routes.ts';

export const createOidcFeature = ({ stores }: Infrastructure) => ({
  routes: oidcRoutes(),
  kindRoutes: <K extends Kind>(kind: K) => identityRoutes(kind, stores),
});
