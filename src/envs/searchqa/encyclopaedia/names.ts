/** Names for what the encyclopaedia tells of. Each is given once. */
import type { Random } from '../../../core/random/random.ts';

/** Draws names of one kind until each differs from all that were taken before. */
export function unused(taken: Set<string>, draw: () => string): string {
  for (let tries = 0; ; tries++) {
    const name = tries < 50 ? draw() : `${draw()} ${String.fromCharCode(65 + (tries % 26))}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const FIRST = words(`
Adam Agnes Alma Amir Anton Astrid Basil Beatrix Bruno Cara Cedric Clara Dario Delia Edgar Elena Emil Esther Felix Fiona Gaston Greta
Hanna Hector Helga Igor Irene Isaac Jonas Judith Karim Klara Leon Lucia Magnus Maya Mila Nadia Nestor Olga Oscar Paula Pedro Petra
Ramon Rita Selma Simon Sofia Stefan Tamara Theo Tilda Ulrich Vida Vincent Walter Xenia Yves Zelda`);
const LAST = words(`
Aldana Almeida Andersson Arnaud Bailey Barros Bergman Bianchi Bosch Brandt Calvert Cardoso Carver Cheng Clarke Corbin Dalton Delgado
Dietrich Drake Duval Eklund Ellis Farrow Fischer Fontaine Fuentes Gallo Garner Gomez Haddad Hansen Hartman Hayashi Horvath Ibarra
Jansen Joshi Kaplan Keller Kimura Kovacs Lambert Larsen Laurent Lindqvist Mahler Marin Mercer Molina Morgan Nakano Neumann Nilsen
Ortega Osborne Palmer Petrov Pinto Quinn Ramos Reuter Rivera Romano Sandoval Schmidt Serrano Shapiro Singh Sokolov Sorensen Suzuki
Takeda Thorne Torres Ueda Valente Varga Vidal Wagner Walsh Whitaker Winters Yamada Zapata Zeller`);
const LANDS = words(`
Ardenia Belmora Calvonia Dorvania Elloria Farland Gelmark Havonia Istmora Jorland Kalmira Lothia Marvania Norvia Ostland Pelonia Quenland
Rovania Selmark Tarvia Ulmeria Valdoria Westmark Yelland Zorania Altania Brennia Corvenia Delmora Estovia Fenland Grelland Hestria
Ivoria Junaria Kestland Lumeria Mornia Nelvia Orvania Pradia Questria Ristland Sorvenia Thelmark Umbralia Vestoria Wolmark Yarvenia
Zelmora Asteria Borvia Cresland Dunmark Evoria Folmora Garvenia Holmark Irvania Jelmora`);
const HEAD = words(`
Aber Amber Ash Beacon Birch Black Brook Castle Cedar Clear Cold Coral Crown Dun East Elder Fair Falcon Fern Glen Grand Gray Haven
Heather High Holly Iron Kings Lake Linden Long Maple Marsh Mill Moon New North Oak Old Pine Queens Raven Red River Rock Rose Saint
Salt Sand Silver South Spring Stone Sun Swan Thorn West White Wild Wind`);
const TAIL = words(`
bank berg borough bridge brook burgh bury castle cliff cross dale den fall field ford gate ham harbor haven hill mouth pass point pool
port shore stead ton vale view ville wick wood worth`);
const QUALITY = words(`
Ancient Autumn Bitter Borrowed Burning Crimson Crystal Dancing Dark Distant Endless Eternal Fading Falling Fearless Final First Floating
Forgotten Fragile Frozen Gathering Glass Hidden Hollow Hungry Invisible Lonely Lost Midnight Morning Nameless Painted Patient Quiet
Restless Roaming Sacred Scarlet Second Secret Shining Silent Sleeping Stolen Stubborn Sudden Tender Velvet Wandering Winding Winter`);
const THING = words(`
Almanac Anthem Archive Atlas Ballad Bell Bridge Caravan Carnival Cathedral Chorus Compass Corridor Crossing Dawn Diary Dream Echo Empire
Feather Festival Forest Fountain Frontier Garden Ghost Harvest Horizon Journey Kingdom Labyrinth Lantern Ledger Lighthouse Machine
Market Mirror Monument Nightfall Oath Orchard Palace Paradise Parade Pilgrim Portrait Promise Reckoning Requiem River Sailor Season
Serpent Shadow Signal Sonata Stranger Summit Tempest Testament Theater Threshold Tide Tower Traveler Voyage Whisper Window`);

export const nameOf = {
  person: (random: Random): string => `${random.pick(FIRST)} ${random.pick(LAST)}`,
  country: (random: Random): string => random.pick(LANDS),
  city: (random: Random): string => random.pick(HEAD) + random.pick(TAIL),
  work: (random: Random): string => `${random.pick(QUALITY)} ${random.pick(THING)}`,
} as const;

export const LAND_COUNT = LANDS.length;
