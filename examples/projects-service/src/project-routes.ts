import type { ServiceClient } from '@platform/client/service';
import { Router } from 'express';
import { requireCaller } from './callers.ts';
import { reject } from './errors.ts';
import { readPaging } from './paging.ts';
import { requireTransition } from './project-status.ts';
import type { ProjectStore } from './project-store.ts';

export const createProjectRoutes = (platform: ServiceClient, store: ProjectStore): Router =>
  Router()
    .post('/projects', async (req, res) => {
      const { sub: ownerId } = await requireCaller(platform, req, 'customer');
      // The frontend chooses the id, so that it can repeat the request.
      const { id, title, description, category } = req.body ?? {};
      res.json(await platform.putProject(String(id), { ownerId, title, description, category }));
    })
    .get('/projects', async (req, res) => {
      const { kind, sub } = await requireCaller(platform, req, 'customer', 'employee');
      const { cursor, limit } = readPaging(req);
      const selection = kind === 'customer' ? { ownerId: sub } : { status: 'PUBLISHED' as const };
      res.json(store.list(selection, cursor, limit));
    })
    .patch('/projects/:id', async (req, res) => {
      const { sub } = await requireCaller(platform, req, 'customer');
      const project = await platform.getProject(req.params.id);
      if (project.ownerId !== sub || project.deletedAt) throw reject(404, 'PROJECT_NOT_FOUND');
      const { title, description, category, status } = req.body ?? {};
      if (status) requireTransition(project.status, status);
      // Nobody must have changed the status since it was read.
      const ifMatch = status ? project.etag : req.get('If-Match');
      const changes = { title, description, category, status };
      res.json(await platform.changeProject(project.id, changes, { ifMatch }));
    });
