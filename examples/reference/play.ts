/** Examples of the reference: episodes. The body of each function is the example of what it is named after. */
import {
  createFormat,
  datumOf,
  EnvironmentInteraction,
  EpisodePool,
  loadEnvironment,
  openInteractions,
  openPolicy,
  parseInteractions,
  playEpisode,
  playGroups,
  type EpisodeJob,
} from 'agoge';

export const examples = {
  async EpisodePool() {
    const environment = await loadEnvironment('textcraft');
    await using policy = await openPolicy('expert');
    const jobs = [0, 1, 2].map((index): EpisodeJob => ({
      environment,
      task: { env: 'textcraft', split: 'test', index },
      policy,
      format: createFormat('direct'),
      limits: { turns: 30, tokensPerTurn: 64 },
      seed: index,
    }));
    const pool = new EpisodePool({ concurrency: 2 });
    for await (const { trajectory } of pool.run(jobs)) console.log(trajectory.task.index, trajectory.outcome.kind);
  },
  async playGroups() {
    const environment = await loadEnvironment('textcraft');
    await using policy = await openPolicy('random');
    const plans = [0, 1].map((index) => {
      const task = { env: 'textcraft', split: 'fit', index };
      const limits = { turns: 3, tokensPerTurn: 16 };
      const format = createFormat('direct');
      const jobs = [0, 1, 2, 3].map((sample): EpisodeJob => ({
        environment,
        task,
        policy,
        format,
        limits,
        sample,
        seed: sample,
      }));
      return { task, jobs };
    });
    for await (const { trajectories } of playGroups(new EpisodePool(), plans.values(), { count: 2 }))
      console.log(trajectories.length); // 4, twice
  },
  async datumOf() {
    await using policy = await openPolicy('base');
    const trajectory = await playEpisode({
      environment: await loadEnvironment('textcraft'),
      task: { env: 'textcraft', split: 'test', index: 17 },
      policy,
      format: createFormat('direct'),
      limits: { turns: 2, tokensPerTurn: 8 },
      seed: 1,
    });
    const datum = datumOf(trajectory); // the very tokens that were sampled, with their log-probabilities
    console.log(datum?.tokens.length === datum?.mask.length); // true
  },
  async EnvironmentInteraction() {
    const environment = await loadEnvironment('textcraft');
    await using interaction = new EnvironmentInteraction({ name: 'textcraft', environment, format: createFormat('direct') });
    const { instance } = await interaction.start({ task: { env: 'textcraft', split: 'test', index: 0 } });
    const { done, text } = await interaction.respond(instance, [{ role: 'assistant', text: 'inventory' }]);
    console.log(done, text);
    await interaction.finish(instance);
  },
  parseInteractions() {
    const [config] = parseInteractions(
      '- { name: webshop, config: { env_server_base: "http://127.0.0.1:36003", timeout: 600 } }',
    );
    console.log(config?.env, config?.timeout); // webshop, 600000 milliseconds
  },
  async openInteractions() {
    const configs = parseInteractions('- { name: textcraft }');
    // Here it is played in this process; openEnvironment(`textcraft@${serverBase}`) would ask the server.
    const interactions = await openInteractions(configs, ({ env }) => loadEnvironment(env));
    console.log([...interactions.keys()]); // ['textcraft']
  },
};
