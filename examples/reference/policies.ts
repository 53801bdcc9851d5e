/** Examples of the reference: policies and prompt formats. The body of each function is the example of what it is named after. */
import {
  Conversation,
  createFormat,
  createRenderer,
  defineFormat,
  definePolicy,
  EndpointPolicy,
  EnginePolicy,
  evaluate,
  expandPolicies,
  formatNames,
  formatOf,
  openFormat,
  openPolicy,
  policyOf,
  serve,
  withPrompt,
} from 'agoge';
import { baseModelFolder, EmbeddedEngine } from 'agoge/engine';

export const examples = {
  async openPolicy() {
    await using policy = await openPolicy('base');
    const conversation = new Conversation(policy.renderer);
    conversation.open([{ role: 'user', text: 'Goal: craft stick.' }]);
    const { signal } = new AbortController();
    const { segment } = await policy.reply(conversation, { maxTokens: 8, temperature: 1, seed: 1, signal });
    console.log(segment.text, segment.logprobs.length);
  },
  async expandPolicies() {
    console.log(await expandPolicies('base')); // ['base']; for run:outputs/x@all, each of its checkpoints
  },
  async policyOf() {
    const shy = definePolicy({ name: 'shy', act: () => 'look' });
    await using policy = await policyOf(shy);
    console.log(policy.id); // shy
    await evaluate('textcraft', { policies: [shy], tasks: '0-1', maxTurns: 2, fresh: true });
  },
  async EnginePolicy() {
    await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
    const policy = new EnginePolicy(engine, { id: 'mine' });
    console.log(policy.context, policy.renderer.stopTokens);
  },
  async EndpointPolicy() {
    await using server = await serve({ model: 'base' }); // or any other OpenAI-compatible address
    await using policy = new EndpointPolicy({ id: 'served', baseUrl: server.url, model: 'base' });
    const conversation = new Conversation();
    conversation.open([{ role: 'user', text: 'Goal: craft stick.' }]);
    const { signal } = new AbortController();
    const { usage } = await policy.reply(conversation, { maxTokens: 8, temperature: 1, seed: 1, signal });
    console.log(usage?.output);
  },
  async baseModelFolder() {
    await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
    console.log(engine.model.context);
  },
  createFormat() {
    const format = createFormat('react');
    const instructions = { task: 'Craft a stick.', actions: [] };
    console.log(format.read('Thought: begin.\nAction: inventory', instructions)); // the action 'inventory' and its thought
  },
  formatNames() {
    console.log(formatNames.includes('react')); // true
  },
  async openFormat() {
    const format = await openFormat('direct'); // or './my-format.ts', or the name of a package
    console.log(format.name); // direct
  },
  withPrompt() {
    const format = withPrompt(createFormat('direct'), 'You play a crafting game. {{task}}');
    console.log(format.opening({ task: 'Craft a stick.', actions: [] })[0]?.text); // You play a crafting game. Craft a stick.
  },
  formatOf() {
    const loud = defineFormat({
      name: 'loud',
      opening: ({ task }) => task.toUpperCase(),
      read: (reply) => ({ action: reply.toLowerCase() }),
      write: (action) => action.toUpperCase(),
    });
    console.log(formatOf(loud).read('LOOK', { task: '', actions: [] })); // the action 'look'
  },
  async Conversation() {
    await using policy = await openPolicy('base');
    const conversation = new Conversation(policy.renderer);
    conversation.open([{ role: 'user', text: 'Goal: craft stick.' }]);
    const before = conversation.tokens.length;
    const { signal } = new AbortController();
    const { segment, stop } = await policy.reply(conversation, { maxTokens: 8, temperature: 1, seed: 1, signal });
    conversation.reply(segment, stop); // as sampled
    conversation.observe('Got 1 oak log');
    console.log(conversation.tokens.length > before); // true
  },
  async createRenderer() {
    await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
    const { tokenizer, chatTemplate } = engine.model;
    const renderer = createRenderer(tokenizer, { template: chatTemplate });
    console.log(renderer.open([{ role: 'user', text: 'Goal: craft stick.' }])[0]?.length);
  },
};
