import { createPageClient } from '../session/platform.ts';

/** The client of all screens of the console. */
export const backOffice = createPageClient('administrator');
