/**
 * What can stand in a cell: walls, doors, keys, balls and boxes, each with a colour. A thing's identity matters (missions
 * track things, not places), its code is MiniGrid's encoding of kind, colour and state as three hexadecimal digits.
 */
export const kinds = ['wall', 'door', 'key', 'ball', 'box'] as const;
export type Kind = (typeof kinds)[number];

/** In alphabetical order: the order in which MiniGrid draws them. */
export const colours = ['blue', 'green', 'grey', 'purple', 'red', 'yellow'] as const;
export type Colour = (typeof colours)[number];

/** Codes of cells that hold nothing: out of sight, or seen to be empty. */
export const unseen = 0x000;
export const empty = 0x100;

const kindCodes: Readonly<Record<Kind, number>> = { wall: 2, door: 4, key: 5, ball: 6, box: 7 };
const colourCodes: Readonly<Record<Colour, number>> = { red: 0, green: 1, blue: 2, purple: 3, yellow: 4, grey: 5 };
const kindNames: Readonly<Record<number, Kind>> = { 2: 'wall', 4: 'door', 5: 'key', 6: 'ball', 7: 'box' };
const colourNames: readonly Colour[] = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'];
const doorStates = ['open', 'closed', 'locked'] as const;
export type DoorState = (typeof doorStates)[number];

export class Thing {
  /** MiniGrid's kind, colour and door state, four bits each. */
  code: number;
  /** Where it lies or last lay; -1 before it is placed and after it was picked up. */
  x = -1;
  y = -1;
  /** What appears in its place when a box is toggled. */
  contents: Thing | null = null;

  constructor(
    readonly kind: Kind,
    public colour: Colour,
  ) {
    this.code = (kindCodes[kind] << 8) | (colourCodes[colour] << 4);
  }

  static door(colour: Colour, state: DoorState): Thing {
    const door = new Thing('door', colour);
    door.state = state;
    return door;
  }

  /** Of a door; everything else counts as open. */
  get state(): DoorState {
    return doorStates[(this.code & 0xf) as 0 | 1 | 2];
  }

  set state(state: DoorState) {
    this.code = (this.code & 0xff0) | doorStates.indexOf(state);
  }

  paint(colour: Colour): void {
    this.colour = colour;
    this.code = (this.code & 0xf0f) | (colourCodes[colour] << 4);
  }

  get portable(): boolean {
    return this.kind !== 'wall' && this.kind !== 'door';
  }

  /** May the agent stand here? */
  get passable(): boolean {
    return isOpenDoor(this.code);
  }
}

/** Walls and doors that are not open hide what lies behind them. */
export function hidesView(code: number): boolean {
  return code >> 8 === 2 || (code >> 8 === 4 && (code & 0xf) !== 0);
}

export function isOpenDoor(code: number): boolean {
  return (code & 0xf0f) === 0x400;
}

export function kindOf(code: number): Kind | undefined {
  return kindNames[code >> 8];
}

export function colourOf(code: number): Colour {
  return colourNames[(code >> 4) & 0xf] ?? 'grey';
}

export function stateOf(code: number): DoorState {
  return doorStates[code & 0xf] ?? 'open';
}
