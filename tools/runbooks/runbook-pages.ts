/** The pages whose commands `npm run check:operations` executes. */
export const RUNBOOK_PAGES = ['docs/operations.md', 'docs/backup.md'];
