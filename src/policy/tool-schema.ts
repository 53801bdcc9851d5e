/** Action forms as OpenAI's function descriptions: for the tool channel of an endpoint and for prompts that list functions. */
import type { ActionForm } from '../envs/environment.ts';

export function toolSchemas(forms: readonly ActionForm[]): object[] {
  return forms.map((form) => form.schema ?? derived(form));
}

function derived(form: ActionForm): object {
  return {
    type: 'function',
    function: {
      name: form.name,
      description: form.description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          parameterNames(form).map((name) => [
            name,
            // A JSON parameter may be of any type; its description says which.
            { ...(form.json ? {} : { type: 'string' }), description: form.parameters[name] ?? name },
          ]),
        ),
        required: parameterNames(form),
        additionalProperties: false,
      },
    },
  };
}

/** Parameters in the order of the template. */
export function parameterNames(form: ActionForm): string[] {
  return [...form.template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
