/**
 * What stands in the rooms of the 120 floor plans of AI2-THOR that ALFRED plays in: how many receptacles of each kind. Rooms that
 * ALFRED keeps for its unseen splits are kept for tests here as well.
 */
export type RoomKind = 'kitchen' | 'living' | 'bedroom' | 'bathroom';

export interface Room {
  /** THOR's number of the floor plan. */
  readonly plan: number;
  /** Kind of receptacle → how many. */
  readonly receptacles: ReadonlyMap<string, number>;
}

/** Rooms of a kind, for training or for tests: no room is in both. */
export function roomsOf(kind: RoomKind, use: 'train' | 'test'): readonly Room[] {
  const key = `${kind} ${use}`;
  let rooms = read.get(key);
  if (!rooms) {
    const plans = Object.entries(tables[kind]).filter(([plan]) => unseen.has(Number(plan)) === (use === 'test'));
    read.set(key, (rooms = plans.map(([plan, words]) => ({ plan: Number(plan), receptacles: counts(words) }))));
  }
  return rooms;
}

const read = new Map<string, readonly Room[]>();

const unseen = new Set([9, 10, 29, 215, 219, 226, 308, 315, 325, 404, 424, 425]);

function counts(text: string): ReadonlyMap<string, number> {
  const words = text.split(' ');
  return new Map(words.flatMap((word, at): [string, number][] => (at % 2 === 0 ? [[word, Number(words[at + 1])]] : [])));
}

