/**
 * The spreadsheet environment: AgentGym's tools over a sheet of our own. On the wire the score is the best share of equal cells so far, as in
 * the original; here it is how far the present sheet has come from the first one.
 */
import type { Settings } from '../../settings.ts';
import { toolEnvironment, type ToolEnvironment } from '../core/environment.ts';
import type { Kit } from '../core/kit.ts';
import { match } from './grid.ts';
import { askSheet } from './questions.ts';
import { SheetBox, sheetTools } from './tools.ts';

export const kit: Kit = {
  name: 'sheet',
  version: '1',
  role: 'You change a spreadsheet as you are asked to and leave the rest as it is. Open the sheet first; its first row has the titles and stays on top when rows are sorted.',
  tools: sheetTools,
  items: { prefix: 'tool_sheet', count: 20, test: Array.from({ length: 20 }, (_, item) => item), testOnly: true },
  ask: askSheet,
  ending: /finish/i,
  listsActions: true,
  finish: (box, input) => box.call('finish', input),
  score({ played, solution, before }) {
    if (!(played instanceof SheetBox && solution instanceof SheetBox) || !played.seen) return before;
    return Math.max(before, match(played.seen, solution.values));
  },
  worth(played, solution) {
    if (!(played instanceof SheetBox && solution instanceof SheetBox)) return 0;
    const start = match(played.first, solution.values);
    if (start === 1) return 1;
    return Math.max(0, (match(played.values, solution.values) - start) / (1 - start));
  },
};

export function sheet(settings: Settings = {}): ToolEnvironment {
  return toolEnvironment(kit, settings);
}
