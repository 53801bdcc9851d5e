/** How a policy is asked: what a recipe says of its agent, as options of `agoge eval`. */
interface AgentWords {
  readonly format: string | null;
  readonly few_shot: boolean | null;
  readonly prompt: string | null;
  readonly stop: readonly string[];
  readonly thinking: boolean | null;
  readonly chat_template: string | null;
}

/** A model that no run has taught has no record of its prompt, and its checkpoints are asked with it. */
export function askedArgs(agent: AgentWords): string[] {
  const option = (name: string, value: string | null): string[] => (value === null ? [] : [name, value]);
  return [
    ...option('--format', agent.format),
    ...(agent.few_shot === true ? ['--few-shot'] : []),
    ...option('--prompt', agent.prompt),
    ...agent.stop.flatMap((text) => ['--stop', text.replaceAll('\n', '\\n')]),
    ...option('--thinking', agent.thinking === null ? null : agent.thinking ? 'on' : 'off'),
    ...option('--chat-template', agent.chat_template),
  ];
}
