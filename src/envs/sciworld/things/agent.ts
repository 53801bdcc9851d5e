/** The agent: it carries an inventory, waits, and remembers what it did. */
import { food } from '../substances/food.ts';
import { Container } from './containers.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

/** An action that was carried out, for goals that look back; its rule is known by identity. */
export interface PerformedAction {
  readonly rule: object;
  readonly things: readonly Thing[];
}

class Inventory extends Container {
  constructor(world: World) {
    super(world, 'InventoryContainer', 'inventory', ['inventory']);
    this.movable = false;
  }

  override referents(): readonly string[] {
    return ['inventory', this.name];
  }
}

export class Agent extends Thing {
  readonly inventory: Container;
  /** Ticks left to wait. */
  waiting = 0;
  readonly history: PerformedAction[] = [];

  constructor(world: World) {
    super(world, 'Agent', 'agent');
    this.movable = false;
    this.inventory = new Inventory(world);
    this.add(this.inventory);
    this.inventory.add(food(world, 'Orange'));
  }

  override referents(): readonly string[] {
    return ['agent', 'self'];
  }

  override describe(_detailed: boolean): string {
    return 'the agent';
  }
}
