/**
 * Kinds of things in a household, as ALFRED has them: what lies in which room, what fits into what, what can be done to what.
 */
import type { RoomKind } from './rooms.ts';

export interface Presence {
  readonly kind: string;
  /** Share of rooms that have it, and how many there are then on average. */
  readonly chance: number;
  readonly mean: number;
}

/** What may lie around in a room. */
export function belongings(room: RoomKind): readonly Presence[] {
  return presences.get(room) ?? [];
}

/** Kinds of objects that a kind of receptacle may hold. */
export function held(receptacle: string): readonly string[] {
  return holding.get(receptacle) ?? [];
}

export type Property = keyof typeof properties;

export const propertyNames = (): readonly Property[] => Object.keys(properties) as Property[];

export function has(kind: string, property: Property): boolean {
  return having.get(property)?.has(kind) ?? false;
}

/** A closed receptacle must be opened first; some drawers and cabinets stand open for good. */
export const closing: Readonly<Record<string, number>> = { fridge: 1, microwave: 1, drawer: 0.84, cabinet: 0.82, safe: 0.85 };

const inRooms: Readonly<Record<RoomKind, string>> = {
  kitchen:
    'apple 99 2.0, book 11 1.5, bowl 100 2.0, bread 100 1.6, butterknife 95 1.9, cellphone 11 1.9, creditcard 9 2.0, cup 100 2.0, dishsponge 99 2.0, egg 99 2.0, fork 98 2.0, glassbottle 23 2.0, kettle 52 1.7, knife 98 1.9, ladle 35 1.9, lettuce 98 1.8, mug 98 1.9, pan 100 1.4, papertowelroll 35 1.0, pen 6 2.0, pencil 7 1.8, peppershaker 100 2.1, plate 97 1.8, pot 100 1.6, potato 99 1.9, saltshaker 100 2.0, soapbottle 99 1.9, spatula 100 1.9, spoon 99 2.0, spraybottle 7 1.9, statue 15 1.8, tomato 99 2.0, vase 15 2.5, winebottle 42 2.0',
  living:
    'book 26 1.8, bowl 11 1.8, box 86 1.4, candle 9 2.4, cellphone 21 2.0, creditcard 100 2.2, desklamp 25 1.0, keychain 92 1.8, laptop 100 1.4, newspaper 62 1.9, pen 20 2.0, pencil 16 2.0, pillow 100 1.1, plate 35 1.7, remotecontrol 97 2.0, statue 96 2.3, tissuebox 34 2.1, vase 49 3.0, watch 49 2.1, wateringcan 9 1.5',
  bedroom:
    'alarmclock 99 1.7, book 100 1.9, bowl 45 1.6, box 9 1.0, cd 93 1.9, cellphone 100 2.1, creditcard 100 2.0, desklamp 71 1.1, keychain 98 2.0, laptop 100 1.6, mug 49 1.9, pen 100 2.1, pencil 100 2.0, pillow 100 1.7, remotecontrol 12 1.9, statue 15 1.4, teddybear 27 1.0, tissuebox 14 1.9, vase 6 2.2, watch 7 2.1',
  bathroom:
    'candle 97 1.9, cloth 100 2.0, dishsponge 23 2.2, handtowel 100 1.2, papertowelroll 13 1.0, soapbar 97 2.0, soapbottle 96 1.9, spraybottle 100 2.0, tissuebox 25 1.9, toiletpaper 99 2.0, towel 100 1.1',
};

