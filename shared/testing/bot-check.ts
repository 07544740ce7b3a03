import { solveBotChallenge } from '../src/platform/bot-check/bot-check-solver.ts';
import type { HttpClient } from './http-client.ts';

/** Sends a request again with a solved challenge where the platform keeps bots out. */
export const withBotCheck =
  (send: HttpClient['send'], sendChallenge = send): HttpClient['send'] =>
  async (request) => {
    const response = await send(request);
    if (response.code !== 'BOT_CHECK_REQUIRED' || request.headers?.['X-Bot-Check'] !== undefined)
      return response;
    const challenge = await sendChallenge({ path: '/api/v1/auth/bot-check' });
    if (challenge.status !== 200) return challenge;
    const solution = await solveBotChallenge(challenge.body);
    return send({ ...request, headers: { ...request.headers, 'X-Bot-Check': solution } });
  };
