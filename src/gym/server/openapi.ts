/** The OpenAPI 3.1 description of what a server offers, made from the same declarations that answer the requests. */
import { z } from 'zod';
import type { Dialect } from '../../envs/agentgym/dialect.ts';
import type { Fields } from '../../envs/agentgym/fields.ts';
import * as native from '../protocol.ts';

type Json = Record<string, unknown>;

export function openApi(title: string, version: string, mounts: readonly { prefix: string; dialect: Dialect }[]): Json {
  const paths: Record<string, Json> = {};
  for (const { prefix, dialect } of mounts) {
    const root = prefix === '' ? '/' : prefix;
    paths[root] = { get: { summary: 'Which environment this is', responses: ok({ type: 'string' }) } };
    for (const { method, path, fields } of dialect.routes) {
      const schema = dialect.facts.answers?.[path];
      const operation: Json = {
        summary: `AgentGym's ${path.slice(1)} of ${dialect.facts.env}`,
        responses: { ...ok(schema ? jsonSchema(schema) : {}), ...(fields && { 422: { description: 'Validation Error' } }) },
      };
      if (fields && method === 'GET') operation['parameters'] = parameters(fields);
      if (fields && method === 'POST') operation['requestBody'] = body(objectOf(fields));
      paths[prefix + path] = { ...paths[prefix + path], [method.toLowerCase()]: operation };
    }
  }
  return { openapi: '3.1.0', info: { title, version }, paths: { ...paths, ...nativePaths() } };
}

function nativePaths(): Record<string, Json> {
  const answer = (schema: z.ZodType): Json => ({
    ...ok(jsonSchema(schema)),
    default: content('Error', jsonSchema(native.failureAnswer)),
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const text = (name: string, type = 'string') => ({ name, in: 'query', required: false, schema: { type } });
  return {
    '/v1': { get: { summary: 'The environments of this server', responses: answer(native.hello) } },
    '/v1/environments/{env}/tasks': {
      get: {
        summary: 'The tasks of a split, at most 1000 at once',
        parameters: [
          { name: 'env', in: 'path', required: true, schema: { type: 'string' } },
          text('split'),
          text('offset', 'integer'),
          text('limit', 'integer'),
        ],
        responses: answer(native.taskPage),
      },
    },
    '/v1/sessions': {
      post: { summary: 'Open a task', requestBody: body(jsonSchema(native.openRequest)), responses: answer(native.openAnswer) },
    },
    '/v1/sessions/{id}/steps': {
      post: {
        summary: 'Play an action once, however often it is sent',
        parameters: [id],
        requestBody: body(jsonSchema(native.stepRequest)),
        responses: answer(native.stepAnswer),
      },
    },
    '/v1/sessions/{id}': { delete: { summary: 'Close a session', parameters: [id], responses: answer(native.closeAnswer) } },
    '/v1/experts': {
      post: {
        summary: "The next action of an environment's expert after these observations; null when it gives up",
        requestBody: body(jsonSchema(native.expertRequest)),
        responses: answer(native.expertAnswer),
      },
    },
    '/healthz': { get: { summary: 'Is the server up', responses: ok({}) } },
    '/metrics': { get: { summary: 'Counters for Prometheus', responses: { 200: { description: 'text' } } } },
  };
}

function jsonSchema(schema: z.ZodType): Json {
  return Object.fromEntries(Object.entries(z.toJSONSchema(schema)).filter(([key]) => key !== '$schema'));
}

const content = (description: string, schema: Json): Json => ({ description, content: { 'application/json': { schema } } });
const ok = (schema: Json): Json => ({ 200: content('Successful Response', schema) });
const body = (schema: Json): Json => ({ required: true, content: { 'application/json': { schema } } });

function objectOf(fields: Fields): Json {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]));
  const required = Object.keys(fields).filter((name) => !fields[name]?.fallback);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function parameters(fields: Fields): Json[] {
  return Object.entries(fields).map(([name, field]) => ({ name, in: 'query', required: !field.fallback, schema: field.schema }));
}
