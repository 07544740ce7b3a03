import type { AdminOperations } from '../operations.ts';

export const helloRoutes = (): Pick<AdminOperations, 'hello'> => ({
  hello: () => ({ status: 200, body: { message: 'Hello API' } }),
});
