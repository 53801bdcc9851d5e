/** The page that the original writes for a task: what was seen and done, step by step. Texts are escaped, which there they are not. */
import type { Action, ActionSet } from '../../envs/webarena/actions/action.ts';
import { actionRepr, actionToString } from '../../envs/webarena/actions/print.ts';
import type { Sight } from '../../envs/webarena/backend.ts';
import { pythonText } from '../../core/python/text.ts';
import type { WebTask } from '../../envs/webarena/tasks/task.ts';

export interface ShownStep {
  readonly sight: Sight;
  /** The previous action in words. */
  readonly previous: string;
  readonly action: Action;
  readonly reply: string;
  readonly screenshot?: Uint8Array | undefined;
  readonly actionSet: ActionSet;
}

export function trajectoryPage(task: WebTask, steps: readonly ShownStep[]): string {
  const config = Object.entries(task).map(([key, value]) => `${key}: ${escaped(pythonText(value))}\n`);
  return `
<!DOCTYPE html>
<head>
    <style>
        pre {
            white-space: pre-wrap;
            word-wrap: break-word;
        }
    </style>
</head>
<html>
    <body>
     <pre>${config.join('')}</pre>
${steps.map(stepPart).join('')}
    </body>
</html>
`;
}

function stepPart({ sight, previous, action, reply, screenshot, actionSet }: ShownStep): string {
  const url = escaped(sight.url);
  const meant = ('element' in action && sight.nodes.get(action.element)?.text) || 'No match found';
  const grey = "style='background-color:grey'";
  const code = action.kind === 'playwright' ? action.code : '';
  const byId = [
    `<div class='raw_parsed_prediction' ${grey}><pre>${escaped(reply)}</pre></div>`,
    `<div class='action_object' ${grey}><pre>${escaped(actionRepr(action, reply))}</pre></div>`,
    `<div class='parsed_action' style='background-color:yellow'><pre>${escaped(actionToString(action, meant))}</pre></div>`,
  ];
  return [
    '<h2>New Page</h2>',
    `<h3 class='url'><a href="${url}">URL: ${url}</a></h3>`,
    `<div class='state_obv'><pre>${escaped(sight.text)}</pre><div>`,
    ...(screenshot ? [`<img src='data:image/png;base64,${base64(screenshot)}' style='width:50vw; height:auto;'/>`] : []),
    `<div class='prev_action' style='background-color:pink'>${escaped(previous)}</div>`,
    `<div class='predict_action'>${actionSet === 'playwright' ? escaped(code) : byId.join('')}</div>`,
    '',
  ].join('\n');
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
