import { webArena } from './src/envs/webarena/webarena.ts';
for (const settings of [{}, { lane: 'browser' }] as Record<string,string>[]) {
  const env = await webArena(settings);
  console.log(env.version, env.splits, env.splits.map((s) => env.tasks(s).size));
  const split = env.splits[0]!;
  const n = env.tasks(split).size; let solved = 0, played = 0, steps = 0; const t = Date.now(); let obs: string[] = [];
  for (let i = 0; i < n; i += Math.ceil(n / (settings.lane ? 8 : 60))) {
    await using e = await env.open({ env: 'webarena', split, index: i });
    const x = env.expert({ env: 'webarena', split, index: i });
    let o = e.observation; let r = 0; 
    for (let k = 0; k < 20; k++) { const a = x.next(o); if (a === null) { console.log('gave up', i, env.tasks(split).info(i).title, o.slice(0, 600)); break; } const s = await e.step(a); steps++; o = s.observation; r += s.reward; if (s.done) break; }
    played++; solved += r;
  }
  console.log(settings, solved, played, steps, Date.now() - t, 'ms');
  await env.close();
}
