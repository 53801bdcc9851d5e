/**
 * The forty levels in AgentGym's order (`data_idx % 40`), as MiniGrid 2.3.1 registers them, slips included: GoToObjS6 has
 * rooms of size 4. Families are what results are broken down by; the first six are those that AgentGym-RL reports.
 */
import * as goTo from './goto.ts';
import { rooms, type Level } from './level.ts';
import * as open from './open.ts';
import * as pickUp from './pickup.ts';
import * as putNext from './putnext.ts';
import { synth } from './synth.ts';
import * as unlock from './unlock.ts';

export type Family = 'GoTo' | 'Pickup' | 'AOD' | 'FindObj' | 'OneRoom' | 'SynthLoc' | 'Open' | 'PutNext' | 'Unlock' | 'Synth';

export interface NamedLevel extends Level {
  /** MiniGrid's name without `BabyAI-` and `-v0`. */
  readonly name: string;
  readonly family: Family;
}

const named = (name: string, family: Family, level: Level): NamedLevel => ({ ...level, name, family });

export const levels: readonly NamedLevel[] = [
  named('GoToRedBallGrey', 'GoTo', goTo.redBall({ distractors: 7, grey: true })),
  named('GoToRedBall', 'GoTo', goTo.redBall({ distractors: 7 })),
  named('GoToRedBallNoDists', 'GoTo', goTo.redBall({ distractors: 0 })),
  named('GoToObjS6', 'GoTo', goTo.onlyThing(4)),
  named('GoToLocalS8N7', 'GoTo', goTo.local(8, 7)),
  named('GoToObjMazeS7', 'GoTo', goTo.inMaze(7, 1)),
  named('GoToImpUnlock', 'GoTo', goTo.behindLock),
  named(
    'GoToSeqS5R2',
    'GoTo',
    synth({ size: rooms(5, 2, 2), things: 4, deeds: ['goto'], lockedRoom: 0, places: false, unblocking: false }),
  ),
  named('GoToRedBlueBall', 'GoTo', goTo.redOrBlueBall),
  named('GoToDoor', 'GoTo', goTo.door),
  named('GoToObjDoor', 'GoTo', goTo.thingOrDoor),
  named('Open', 'Open', open.anyDoor),
  named('OpenRedDoor', 'Open', open.redDoor),
  named('OpenDoorLoc', 'Open', open.doorByPlace),
  named('OpenRedBlueDoorsDebug', 'Open', open.redThenBlue),
  named('OpenDoorsOrderN4Debug', 'Open', open.inOrder),
  named('Pickup', 'Pickup', pickUp.inMaze({ things: 18, blocked: false })),
  named('UnblockPickup', 'Pickup', pickUp.inMaze({ things: 20, blocked: true })),
  named(
    'PickupLoc',
    'Pickup',
    synth({ size: rooms(8, 1, 1), things: 8, deeds: ['pickup'], joins: ['action'], lockedRoom: 0, unblocking: false }),
  ),
  named('PickupDistDebug', 'Pickup', pickUp.byLook),
  named('PickupAbove', 'Pickup', pickUp.above),
  named('PutNextLocalS6N4', 'PutNext', putNext.local(6, 4)),
  named('PutNextS7N4Carrying', 'PutNext', putNext.acrossCarrying(7, 4)),
  named('Unlock', 'Unlock', unlock.inMaze),
  named('UnlockLocalDist', 'Unlock', unlock.local),
  named('KeyInBox', 'Unlock', unlock.keyInBox),
  named('UnlockPickupDist', 'Unlock', unlock.thenPickup),
  named('BlockedUnlockPickup', 'Unlock', unlock.blockedThenPickup),
  named('UnlockToUnlock', 'Unlock', unlock.toUnlock),
  named('ActionObjDoor', 'AOD', pickUp.actOnIt),
  named('FindObjS7', 'FindObj', pickUp.findIt(7)),
  named('KeyCorridorS6R3', 'Unlock', unlock.keyCorridor(6, 3)),
  named('OneRoomS20', 'OneRoom', pickUp.oneBall(20)),
  named('MoveTwoAcrossS8N9', 'PutNext', putNext.twoAcross(8, 9)),
  named('SynthS5R2', 'Synth', synth({ size: rooms(5, 3, 2), joins: ['action'], places: false, implicitUnlock: false })),
  named('SynthLoc', 'SynthLoc', synth({ joins: ['action'], implicitUnlock: false })),
  named('SynthSeq', 'Synth', synth({ implicitUnlock: false })),
  named('MiniBossLevel', 'Synth', synth({ size: rooms(5, 2, 2), things: 7, lockedRoom: 0.25 })),
  named('BossLevel', 'Synth', synth({})),
  named('BossLevelNoUnlock', 'Synth', synth({ lockedRoom: 0, implicitUnlock: false })),
];
