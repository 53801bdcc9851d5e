/** Examples of the reference: servers. The body of each function is the example of what it is named after. */
import { loadEnvironment, startGym } from 'agoge';
import { baseModelFolder, EmbeddedEngine, startOpenAi } from 'agoge/engine';

export const examples = {
  async startGym() {
    await using server = await startGym({ environments: [await loadEnvironment('textcraft')], host: '127.0.0.1', port: 0 });
    console.log(server.url);
  },
  async startOpenAi() {
    await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
    await using server = await startOpenAi({ engine, name: 'mine' });
    const body = JSON.stringify({ model: 'mine', messages: [{ role: 'user', content: 'Goal: craft stick.' }], max_tokens: 8 });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers, body });
    console.log(answer.status); // 200
  },
};
