import { describeScopes, SCOPE_TABLE_ENVIRONMENT } from '@platform/shared/testing/scope-table';
import { useAdminService } from '../../testing/admin-service.ts';

describe('scopes of other services at admin-service', () => {
  const service = useAdminService(SCOPE_TABLE_ENVIRONMENT);
  describeScopes('admin-service', () => service().url);
});
