/** `agoge/engine`: models that sample and learn. The embedded engine, the base policy that ships, and the policy over any engine. */
export type * from '../engine/engine.ts';
export { EmbeddedEngine } from '../engine/embedded/embedded.ts';
export type { EmbeddedOptions } from '../engine/embedded/options.ts';
export { startOpenAi, type OpenAiOptions, type OpenAiServer } from '../policy/openai/server.ts';
export { baseModelFolder } from '../policy/base-model.ts';
export { Conversation } from '../policy/conversation.ts';
export { EnginePolicy, type EnginePolicyOptions } from '../policy/engine-policy.ts';
export { createRenderer, type Renderer } from '../policy/renderer.ts';
