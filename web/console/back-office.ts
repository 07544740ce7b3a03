import { createPageClient } from '../session/platform.ts';
import { askForProof } from './recent-proof/ask-for-proof.ts';

/** The client of all screens of the console. A call that needs a recent proof asks for it, and then goes on. */
export const backOffice = createPageClient('administrator', { onProofRequired: askForProof });
