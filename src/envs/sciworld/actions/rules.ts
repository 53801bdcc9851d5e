/** All actions: in the order in which input is matched (by template number), and in the order in which valid ones are listed. */
import { byText } from '../language/java-strings.ts';
import type { ActionRule } from './action.ts';
import * as doing from './doing.ts';
import { go, teleport } from './going.ts';
import * as looking from './looking.ts';
import { dunk, moveThing, pickUp, pour, putDown } from './moving.ts';

export interface ActionChoice {
  readonly electricity: boolean;
  readonly teleport: boolean;
}

/** In the order of the original's list of valid actions. */
export function actionRules({ electricity, teleport: teleporting }: ActionChoice): readonly ActionRule[] {
  return [
    ...[doing.open, doing.close, go, looking.lookAround, looking.lookAt, looking.lookIn, doing.activate, doing.deactivate],
    ...[doing.eat, moveThing, pour, dunk, doing.focusOn, doing.resetTask, doing.use, looking.read, doing.flush],
    ...(electricity ? [doing.connect, doing.disconnect] : []),
    ...[doing.wait1, doing.wait10, looking.inventory, pickUp, putDown, doing.mix, looking.task],
    ...(teleporting ? [teleport] : []),
  ];
}

/** In the order in which input is matched against them. */
export function matchOrder(rules: readonly ActionRule[]): readonly ActionRule[] {
  return [...rules].sort((a, b) => a.id - b.id || byText(a.name, b.name));
}