const receptacles: Readonly<Record<string, string>> = {
  armchair: 'book box cellphone cloth creditcard keychain laptop newspaper pillow remotecontrol',
  bathtubbasin: 'cloth dishsponge handtowel soapbar',
  bed: 'baseballbat basketball book cellphone laptop pillow tennisracket',
  cabinet:
    'book bowl box candle cd cloth cup dishsponge glassbottle handtowel kettle ladle mug newspaper pan peppershaker plate plunger pot saltshaker soapbar soapbottle spraybottle tissuebox toiletpaper vase wateringcan winebottle',
  cart: 'candle cloth dishsponge handtowel plunger soapbar soapbottle spraybottle tissuebox toiletpaper',
  coffeemachine: 'mug',
  coffeetable:
    'book bowl box candle cellphone creditcard keychain laptop newspaper pen pencil plate remotecontrol statue tissuebox vase watch wateringcan',
  countertop:
    'alarmclock apple book bowl bread butterknife candle cd cellphone cloth creditcard cup dishsponge egg fork glassbottle handtowel kettle keychain knife ladle laptop lettuce mug pan pen pencil peppershaker plate pot potato remotecontrol saltshaker soapbar soapbottle spatula spoon spraybottle statue tissuebox toiletpaper tomato vase winebottle',
  desk: 'alarmclock basketball book bowl box cd cellphone cloth creditcard keychain laptop mug pen pencil remotecontrol statue tennisracket tissuebox vase watch wateringcan',
  diningtable:
    'alarmclock apple baseballbat basketball book bowl box bread butterknife candle cd cellphone cloth creditcard cup dishsponge egg fork glassbottle kettle keychain knife ladle laptop lettuce mug newspaper pan pen pencil peppershaker plate pot potato remotecontrol saltshaker soapbottle spatula spoon spraybottle statue tennisracket tissuebox tomato vase watch wateringcan winebottle',
  drawer:
    'book butterknife candle cd cellphone cloth creditcard dishsponge fork handtowel keychain knife ladle newspaper pen pencil peppershaker remotecontrol saltshaker soapbar soapbottle spatula spoon spraybottle tissuebox toiletpaper watch wateringcan',
  dresser:
    'alarmclock basketball book bowl box candle cd cellphone cloth creditcard keychain laptop mug newspaper pen pencil plate remotecontrol spraybottle statue tennisracket tissuebox toiletpaper vase watch wateringcan',
  fridge: 'apple bowl bread cup egg glassbottle lettuce mug pan plate pot potato tomato winebottle',
  garbagecan:
    'apple bread cd cloth dishsponge egg handtowel lettuce newspaper pen pencil potato soapbar soapbottle spraybottle tissuebox toiletpaper tomato winebottle',
  handtowelholder: 'handtowel',
  laundryhamper: 'cloth',
  microwave: 'apple bowl bread cup egg glassbottle mug plate potato tomato',
  ottoman: 'book box cellphone creditcard keychain laptop newspaper pillow remotecontrol',
  safe: 'cd cellphone creditcard keychain statue vase',
  shelf:
    'alarmclock book bowl box candle cd cellphone cloth creditcard cup dishsponge glassbottle handtowel kettle keychain mug newspaper pen pencil peppershaker plate pot remotecontrol saltshaker soapbar soapbottle spraybottle statue tissuebox toiletpaper vase watch wateringcan winebottle',
  sidetable:
    'alarmclock apple baseballbat basketball book bowl box bread butterknife candle cd cellphone cloth creditcard cup dishsponge egg fork handtowel kettle keychain knife laptop lettuce mug newspaper pan pen pencil peppershaker plate pot potato remotecontrol saltshaker soapbar soapbottle spatula spoon spraybottle statue tennisracket tissuebox toiletpaper tomato vase watch wateringcan winebottle',
  sinkbasin:
    'apple bowl butterknife cloth cup dishsponge egg fork glassbottle handtowel kettle knife ladle lettuce mug pan plate pot potato soapbar spatula spoon tomato',
  sofa: 'book box cellphone creditcard keychain laptop newspaper pillow remotecontrol',
  stoveburner: 'kettle pan pot',
  toilet: 'candle cloth dishsponge handtowel soapbar soapbottle spraybottle tissuebox toiletpaper',
  toiletpaperhanger: 'toiletpaper',
  towelholder: 'towel',
  tvstand: 'tissuebox',
};

const properties = {
  isreceptacleobject: 'bowl box cup mug pan plate pot',
  cleanable:
    'apple bowl butterknife cloth cup dishsponge egg fork kettle knife ladle lettuce mug pan plate pot potato soapbar spatula spoon tomato',
  heatable: 'apple bread cup egg mug plate potato tomato',
  coolable: 'apple bowl bread cup egg lettuce mug pan plate pot potato tomato winebottle',
  toggleable: 'desklamp',
  sliceable: 'apple bread egg lettuce potato tomato',
} as const;

const presences = new Map<string, readonly Presence[]>(
  Object.entries(inRooms).map(([room, text]) => [
    room,
    text.split(', ').map((entry): Presence => {
      const [kind = '', chance, mean] = entry.split(' ');
      return { kind, chance: Number(chance) / 100, mean: Number(mean) };
    }),
  ]),
);

const holding = new Map(Object.entries(receptacles).map(([receptacle, kinds]) => [receptacle, kinds.split(' ')]));

const having = new Map<string, ReadonlySet<string>>(
  Object.entries(properties).map(([property, kinds]) => [property, new Set(kinds.split(' '))]),
);
