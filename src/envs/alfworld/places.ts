/**
 * Where objects usually lie: how many of a kind are found in one receptacle of a kind, in hundredths, in homes that have the
 * object at all. Counted in the official training games. The expert looks in likely places first; the generator puts things there.
 */

/** Things of this kind to expect in a receptacle of that kind; 0 where they are never found. */
export function likelihood(object: string, receptacle: string): number {
  return placesOf(object).get(receptacle) ?? 0;
}

/** Where things of a kind lie, with the expected number in each kind of receptacle. */
export function placesOf(object: string): ReadonlyMap<string, number> {
  let places = read.get(object);
  if (!places) {
    const words = (Object.hasOwn(table, object) ? (table[object] ?? '') : '').split(' ');
    const pairs = words.flatMap((word, at): [string, number][] => (at % 2 === 0 ? [[word, Number(words[at + 1]) / 100]] : []));
    read.set(object, (places = new Map(pairs.filter(([, number]) => number > 0))));
  }
  return places;
}

const read = new Map<string, ReadonlyMap<string, number>>();

const table: Readonly<Record<string, string>> = {
  alarmclock: 'diningtable 97 desk 75 countertop 71 dresser 57 sidetable 39 shelf 12',
  apple: 'fridge 49 diningtable 40 sidetable 34 microwave 26 garbagecan 25 countertop 21 sinkbasin 18',
  book: 'bed 82 coffeetable 61 desk 46 countertop 38 diningtable 35 sofa 30 dresser 25 armchair 14 sidetable 8 cabinet 3 drawer 3 shelf 1',
  bowl: 'desk 95 coffeetable 49 diningtable 41 fridge 40 dresser 38 tvstand 37 countertop 18 shelf 10 sidetable 8 sinkbasin 6 microwave 5 cabinet 5',
  box: 'diningtable 48 coffeetable 27 sofa 24 desk 14 tvstand 8 cabinet 5 sidetable 5 dresser 5 armchair 3 shelf 2',
  bread: 'diningtable 64 countertop 38 fridge 19 sidetable 10 garbagecan 1',
  butterknife: 'diningtable 62 countertop 46 sidetable 30 sinkbasin 10 drawer 3',
  candle:
    'sidetable 76 countertop 57 toilet 56 coffeetable 45 cart 39 tvstand 33 diningtable 33 dresser 25 shelf 25 cabinet 13 drawer 9',
  cd: 'diningtable 83 dresser 48 desk 46 sidetable 27 garbagecan 14 armchair 9 drawer 9 cabinet 8 safe 6 shelf 4',
  cellphone:
    'bed 52 desk 47 diningtable 47 ottoman 41 dresser 41 coffeetable 40 countertop 29 sofa 26 safe 25 sidetable 21 armchair 18 shelf 5 drawer 5',
  cloth: 'bathtubbasin 87 cart 33 countertop 32 cabinet 19 dresser 14 sinkbasin 11 drawer 8 toilet 6 shelf 5',
  creditcard:
    'desk 46 dresser 43 diningtable 41 tvstand 37 sofa 35 countertop 32 coffeetable 32 sidetable 24 armchair 21 ottoman 19 shelf 10 drawer 9',
  cup: 'fridge 41 diningtable 38 sidetable 33 sinkbasin 18 countertop 18 microwave 14 shelf 6 cabinet 3',
  desklamp: 'sidetable 42 desk 40 dresser 36 coffeetable 16 shelf 4',
  dishsponge:
    'bathtubbasin 44 diningtable 33 cart 32 countertop 23 toilet 16 sinkbasin 15 sidetable 14 garbagecan 11 shelf 10 drawer 7 cabinet 4',
  egg: 'fridge 50 diningtable 31 sidetable 28 sinkbasin 25 garbagecan 25 microwave 24 countertop 20',
  floorlamp: 'sinkbasin 41',
  fork: 'diningtable 59 countertop 37 sidetable 27 sinkbasin 17 drawer 7',
  glassbottle: 'diningtable 44 countertop 20 sinkbasin 18 fridge 18 garbagecan 14 shelf 9 cabinet 4',
  handtowel: 'handtowelholder 79 countertop 5',
  kettle: 'diningtable 24 stoveburner 17 countertop 17 cabinet 3 sinkbasin 3 shelf 1',
  keychain:
    'desk 44 safe 44 dresser 41 coffeetable 32 diningtable 32 tvstand 29 sidetable 25 ottoman 19 sofa 16 armchair 12 drawer 8 shelf 8 cabinet 2',
  knife: 'diningtable 62 countertop 39 sidetable 14 sinkbasin 9 drawer 6',
  ladle: 'diningtable 64 countertop 34 drawer 4 sinkbasin 4 cabinet 4',
  laptop:
    'bed 103 countertop 52 diningtable 46 desk 38 coffeetable 34 sofa 32 ottoman 19 dresser 17 tvstand 17 armchair 5 sidetable 4',
  lettuce: 'diningtable 66 fridge 40 countertop 32 sidetable 24 sinkbasin 9 garbagecan 2',
  mug: 'desk 86 dresser 46 coffeemachine 38 diningtable 33 fridge 30 sidetable 28 countertop 27 microwave 16 sinkbasin 13 shelf 8 cabinet 3',
  newspaper: 'diningtable 57 dresser 46 coffeetable 34 sofa 30 ottoman 25 tvstand 18 sidetable 14 armchair 12 shelf 12 drawer 1',
  pan: 'countertop 26 stoveburner 23 diningtable 10 fridge 7 cabinet 1',
  papertowelroll: 'diningtable 41 toilet 25 sidetable 23 countertop 22 cart 21 garbagecan 14 shelf 10',
  pen: 'diningtable 91 desk 75 coffeetable 65 dresser 63 countertop 36 sidetable 32 tvstand 24 shelf 11 drawer 7 garbagecan 5',
  pencil:
    'diningtable 67 desk 61 coffeetable 54 dresser 44 sidetable 40 countertop 28 tvstand 20 shelf 12 garbagecan 11 drawer 7',
  peppershaker: 'diningtable 45 sidetable 44 countertop 28 shelf 10 drawer 5 cabinet 5',
  pillow: 'bed 145 sofa 76 armchair 14',
  plate: 'diningtable 41 coffeetable 31 countertop 23 tvstand 18 fridge 16 sidetable 8 shelf 6 cabinet 5 sinkbasin 4 microwave 1',
  pot: 'stoveburner 33 countertop 11 diningtable 10 fridge 8 shelf 1 sinkbasin 1 cabinet 1',
  potato: 'fridge 51 diningtable 42 countertop 24 sidetable 23 sinkbasin 21 microwave 20 garbagecan 12',
  remotecontrol:
    'desk 67 countertop 62 coffeetable 46 tvstand 39 dresser 38 diningtable 37 sofa 30 ottoman 22 sidetable 16 armchair 11 drawer 4 shelf 3',
  saltshaker: 'diningtable 46 sidetable 43 countertop 27 shelf 9 cabinet 5 drawer 5',
  soapbar: 'sidetable 62 countertop 38 bathtubbasin 35 cart 33 toilet 30 sinkbasin 20 shelf 15 garbagecan 13 cabinet 12 drawer 8',
  soapbottle: 'diningtable 52 dresser 51 toilet 43 countertop 31 sidetable 27 cart 24 garbagecan 19 shelf 16 cabinet 5 drawer 1',
  spatula: 'diningtable 62 countertop 37 sinkbasin 16 sidetable 11 drawer 7',
  spoon: 'diningtable 56 countertop 32 sidetable 32 sinkbasin 21 drawer 9',
  spraybottle: 'sidetable 88 cart 87 toilet 54 countertop 50 dresser 40 diningtable 37 shelf 27 garbagecan 21 cabinet 8',
  statue: 'diningtable 68 desk 66 coffeetable 58 tvstand 46 dresser 43 countertop 34 sidetable 25 shelf 20',
  teddybear: 'bed 62',
  tissuebox:
    'desk 83 coffeetable 82 countertop 77 diningtable 63 cart 43 tvstand 34 shelf 25 sidetable 21 dresser 17 cabinet 10 drawer 6 toilet 5 garbagecan 1',
  toiletpaper:
    'toilet 46 countertop 44 dresser 42 sidetable 40 cart 37 toiletpaperhanger 23 shelf 21 garbagecan 19 cabinet 12 drawer 8',
  tomato: 'fridge 66 diningtable 52 sidetable 29 countertop 26 garbagecan 18 sinkbasin 13',
  towel: 'towelholder 87 countertop 3',
  vase: 'dresser 103 coffeetable 55 diningtable 49 desk 43 countertop 32 tvstand 30 shelf 24 sidetable 20 cabinet 6',
  watch: 'desk 63 tvstand 59 diningtable 51 dresser 48 coffeetable 46 sidetable 25 drawer 10 shelf 5',
  wateringcan: 'shelf 19 coffeetable 16 sidetable 1',
  winebottle: 'diningtable 61 countertop 37 garbagecan 18 shelf 6 cabinet 4 fridge 3',
};
