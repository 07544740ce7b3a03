import type { ServiceClient, Team, TeamMember } from '@platform/client/service';
import { Router } from 'express';
import { requireCaller } from './callers.ts';
import { reject } from './errors.ts';
import { readPaging } from './paging.ts';

const findMember = ({ members }: Team, employeeId: unknown): TeamMember | undefined =>
  members.find((member) => member.employeeId === employeeId && member.status !== 'REMOVED');

export const createTeamRoutes = (platform: ServiceClient): Router =>
  Router()
    .post('/teams', async (req, res) => {
      const { profile_id: administratorId } = await requireCaller(platform, req, 'employee');
      const { id, name, bio } = req.body ?? {};
      res.json(await platform.putTeam(String(id), { name, bio, administratorId: String(administratorId) }));
    })
    .get('/teams', async (req, res) => {
      const { profile_id: employeeId } = await requireCaller(platform, req, 'employee');
      const { cursor, limit } = readPaging(req);
      const query = { employeeId: String(employeeId), limit, cursor: cursor || undefined };
      res.json(await platform.listTeams(query));
    })
    .post('/teams/:id/members', async (req, res) => {
      const { profile_id } = await requireCaller(platform, req, 'employee');
      const team = await platform.getTeam(req.params.id);
      const own = findMember(team, profile_id);
      if (own?.role !== 'ADMINISTRATOR' || own.status !== 'ACTIVE')
        throw reject(403, 'NOT_TEAM_ADMINISTRATOR');
      const { employeeId, role, canSign, canSubmit } = req.body ?? {};
      const status = findMember(team, employeeId)?.status === 'ACTIVE' ? 'ACTIVE' : 'INVITED';
      res.json(
        await platform.putTeamMember(team.id, String(employeeId), { role, status, canSign, canSubmit }),
      );
    })
    /** Accepts an invitation. */
    .post('/teams/:id/members/me', async (req, res) => {
      const { profile_id } = await requireCaller(platform, req, 'employee');
      const own = findMember(await platform.getTeam(req.params.id), profile_id);
      if (!own) throw reject(404, 'MEMBER_NOT_FOUND');
      const { employeeId, role, canSign, canSubmit } = own;
      const member = { role, status: 'ACTIVE', canSign, canSubmit } as const;
      res.json(await platform.putTeamMember(req.params.id, employeeId, member));
    })
    .delete('/teams/:id/members/me', async (req, res) => {
      const { profile_id } = await requireCaller(platform, req, 'employee');
      await platform.removeTeamMember(req.params.id, String(profile_id));
      res.status(204).end();
    });
