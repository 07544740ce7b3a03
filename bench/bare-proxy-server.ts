// The least that http-proxy-middleware in Express can be: an agent that keeps its connections, and nothing else. The gateway is
// held against it, since the difference is the gateway's own work. Told by UPSTREAM_URL and PORT.
import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const { UPSTREAM_URL = '', PORT } = process.env;

express()
  .use(createProxyMiddleware({ target: UPSTREAM_URL, agent: new Agent({ keepAlive: true }) }))
  .listen(Number(PORT), '127.0.0.1');
