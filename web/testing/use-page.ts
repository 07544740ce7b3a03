import { enterPage, leavePage } from './page-globals.ts';

// The first import of each *.test.tsx, added by load-pages.ts. React and the modules of the pages find one
// document for the life of the process.
enterPage();
beforeEach('answer requests', async () => (await import('./render-screen.tsx')).startTest());
afterEach('end the page', async () => (await import('./render-screen.tsx')).endTest());
after('leave the page', leavePage);
