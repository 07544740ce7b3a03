import { isPlatformError } from '@platform/client';
import { createRequestPlatform } from '../request-platform';

/** Receives a form of the site and sends it to the platform from the server. */
export const POST = async (request: Request): Promise<Response> => {
  const platform = createRequestPlatform(request.headers);
  const fields = await request.formData();
  try {
    await platform.POST('/contact/lead', {
      body: { name: String(fields.get('name')), email: String(fields.get('email')) },
    });
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    return Response.json({ code: error.code, details: error.details }, { status: error.status || 502 });
  } finally {
    platform.close();
  }
};
