/** The tree of all things as the original's API gives it: names, properties and contents. AgentGym's visualizer draws from it. */
import { Portal } from './things/portal.ts';
import type { Thing } from './things/thing.ts';
import { Terminal } from './things/thing.ts';

export type TreeNode = Readonly<Record<string, unknown>>;

export function objectTree(thing: Thing): TreeNode {
  return {
    uuid: String(thing.id),
    name: thing.name,
    type: thing.type,
    isDeleted: thing.deleted,
    propMaterial: material(thing),
    propEdibility: thing.edible === undefined ? null : { isEdible: thing.edible, isPoisonous: false },
    propContainer: vessel(thing),
    propDevice: thing.device ?? null,
    propHeatSource: thing.heater === undefined ? null : { maxTemp: thing.heater.limit, curSetTemp: thing.heater.set ?? null },
    propCoolingSource: thing.cooler === undefined ? null : { minTemp: thing.cooler.limit, curSetTemp: thing.cooler.set ?? null },
    propPortal: portal(thing),
    propMoveable: { isMovable: thing.movable },
    propElectricalConnection:
      thing instanceof Terminal ? { connectedTo: thing.connections.map((other) => String(other.id)) } : null,
    propLife: life(thing),
    contents: Object.fromEntries(thing.contents.map((inner) => [`${inner.name}-${inner.id}`, objectTree(inner)])),
  };
}

function material({ material: own }: Thing): TreeNode | null {
  if (own === undefined) return null;
  return {
    substanceName: own.substance,
    color: own.color,
    temperatureC: own.temperature,
    thermalConductivity: own.conductivity,
    stateOfMatter: own.state,
    boilingPoint: own.boiling,
    meltingPoint: own.melting,
    isCombusting: own.burning,
    hasCombusted: own.burned,
    combustionTicks: own.fuel,
    electricallyConductive: own.conducts,
    frictionCoefficient: own.friction,
  };
}

function vessel({ vessel: own }: Thing): TreeNode | null {
  if (own === undefined) return null;
  // The original writes the first of the three as text.
  return { isContainer: String(own.isContainer), isOpen: own.isOpen, isClosable: own.isClosable };
}

function portal(thing: Thing): TreeNode | null {
  if (!(thing instanceof Portal)) return null;
  const ends = { connectsFrom: String(thing.from.id), connectsTo: String(thing.to.id) };
  return { ...thing.portal, ...ends, isLockable: false, isLocked: false };
}

function life({ life: own }: Thing): TreeNode | null {
  if (own === undefined) return null;
  return {
    lifeformType: own.species,
    minTemp: own.coldest,
    maxTemp: own.hottest,
    isSickly: own.isSickly,
    isDead: own.isDead,
    // The original keeps it as a 32-bit number.
    lifespanTypical: Math.fround(own.lifespan),
  };
}