const tables: Readonly<Record<RoomKind, Readonly<Record<number, string>>>> = {
  kitchen: {
    1: 'cabinet 9 coffeemachine 1 countertop 3 drawer 9 fridge 1 garbagecan 1 microwave 1 shelf 3 sinkbasin 1 stoveburner 4 toaster 1',
    2: 'cabinet 9 coffeemachine 1 countertop 2 drawer 13 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 6 toaster 1',
    3: 'cabinet 4 coffeemachine 1 countertop 1 drawer 8 fridge 1 garbagecan 1 microwave 1 sidetable 1 sinkbasin 1 stoveburner 4 toaster 1',
    4: 'cabinet 2 coffeemachine 1 countertop 3 diningtable 1 drawer 6 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    5: 'cabinet 20 coffeemachine 1 countertop 3 drawer 3 fridge 1 garbagecan 1 microwave 1 shelf 3 sinkbasin 1 stoveburner 4 toaster 1',
    6: 'cabinet 15 coffeemachine 1 countertop 4 drawer 4 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    7: 'cabinet 13 coffeemachine 1 countertop 2 diningtable 1 drawer 4 fridge 1 garbagecan 1 microwave 1 shelf 3 sinkbasin 1 stoveburner 4 toaster 1',
    8: 'cabinet 18 coffeemachine 1 countertop 4 drawer 7 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    9: 'cabinet 28 coffeemachine 1 countertop 3 diningtable 1 drawer 11 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    10: 'cabinet 3 coffeemachine 1 countertop 3 drawer 3 fridge 1 garbagecan 1 microwave 1 shelf 3 sinkbasin 1 stoveburner 4 toaster 1',
    11: 'cabinet 10 coffeemachine 1 countertop 3 diningtable 1 drawer 6 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    12: 'cabinet 19 coffeemachine 1 countertop 3 drawer 4 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    13: 'cabinet 26 coffeemachine 1 countertop 3 drawer 12 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    14: 'cabinet 8 coffeemachine 1 countertop 2 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    15: 'cabinet 11 coffeemachine 1 countertop 2 diningtable 1 drawer 3 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    16: 'cabinet 27 coffeemachine 1 countertop 2 diningtable 1 drawer 12 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    17: 'cabinet 20 coffeemachine 1 countertop 2 diningtable 2 drawer 6 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    18: 'cabinet 16 coffeemachine 1 countertop 2 diningtable 1 drawer 5 fridge 1 garbagecan 1 microwave 1 safe 1 sinkbasin 1 stoveburner 4 toaster 1',
    19: 'cabinet 21 coffeemachine 1 countertop 2 diningtable 1 drawer 5 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    20: 'cabinet 13 coffeemachine 1 countertop 1 diningtable 1 drawer 1 fridge 1 garbagecan 1 microwave 1 shelf 3 sinkbasin 1 stoveburner 4 toaster 1',
    21: 'cabinet 4 coffeemachine 1 countertop 1 diningtable 3 drawer 1 fridge 1 garbagecan 1 microwave 1 sidetable 1 sinkbasin 1 stoveburner 4 toaster 1',
    22: 'cabinet 20 coffeemachine 1 countertop 3 drawer 3 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    23: 'cabinet 10 coffeemachine 1 countertop 1 diningtable 1 drawer 2 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    24: 'cabinet 23 coffeemachine 1 countertop 3 diningtable 1 drawer 4 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    25: 'cabinet 13 coffeemachine 1 countertop 1 drawer 5 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    26: 'cabinet 10 coffeemachine 1 countertop 2 diningtable 2 drawer 3 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    27: 'cabinet 12 coffeemachine 1 countertop 2 diningtable 1 drawer 3 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    28: 'cabinet 11 coffeemachine 1 countertop 2 diningtable 2 drawer 3 fridge 1 garbagecan 1 microwave 1 sidetable 1 sinkbasin 1 stoveburner 4 toaster 1',
    29: 'cabinet 6 coffeemachine 1 countertop 2 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
    30: 'cabinet 13 coffeemachine 1 countertop 4 drawer 27 fridge 1 garbagecan 1 microwave 1 sinkbasin 1 stoveburner 4 toaster 1',
  },
  living: {
    201: 'armchair 2 coffeetable 1 diningtable 2 drawer 2 garbagecan 1 sidetable 2 sofa 1 tvstand 1',
    202: 'armchair 1 coffeetable 1 garbagecan 1 sidetable 1 sofa 1 tvstand 1',
    203: 'armchair 1 coffeetable 1 diningtable 1 drawer 7 garbagecan 1 ottoman 1 sidetable 1 sofa 1',
    204: 'armchair 1 coffeetable 1 desk 1 diningtable 1 drawer 6 garbagecan 1 safe 1 shelf 3 sofa 2 tvstand 1',
    205: 'armchair 2 diningtable 1 drawer 4 dresser 1 garbagecan 1 ottoman 1 sidetable 3 sofa 1',
    206: 'armchair 1 coffeetable 1 garbagecan 1 shelf 14 sofa 1 tvstand 2',
    207: 'armchair 2 coffeetable 2 garbagecan 1 shelf 8 sofa 1 tvstand 1',
    208: 'armchair 1 diningtable 1 drawer 1 garbagecan 1 ottoman 1 shelf 8 sidetable 1 sofa 1 tvstand 1',
    209: 'armchair 1 coffeetable 1 drawer 4 dresser 1 garbagecan 1 sidetable 2 sofa 1',
    210: 'armchair 1 coffeetable 2 drawer 8 dresser 2 garbagecan 1 ottoman 1 sofa 1',
    211: 'armchair 1 coffeetable 1 drawer 1 garbagecan 1 shelf 5 sidetable 2 sofa 1 tvstand 1',
    212: 'armchair 2 coffeetable 1 drawer 1 garbagecan 1 shelf 4 sidetable 1 sofa 1 tvstand 2',
    213: 'armchair 2 coffeetable 1 diningtable 1 drawer 12 dresser 1 garbagecan 1 sidetable 3 sofa 1',
    214: 'armchair 1 coffeetable 1 garbagecan 1 shelf 2 sidetable 1 sofa 2',
    215: 'coffeetable 2 garbagecan 1 shelf 8 sidetable 2 sofa 1',
    216: 'armchair 1 diningtable 1 drawer 4 garbagecan 1 shelf 1 sidetable 3 sofa 1',
    217: 'armchair 2 cabinet 4 coffeetable 1 drawer 4 dresser 1 garbagecan 1 sidetable 1 sofa 1',
    218: 'coffeetable 1 diningtable 1 drawer 4 dresser 1 garbagecan 1 sidetable 2 sofa 1',
    219: 'armchair 1 cabinet 4 drawer 5 dresser 1 garbagecan 1 safe 1 shelf 12 sidetable 1 sofa 1',
    220: 'armchair 1 coffeetable 1 diningtable 2 drawer 6 dresser 1 garbagecan 1 sidetable 1 sofa 2 tvstand 1',
    221: 'armchair 1 coffeetable 2 diningtable 1 drawer 1 garbagecan 1 sidetable 1 sofa 1',
    222: 'armchair 1 coffeetable 1 drawer 7 garbagecan 1 sidetable 3 sofa 2 tvstand 1',
    223: 'armchair 3 coffeetable 1 diningtable 2 garbagecan 1 sofa 1 tvstand 1',
    224: 'armchair 1 cabinet 1 drawer 21 dresser 1 garbagecan 1 sidetable 5 sofa 1',
    225: 'armchair 1 coffeetable 1 drawer 1 garbagecan 1 shelf 6 sidetable 1 sofa 2 tvstand 1',
    226: 'armchair 1 coffeetable 1 drawer 7 garbagecan 1 sidetable 1 sofa 1',
    227: 'armchair 2 cabinet 8 coffeetable 2 diningtable 1 drawer 7 garbagecan 1 shelf 13 sofa 1',
    228: 'coffeetable 1 diningtable 1 drawer 1 garbagecan 1 sidetable 2 sofa 2',
    229: 'armchair 1 coffeetable 1 drawer 4 dresser 1 garbagecan 1 sidetable 3 sofa 1',
    230: 'armchair 2 coffeetable 2 diningtable 1 garbagecan 1 sidetable 2 sofa 1',
  },
  bedroom: {
    301: 'bed 1 desk 1 drawer 17 dresser 1 garbagecan 1 shelf 6',
    302: 'bed 1 desk 1 drawer 3 garbagecan 1 safe 1 shelf 5 sidetable 2',
    303: 'bed 1 desk 1 drawer 5 dresser 1 garbagecan 1 shelf 12 sidetable 1',
    304: 'bed 2 desk 1 drawer 3 garbagecan 1 laundryhamper 1 shelf 1',
    305: 'bed 1 desk 1 drawer 5 dresser 1 garbagecan 1 laundryhamper 1 shelf 1',
    306: 'bed 1 desk 1 drawer 5 garbagecan 1 laundryhamper 1 shelf 1 sidetable 1',
    307: 'bed 1 desk 1 drawer 3 garbagecan 1 laundryhamper 1 shelf 2 sidetable 1',
    308: 'bed 1 desk 2 drawer 3 garbagecan 1 safe 1 shelf 5',
    309: 'armchair 3 bed 1 cabinet 2 desk 1 drawer 4 garbagecan 1 laundryhamper 1 safe 1 sidetable 1',
    310: 'bed 1 cabinet 4 desk 1 drawer 2 garbagecan 1 shelf 1 sidetable 1',
    311: 'armchair 2 bed 1 countertop 1 diningtable 1 drawer 2 dresser 1 garbagecan 1 laundryhamper 1 sidetable 1',
    312: 'bed 1 desk 1 drawer 2 garbagecan 1 shelf 8 sidetable 1',
    313: 'bed 1 desk 1 drawer 6 garbagecan 1 shelf 2 sidetable 1',
    314: 'bed 1 desk 1 drawer 5 dresser 1 garbagecan 1',
    315: 'bed 1 coffeetable 1 diningtable 1 drawer 13 dresser 1 garbagecan 1',
    316: 'bed 1 desk 1 drawer 2 garbagecan 1 shelf 1 sidetable 1',
    317: 'bed 1 drawer 11 dresser 1 garbagecan 1 laundryhamper 1 safe 1 sidetable 1',
    318: 'armchair 1 bed 2 cabinet 1 desk 2 drawer 13 dresser 2 garbagecan 1',
    319: 'bed 1 drawer 10 dresser 1 garbagecan 1 shelf 9',
    320: 'bed 1 desk 2 garbagecan 1 shelf 5',
    321: 'armchair 1 bed 1 diningtable 1 drawer 2 garbagecan 1 sidetable 2',
    322: 'armchair 1 bed 1 cabinet 4 drawer 6 dresser 1 garbagecan 1 sidetable 2',
    323: 'bed 2 desk 1 drawer 11 dresser 1 garbagecan 1 safe 1 sidetable 2',
    324: 'bed 1 drawer 10 dresser 1 garbagecan 1 shelf 7',
    325: 'bed 1 cabinet 4 drawer 14 dresser 2 garbagecan 1 shelf 2 sidetable 1',
    326: 'bed 2 diningtable 1 drawer 2 garbagecan 1 shelf 14 sidetable 1',
    327: 'bed 1 desk 1 drawer 8 dresser 1 garbagecan 1 shelf 5',
    328: 'bed 1 desk 1 drawer 2 garbagecan 1 shelf 1 sidetable 1',
    329: 'bed 1 diningtable 1 drawer 4 garbagecan 1 sidetable 2',
    330: 'armchair 1 bed 1 drawer 16 dresser 2 garbagecan 1 shelf 2 sidetable 2',
  },
  bathroom: {
    401: 'bathtubbasin 1 cart 1 garbagecan 1 handtowelholder 2 shelf 4 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 2',
    402: 'bathtubbasin 1 cabinet 4 countertop 1 garbagecan 1 handtowelholder 2 shelf 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 2',
    403: 'bathtubbasin 1 cabinet 4 countertop 1 garbagecan 1 handtowelholder 1 shelf 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 2',
    404: 'bathtubbasin 1 garbagecan 1 shelf 3 sinkbasin 1 toilet 1',
    405: 'bathtubbasin 1 cabinet 5 countertop 1 garbagecan 1 handtowelholder 2 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    406: 'bathtubbasin 1 cabinet 2 countertop 1 garbagecan 1 handtowelholder 1 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    407: 'bathtubbasin 1 cabinet 4 countertop 1 garbagecan 1 handtowelholder 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    408: 'bathtubbasin 1 cabinet 4 countertop 1 garbagecan 1 handtowelholder 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    409: 'countertop 1 drawer 6 garbagecan 1 handtowelholder 2 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 2',
    410: 'bathtubbasin 1 countertop 1 drawer 6 garbagecan 1 handtowelholder 2 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 2',
    411: 'bathtubbasin 1 countertop 2 drawer 4 garbagecan 1 handtowelholder 1 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 2',
    412: 'cabinet 4 countertop 1 garbagecan 1 handtowelholder 2 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    413: 'bathtubbasin 1 cabinet 4 countertop 1 drawer 4 dresser 1 garbagecan 1 handtowelholder 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    414: 'bathtubbasin 1 cabinet 9 countertop 2 drawer 1 garbagecan 1 handtowelholder 1 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    415: 'bathtubbasin 1 countertop 1 drawer 4 dresser 1 garbagecan 1 handtowelholder 2 shelf 2 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    416: 'countertop 1 drawer 2 garbagecan 1 handtowelholder 2 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    417: 'cabinet 4 countertop 1 garbagecan 1 handtowelholder 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    418: 'cabinet 3 countertop 1 garbagecan 1 handtowelholder 2 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    419: 'bathtubbasin 1 drawer 2 garbagecan 1 handtowelholder 1 sidetable 1 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    420: 'drawer 1 garbagecan 1 handtowelholder 1 sidetable 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 2',
    421: 'countertop 1 drawer 8 garbagecan 1 handtowelholder 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    422: 'bathtubbasin 1 cabinet 5 countertop 2 drawer 2 garbagecan 1 handtowelholder 1 shelf 2 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    423: 'bathtubbasin 1 countertop 2 drawer 8 garbagecan 1 handtowelholder 4 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    424: 'cabinet 4 countertop 1 garbagecan 1 sinkbasin 2 toilet 1',
    425: 'cabinet 4 countertop 1 garbagecan 1 toilet 1',
    426: 'bathtubbasin 1 countertop 1 drawer 8 garbagecan 1 handtowelholder 1 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 2',
    427: 'bathtubbasin 1 countertop 1 drawer 8 garbagecan 1 handtowelholder 2 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    428: 'cabinet 4 countertop 1 garbagecan 1 handtowelholder 1 sinkbasin 2 toilet 1 toiletpaperhanger 1 towelholder 1',
    429: 'bathtubbasin 1 garbagecan 1 handtowelholder 1 shelf 3 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
    430: 'bathtubbasin 1 cart 1 countertop 1 drawer 4 garbagecan 1 handtowelholder 1 shelf 1 sinkbasin 1 toilet 1 toiletpaperhanger 1 towelholder 1',
  },
};
