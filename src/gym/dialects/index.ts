/** AgentGym's dialects by environment, each loaded when it is served. An environment without one speaks only /v1. */
import type { Dialect } from './dialect.ts';

const dialects: Readonly<Record<string, () => Promise<{ dialect: Dialect }>>> = {
  textcraft: () => import('./textcraft.ts'),
  webshop: () => import('./webshop.ts'),
  babyai: () => import('./babyai.ts'),
  alfworld: () => import('./alfworld.ts'),
  sciworld: () => import('./sciworld.ts'),
  maze: () => import('./maze.ts'),
  wordle: () => import('./wordle.ts'),
  sqlgym: () => import('./sqlgym.ts'),
  searchqa: () => import('./searchqa.ts'),
  webarena: () => import('./webarena.ts'),
  weather: () => tools('weather'),
  todo: () => tools('todo'),
  movie: () => tools('movie'),
  academia: () => tools('academia'),
  sheet: () => tools('sheet'),
};

async function tools(env: string): Promise<{ dialect: Dialect }> {
  return { dialect: (await import('./tools.ts')).toolDialect(env) };
}

export async function loadDialect(env: string): Promise<Dialect | undefined> {
  const load = Object.hasOwn(dialects, env) ? dialects[env] : undefined;
  return load && (await load()).dialect;
}

/** Environments that have one. */
export function dialectNames(): string[] {
  return Object.keys(dialects);
}
