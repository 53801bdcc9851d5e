/** A worked example in words: each observation and the reply to it, written in the format it is an example of. */
import { AgogeError } from '../../core/error.ts';
import type { Instructions } from '../../envs/environment.ts';

export function exampleText(instructions: Instructions, write: (action: string, thought: string) => string): string {
  const { example } = instructions;
  if (!example || example.length === 0) {
    throw new AgogeError(
      'AGENT_NO_EXAMPLE',
      'this environment has no worked example: leave --few-shot out, or bring a prompt file',
    );
  }
  const turns = example.map(({ observation, thought, action }) => `${observation}\n\n${write(action, thought)}`);
  return `Here is an example.\n\n${turns.join('\n\n')}\n\nThe example ends here. Your own task follows.`;
}
