// The baseline of the gateway: http-proxy-middleware on Express with a keep-alive agent, and nothing else.
// The difference is the gateway's work. Reads UPSTREAM_URL and PORT.
import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const { UPSTREAM_URL = '', PORT } = process.env;

express()
  .use(createProxyMiddleware({ target: UPSTREAM_URL, agent: new Agent({ keepAlive: true }) }))
  .listen(Number(PORT), '127.0.0.1');
