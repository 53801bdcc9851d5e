/** All thirty tasks, in the order in which the original makes their things. */
import { chemistryTasks } from './chemistry.ts';
import { classificationTasks } from './classification.ts';
import type { TaskDefinition } from './definition.ts';
import { electricityTasks } from './electricity.ts';
import { forceTasks } from './forces.ts';
import { geneticsTasks } from './genetics.ts';
import { growingTasks } from './growing.ts';
import { lifeStageTasks } from './life-stages.ts';
import { lifespanTasks } from './lifespans.ts';
import { matterTasks } from './matter.ts';
import { measurementTasks } from './measurement.ts';

export const TASKS: readonly TaskDefinition[] = [
  ...matterTasks,
  ...electricityTasks,
  ...classificationTasks,
  ...growingTasks,
  ...chemistryTasks,
  ...lifespanTasks,
  ...lifeStageTasks,
  ...forceTasks,
  ...geneticsTasks,
  ...measurementTasks,
];
