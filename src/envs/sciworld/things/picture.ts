/** Pictures on the walls, drawn at random. */
import { Material } from '../substances/material.ts';
import { noVessel } from './properties.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

const KINDS = ['picture', 'drawing', 'painting', 'finger painting'];
const SUBJECTS = [
  ...['a cow', 'a chicken', 'a farm', 'a lush green meadow', 'rolling hills', 'a wintery mountain'],
  ...['a boat crossing a river', 'the moon', 'abstract shapes', 'two people playing'],
];
const ARTISTS = ['Alexandra', 'Owen', 'Bob', 'Lily'];

export class Picture extends Thing {
  private readonly subject: string;
  private readonly artist: string;

  constructor(world: World) {
    super(world, 'Picture', '');
    const draw = (options: readonly string[]): string => options[world.random.nextInt(options.length)] ?? '';
    this.name = draw(KINDS);
    this.subject = draw(SUBJECTS);
    this.artist = draw(ARTISTS);
    this.material = new Material('paper');
    this.vessel = noVessel();
  }

  override referents(): readonly string[] {
    const of = ` of ${this.subject}`;
    return [this.name, this.name + of, this.title(), this.title() + of];
  }

  override describe(detailed: boolean): string {
    if (!detailed) return `a ${this.title()}`;
    return `a ${this.title()} of ${this.subject}.  The artist is listed as ${this.artist}. `;
  }
}
