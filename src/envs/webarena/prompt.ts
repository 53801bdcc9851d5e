/** What an agent is told about WebArena: the page as AgentGym's server words it, and the actions in our words. */
import type { Instructions } from '../environment.ts';

export interface Told {
  /** Tabs and page, as seen. */
  readonly page: string;
  /** Address by the sites' public names. */
  readonly url: string;
  readonly objective: string;
  /** The previous action in words; `None` at the start. */
  readonly previous: string;
}

/** The observation of every turn. */
export function observationText({ page, url, objective, previous }: Told): string {
  return `OBSERVATION:\n${page}\nURL: ${url}\nOBJECTIVE: ${objective}\nPREVIOUS ACTION: ${previous}`;
}

export const instructions: Instructions = {
  task: [
    'You use a web browser to reach an objective. You see the accessibility tree of the current page, its address, the open tabs, the objective and your previous action.',
    'Elements are named by the number in brackets before them. Play one action at a time, and stop when the objective is reached: with the answer where one is asked for, with N/A where the objective cannot be reached.',
    'http://homepage.com lists the sites that there are.',
  ].join('\n'),
  actions: [
    { name: 'click', template: 'click [{id}]', description: 'Click an element.', parameters: { id: 'number of the element' } },
    {
      name: 'type',
      template: 'type [{id}] [{text}] [{enter}]',
      description: 'Type a text into an element, then press Enter unless the last number is 0.',
      parameters: { id: 'number of the element', text: 'what to type', enter: '1 to press Enter, else 0' },
    },
    {
      name: 'hover',
      template: 'hover [{id}]',
      description: 'Move the mouse over an element.',
      parameters: { id: 'number of the element' },
    },
    { name: 'press', template: 'press [{keys}]', description: 'Press keys together.', parameters: { keys: 'such as Control+v' } },
    {
      name: 'scroll',
      template: 'scroll [{direction}]',
      description: 'Scroll by one screen.',
      parameters: { direction: 'up or down' },
    },
    { name: 'new_tab', template: 'new_tab', description: 'Open an empty tab.', parameters: {} },
    { name: 'tab_focus', template: 'tab_focus [{tab}]', description: 'Go to a tab.', parameters: { tab: 'number of the tab' } },
    { name: 'close_tab', template: 'close_tab', description: 'Close the current tab.', parameters: {} },
    { name: 'goto', template: 'goto [{url}]', description: 'Go to an address.', parameters: { url: 'the address' } },
    { name: 'go_back', template: 'go_back', description: 'Go back to the page before.', parameters: {} },
    { name: 'go_forward', template: 'go_forward', description: 'Undo go_back.', parameters: {} },
    {
      name: 'stop',
      template: 'stop [{answer}]',
      description: 'End the task.',
      parameters: { answer: 'the answer, N/A where the objective cannot be reached, or nothing' },
    },
  ],
  example: [
    {
      observation: observationText({
        page: "Tab 0 (current): Corner shop\n\n[1] RootWebArea 'Corner shop' focused: True\n\t[2] textbox 'Search'\n\t[3] button 'Find'",
        url: 'http://onestopmarket.com/',
        objective: 'What does the brass kettle cost?',
        previous: 'None',
      }),
      thought: 'I look for the kettle first.',
      action: 'type [2] [brass kettle] [1]',
    },
    {
      observation: observationText({
        page: "Tab 0 (current): Results\n\n[1] RootWebArea 'Results' focused: True\n\t[5] link 'Brass kettle'\n\t[6] StaticText '$24.50'",
        url: 'http://onestopmarket.com/search?q=brass+kettle',
        objective: 'What does the brass kettle cost?',
        previous: "type [2] [brass kettle ] where [2] is textbox 'Search'",
      }),
      thought: 'The price stands beside it.',
      action: 'stop [$24.50]',
    },
  ],
};
