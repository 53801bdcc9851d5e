/** What an agent is told about WebShop before the first observation, in our own words. */
import type { Instructions } from '../environment.ts';

export const instructions: Instructions = {
  task: [
    'You are shopping on a web site. Each message shows the page you are on, its texts separated by [SEP], and the instruction you shop for.',
    'Search for products, open one, choose the options that the instruction asks for, and buy it. Buying ends the task.',
    'You are rewarded for a product of the right kind with the wanted attributes and options at a price below the limit.',
    'Click only what the page shows: a product id, an option, or a button. An action that is not possible changes nothing.',
  ].join('\n'),
  actions: [
    {
      name: 'search',
      template: 'search[{keywords}]',
      description: 'Search the shop; possible on every page.',
      parameters: { keywords: 'words that describe the product' },
    },
    {
      name: 'click',
      template: 'click[{item}]',
      description: 'Click a button, a product id or an option of the page.',
      parameters: { item: 'the text as the page shows it' },
    },
  ],
  example: [
    {
      observation:
        'WebShop [SEP] Instruction: [SEP] Find me water proof table lamps with color: gold, and price lower than 40.00 dollars [SEP] Search',
      thought: 'I search for the kind of product and what it must be able to do.',
      action: 'search[water proof table lamps]',
    },
    {
      observation:
        'Instruction: [SEP] Find me water proof table lamps with color: gold, and price lower than 40.00 dollars [SEP] Back to Search [SEP] Page 1 (Total results: 2) [SEP] Next > [SEP] B0000LAMP1 [SEP] Halvale Water Proof Table Lamp [SEP] $29.95 [SEP] B0000LAMP2 [SEP] Oakora Desk Lamp [SEP] $45.5',
      thought: 'The first lamp is water proof and below 40 dollars.',
      action: 'click[b0000lamp1]',
    },
    {
      observation:
        'Instruction: [SEP] Find me water proof table lamps with color: gold, and price lower than 40.00 dollars [SEP] Back to Search [SEP] < Prev [SEP] color [SEP] gold [SEP] black [SEP] Halvale Water Proof Table Lamp [SEP] Price: $29.95 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now',
      thought: 'It comes in gold.',
      action: 'click[gold]',
    },
    {
      observation:
        'Instruction: [SEP] Find me water proof table lamps with color: gold, and price lower than 40.00 dollars [SEP] Back to Search [SEP] < Prev [SEP] color [SEP] gold [SEP] black [SEP] Halvale Water Proof Table Lamp [SEP] Price: $29.95 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now',
      thought: 'Everything fits.',
      action: 'click[buy now]',
    },
  ],
};
