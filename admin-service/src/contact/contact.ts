/** Someone who would like to order a project. */
export type LeadRequest = { name: string; email: string; phone?: string; company?: string; message?: string };

/** Someone who needs help. */
export type SupportRequest = { email: string; subject: string; message: string; name?: string };
