/**
 * Which tasks an evaluation during training plays. What it plays it may choose by, so it never plays `test`: it plays the
 * environment's `validation` split, or, where there is none, tasks that are held out of training. Training leaves out whatever
 * is chosen by.
 */
import { refuseTest } from '../../config/recipe/choosing.ts';
import type { EvaluateConfig } from '../../config/recipe/shared-keys.ts';
import { AgogeError } from '../../core/error.ts';
import type { ListedTask } from '../../data/tasks/task-list.ts';
import {
  endless,
  itemOf,
  mostListed,
  openDeck,
  passingOver,
  selectDeck,
  splitDeck,
  type DeckParts,
  type TaskDeck,
} from '../tasks/deck.ts';

/** Tasks of a panel of an endless split where the recipe does not say how many. */
const usualTasks = 100;

export interface Panels {
  readonly panels: readonly TaskDeck[];
  /** What is left to train on. */
  readonly decks: readonly TaskDeck[];
  /** What was held out, in words. */
  readonly notes: readonly string[];
}

/** The panels of a recipe: those it names, else one for each trained environment. */
export async function openPanels(config: EvaluateConfig, trained: readonly TaskDeck[], parts: DeckParts): Promise<Panels> {
  const panels =
    config.panels.length > 0
      ? await Promise.all(config.panels.map((entry) => openDeck(entry, parts)))
      : usualPanels(config, trained).map((panel) => (config.max_turns === null ? panel : withoutOwnTurns(panel)));
  if (!config.choose) return { panels, decks: trained, notes: [] };
  const notes: string[] = [];
  const chosen = panels.map((panel, at) => withoutTestTasks(panel, 'file' in (config.panels[at] ?? {}), notes));
  const chosenBy = new Set(chosen.filter(({ size }) => Number.isFinite(size)).flatMap((panel) => itemsOf(panel)));
  const decks = trained.map((deck) => {
    if (deck.size === Infinity || chosenBy.size === 0) return deck;
    const trains = (task: ListedTask): boolean => !chosenBy.has(itemOf(task));
    if (deck.size > mostListed) return passingOver(deck, trains);
    const rest = selectDeck(deck, trains);
    if (rest.size === deck.size) return deck;
    if (rest.size === 0) {
      throw new AgogeError(
        'TRAIN_NO_TASKS',
        `every task of ${deck.name} is also played by an evaluation that the best checkpoint is chosen by: evaluate on other tasks, or set evaluate.choose=false`,
      );
    }
    notes.push(`${deck.size - rest.size} of ${deck.size} tasks of ${deck.name} are kept for evaluation and not trained on`);
    return rest;
  });
  return { panels: chosen, decks, notes };
}

function usualPanels(config: EvaluateConfig, trained: readonly TaskDeck[]): TaskDeck[] {
  const seen = new Set<string>();
  return trained.flatMap((deck) => {
    const [environment, second] = deck.environments;
    if (!environment || second !== undefined) return heldOut(deck, config);
    if (seen.has(environment.name)) return [];
    seen.add(environment.name);
    if (deck.size !== Infinity && environment.splits.includes(config.split)) {
      const entry = { split: config.split, weight: 1, from: 0, to: null };
      const { limits, maxTurns } = deck.at(0);
      const panel = splitDeck(entry, environment, limits);
      return [{ ...panel, at: (position) => ({ ...panel.at(position), maxTurns }) }];
    }
    return heldOut(deck, config);
  });
}

/** The turns of a trained entry are not those of its evaluation where the recipe says how many these are. */
function withoutOwnTurns(deck: TaskDeck): TaskDeck {
  return { ...deck, at: (position) => ({ ...deck.at(position), maxTurns: undefined }) };
}

/** Every eleventh task of a finite deck; of an endless one tasks from beyond what training draws. A single task is not held out. */
function heldOut(deck: TaskDeck, config: EvaluateConfig): TaskDeck[] {
  const name = `${deck.name}:held-out`;
  const most = config.tasks ?? usualTasks;
  if (deck.size === Infinity) return [{ ...deck, name, size: most, at: (position) => deck.at(endless + position) }];
  if (deck.size < 2) return [];
  const first = Math.min(5, deck.size - 1);
  const held = selectDeck(deck, (_, position) => position % 11 === first, 11 * most);
  return [{ ...held, name }];
}

function itemsOf(deck: TaskDeck): string[] {
  return Array.from({ length: deck.size }, (_, position) => itemOf(deck.at(position)));
}

/**
 * Published splits overlap here and there (ETO's development set has tasks of AgentGym's test set): what is also a test task is not
 * chosen by. A file with test tasks was given by hand, and a panel of nothing else is a test set by another name: both are refused.
 */
function withoutTestTasks(panel: TaskDeck, given: boolean, notes: string[]): TaskDeck {
  if (panel.size === Infinity) return panel;
  if (panel.size > mostListed)
    throw new AgogeError(
      'TRAIN_NO_TASKS',
      `the panel ${panel.name} has ${panel.size} tasks, and at most ${mostListed} can be kept from training: choose some with from and to`,
    );
  const tests = new Set<string>();
  for (const environment of panel.environments) {
    if (!environment.splits.includes('test') || environment.tasks('test').size === Infinity) continue;
    const tasks = environment.tasks('test');
    for (let index = 0; index < tasks.size; index++) tests.add(tasks.info(index).itemId);
  }
  const rest = selectDeck(panel, (task) => !tests.has(itemOf(task)));
  const found = panel.size - rest.size;
  if (found === 0) return panel;
  const what = `${found} of ${panel.size} tasks of the panel ${panel.name} are test tasks`;
  if (given || rest.size === 0) throw refuseTest(what);
  notes.push(`${what}: they are left out`);
  return rest;
}
