/** Paints: three primary colours, and what mixing them gives. */
import { Thing } from '../things/thing.ts';
import type { World } from '../things/thing.ts';
import { Material } from './material.ts';
import type { MaterialKind } from './materials.ts';

const PAINTS = {
  RedPaint: { name: 'red paint', material: 'redPaint' },
  BluePaint: { name: 'blue paint', material: 'bluePaint' },
  YellowPaint: { name: 'yellow paint', material: 'yellowPaint' },
  VioletPaint: { name: 'violet paint', material: 'violetPaint' },
  GreenPaint: { name: 'green paint', material: 'greenPaint' },
  OrangePaint: { name: 'orange paint', material: 'orangePaint' },
  BrownPaint: { name: 'brown paint', material: 'brownPaint' },
  YellowOrangePaint: { name: 'yellow-orange paint', material: 'yellowOrangePaint' },
  RedOrangePaint: { name: 'red-orange paint', material: 'redOrangePaint' },
  VioletRedPaint: { name: 'violet-red paint', material: 'violetRedPaint' },
  BlueVioletPaint: { name: 'blue-violet paint', material: 'blueVioletPaint' },
  GreenBluePaint: { name: 'green-blue paint', material: 'greenBluePaint' },
  YellowGreenPaint: { name: 'yellow-green paint', material: 'yellowGreenPaint' },
} as const satisfies Readonly<Record<string, { name: string; material: MaterialKind }>>;

export type PaintKind = keyof typeof PAINTS;

class Paint extends Thing {
  constructor(world: World, kind: PaintKind) {
    super(world, kind, PAINTS[kind].name);
    this.material = new Material(PAINTS[kind].material);
  }

  override referents(): readonly string[] {
    return ['paint', this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    return this.title();
  }
}

export function paint(world: World, kind: PaintKind): Thing {
  return new Paint(world, kind);
}
