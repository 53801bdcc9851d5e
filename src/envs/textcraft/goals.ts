/**
 * Which goal AgentGym's `data_idx` names. The original reads its recipes in the order of a directory listing, so each
 * server had its own order; two are known from recordings. `2025` is complete. `2024` (AgentTraj-L) is known for 374 of 544
 * indices; the others are filled with the unused goals of the right depth in alphabetical order.
 */
import type { RecipeBook } from './book.ts';

export type Edition = '2024' | '2025';

/** All 544 goals by data_idx. */
export function goalOrder(edition: Edition, book: RecipeBook): readonly string[] {
  return edition === '2025' ? ORDER_2025.split(/[|\n]+/) : completed(book);
}

/** The data_idx of each 2024 goal that recordings show. */
export function knownGoals2024(): ReadonlyMap<number, string> {
  return new Map(
    KNOWN_2024.split(/[|\n]+/).map((entry) => {
      const [index, goal = ''] = entry.split(' ');
      return [Number(index), goal];
    }),
  );
}

function completed(book: RecipeBook): readonly string[] {
  const known = knownGoals2024();
  const used = new Set(known.values());
  const unused = book
    .goals()
    .filter((goal) => !used.has(goal))
    .sort((a, b) => book.depth(a) - book.depth(b) || (a < b ? -1 : 1));
  let next = 0;
  return Array.from({ length: used.size + unused.length }, (_, index) => known.get(index) ?? unused[next++] ?? '');
}

const ORDER_2025 = `slime_block|yellow_dye|iron_ingot|cobblestone_stairs|turtle_helmet|blue_dye|melon_seeds|red_dye|stone_stairs|
oak_planks|bread|light_gray_dye|end_stone_bricks|diamond_leggings|prismarine_bricks|magenta_dye|gold_ingot|
spruce_planks|coal_block|composter|cobblestone_wall|stripped_spruce_wood|blaze_powder|stick|mossy_cobblestone|
smooth_quartz_stairs|golden_carrot|conduit|bricks|sandstone|blackstone_stairs|purpur_block|hay_block|clay|
green_concrete_powder|observer|crimson_planks|pumpkin_seeds|stripped_oak_wood|daylight_detector|coarse_dirt|
stripped_birch_wood|honeycomb_block|prismarine|scaffolding|stone_slab|stripped_dark_oak_wood|diorite|light_blue_dye|
purpur_pillar|emerald_block|white_dye|diamond_helmet|packed_ice|glass_bottle|jungle_wood|dark_oak_planks|
smooth_sandstone_stairs|honey_block|green_terracotta|pink_dye|blackstone_wall|paper|black_dye|bone_meal|
stripped_acacia_wood|flower_pot|stone_bricks|dried_kelp_block|warped_planks|dropper|cookie|orange_dye|
smooth_stone_slab|smooth_quartz_slab|warped_hyphae|oak_wood|sugar|glistering_melon_slice|brewing_stand|
smooth_sandstone_slab|red_sandstone|smooth_red_sandstone_stairs|green_stained_glass|stripped_warped_hyphae|glowstone|
crimson_hyphae|redstone_block|dark_oak_wood|chiseled_quartz_block|diamond_boots|lead|blackstone_slab|
polished_blackstone|red_nether_bricks|stripped_jungle_wood|diamond_chestplate|acacia_wood|melon|furnace|quartz_block|
snow_block|spruce_wood|birch_wood|nether_bricks|birch_planks|tnt|lapis_block|glass_pane|stone_pressure_plate|leather|
acacia_planks|white_wool|jungle_planks|end_rod|cobblestone_slab|stripped_crimson_hyphae|polished_basalt|stone_button|
diamond_block|sea_lantern|smooth_red_sandstone_slab|nether_wart_block|beacon|brown_dye|magenta_stained_glass|
acacia_fence_gate|golden_axe|warped_fence|red_stained_glass|pink_stained_glass|stone_pickaxe|polished_blackstone_slab|
crimson_stairs|red_sandstone_stairs|prismarine_stairs|brown_stained_glass_pane|armor_stand|orange_stained_glass|
black_wool|golden_sword|mossy_stone_bricks|golden_hoe|respawn_anchor|flower_banner_pattern|pink_terracotta|
white_stained_glass_pane|cut_red_sandstone|polished_blackstone_bricks|light_blue_terracotta|oak_stairs|acacia_slab|
blue_stained_glass|crimson_door|soul_campfire|light_gray_stained_glass_pane|green_stained_glass_pane|iron_hoe|
magenta_concrete_powder|beehive|blue_wool|acacia_trapdoor|cut_sandstone|wooden_shovel|leather_horse_armor|arrow|loom|
birch_boat|soul_torch|black_concrete_powder|oak_door|magenta_stained_glass_pane|wooden_sword|iron_pickaxe|purple_dye|
mojang_banner_pattern|ender_eye|oak_boat|warped_fence_gate|golden_apple|cyan_dye|spruce_stairs|birch_door|
polished_diorite|prismarine_brick_stairs|sandstone_wall|iron_chestplate|warped_door|jungle_boat|
crimson_pressure_plate|stone_brick_slab|orange_concrete_powder|heavy_weighted_pressure_plate|diamond_shovel|
detector_rail|light_gray_concrete_powder|green_wool|dark_oak_door|orange_stained_glass_pane|acacia_fence|
polished_blackstone_button|nether_brick_fence|lime_dye|jungle_pressure_plate|dark_oak_fence|black_terracotta|
acacia_button|crimson_slab|smithing_table|pink_wool|fire_charge|sandstone_stairs|light_weighted_pressure_plate|
light_blue_stained_glass_pane|birch_stairs|jungle_stairs|chest|red_nether_brick_stairs|dark_oak_sign|ladder|
iron_boots|light_gray_wool|acacia_sign|gold_block|spruce_door|jungle_door|polished_blackstone_stairs|
oak_pressure_plate|prismarine_brick_slab|stonecutter|book|yellow_concrete_powder|nether_brick_stairs|dark_oak_slab|
diorite_slab|acacia_stairs|acacia_pressure_plate|white_banner|mossy_cobblestone_slab|note_block|white_stained_glass|
blue_ice|nether_brick_wall|spruce_pressure_plate|diamond_axe|jukebox|light_blue_concrete_powder|acacia_door|cake|
end_stone_brick_stairs|yellow_stained_glass_pane|item_frame|white_carpet|red_nether_brick_slab|powered_rail|
blue_terracotta|jungle_button|redstone_torch|birch_button|birch_sign|dark_oak_boat|bow|lever|oak_slab|
skull_banner_pattern|stone_axe|blue_stained_glass_pane|pink_stained_glass_pane|crimson_sign|red_concrete_powder|
leather_helmet|granite|stone_brick_wall|orange_terracotta|wooden_axe|spruce_boat|cartography_table|
dark_oak_pressure_plate|tripwire_hook|red_stained_glass_pane|magenta_terracotta|black_stained_glass_pane|pumpkin_pie|
magenta_wool|spruce_slab|white_concrete_powder|stone_shovel|white_terracotta|fishing_rod|brick_wall|oak_fence_gate|
yellow_stained_glass|oak_button|sandstone_slab|yellow_terracotta|redstone_lamp|flint_and_steel|iron_shovel|
spruce_button|jungle_fence|iron_door|polished_blackstone_pressure_plate|mossy_cobblestone_stairs|golden_helmet|
mossy_cobblestone_wall|oak_fence|yellow_wool|acacia_boat|stone_hoe|jungle_slab|diorite_wall|bone_block|leather_boots|
white_bed|stone_sword|birch_pressure_plate|light_gray_stained_glass|crimson_button|crimson_fence|iron_bars|
birch_fence_gate|crafting_table|jungle_fence_gate|light_blue_wool|diamond_hoe|netherite_ingot|leather_chestplate|
magma_cream|shears|cauldron|birch_fence|light_blue_stained_glass|red_nether_brick_wall|compass|barrel|dark_oak_button|
stone_brick_stairs|brown_terracotta|red_sandstone_slab|crimson_fence_gate|spruce_trapdoor|bowl|prismarine_wall|
birch_trapdoor|spruce_fence|brick_stairs|creeper_banner_pattern|target|blast_furnace|warped_sign|
warped_pressure_plate|brown_stained_glass|red_terracotta|dark_prismarine|jungle_trapdoor|bucket|fermented_spider_eye|
grindstone|golden_pickaxe|chain|diamond_sword|golden_shovel|spruce_sign|wooden_pickaxe|warped_slab|warped_stairs|
dark_oak_trapdoor|iron_sword|black_stained_glass|end_stone_brick_slab|iron_leggings|shield|warped_button|
dark_oak_fence_gate|piston|light_gray_terracotta|end_stone_brick_wall|brick_slab|diorite_stairs|gray_dye|
crimson_trapdoor|red_sandstone_wall|iron_block|jungle_sign|birch_slab|iron_axe|brown_concrete_powder|brown_wool|
spruce_fence_gate|golden_chestplate|red_wool|dark_oak_stairs|golden_leggings|oak_sign|nether_brick_slab|
diamond_pickaxe|oak_trapdoor|iron_helmet|minecart|blue_concrete_powder|pink_concrete_powder|golden_boots|
polished_blackstone_wall|andesite|smoker|torch|leather_leggings|prismarine_slab|rail|warped_trapdoor|fletching_table|
campfire|orange_wool|clock|iron_trapdoor|wooden_hoe|rabbit_stew|magenta_carpet|light_gray_banner|red_bed|tnt_minecart|
gray_carpet|lime_stained_glass_pane|netherite_block|light_blue_bed|cyan_carpet|gray_stained_glass_pane|beetroot_soup|
blue_bed|light_gray_bed|polished_diorite_slab|green_bed|gray_bed|pink_banner|magma_block|purple_wool|trapped_chest|
brown_bed|brown_carpet|mossy_stone_brick_wall|chiseled_stone_bricks|dispenser|cut_red_sandstone_slab|bookshelf|
chiseled_red_sandstone|black_carpet|orange_bed|yellow_banner|furnace_minecart|orange_banner|
chiseled_polished_blackstone|granite_wall|shulker_box|black_banner|gray_stained_glass|magenta_banner|brown_banner|
comparator|activator_rail|green_banner|yellow_carpet|magenta_bed|lime_terracotta|chest_minecart|black_bed|
cyan_terracotta|mossy_stone_brick_slab|purple_stained_glass_pane|hopper|andesite_wall|gray_wool|yellow_bed|
enchanting_table|blue_carpet|polished_diorite_stairs|purple_bed|writable_book|orange_carpet|lime_stained_glass|
dark_prismarine_slab|red_carpet|purple_terracotta|lime_wool|purple_carpet|polished_blackstone_brick_wall|
spectral_arrow|lime_bed|map|dark_prismarine_stairs|cyan_wool|jack_o_lantern|repeater|chiseled_nether_bricks|cyan_bed|
sticky_piston|pink_carpet|mossy_stone_brick_stairs|andesite_slab|lime_carpet|lantern|light_gray_carpet|
lime_concrete_powder|polished_blackstone_brick_slab|carrot_on_a_stick|polished_andesite|cut_sandstone_slab|
polished_blackstone_brick_stairs|anvil|cyan_stained_glass_pane|pink_bed|light_blue_carpet|chiseled_sandstone|
granite_slab|ender_chest|gray_concrete_powder|soul_lantern|granite_stairs|end_crystal|mushroom_stew|
warped_fungus_on_a_stick|green_carpet|gray_terracotta|purple_concrete_powder|cyan_concrete_powder|
purple_stained_glass|andesite_stairs|crossbow|cyan_stained_glass|light_blue_banner|blue_banner|painting|red_banner|
polished_granite|polished_andesite_stairs|hopper_minecart|cyan_banner|polished_granite_slab|lectern|gray_banner|
polished_granite_stairs|lodestone|lime_banner|polished_andesite_slab|purple_banner`;

const KNOWN_2024 = `31 flint_and_steel|32 observer|33 iron_helmet|34 sandstone|35 conduit|36 acacia_planks|37 sugar|38 light_blue_dye|
39 iron_leggings|40 prismarine|41 blue_dye|42 diamond_leggings|43 golden_carrot|44 smooth_sandstone_slab|
45 blackstone_stairs|46 scaffolding|47 jungle_wood|48 glass_pane|49 blaze_powder|50 lead|51 red_dye|52 spruce_wood|
53 crimson_hyphae|54 white_dye|55 green_stained_glass|56 dark_oak_planks|57 daylight_detector|58 nether_bricks|
59 cookie|60 coal_block|61 stripped_crimson_hyphae|62 green_concrete_powder|63 hay_block|64 smooth_quartz_stairs|
65 cobblestone_wall|66 clay|67 stone_stairs|68 heavy_weighted_pressure_plate|69 bone_meal|70 warped_hyphae|
71 cobblestone_stairs|72 quartz_block|73 compass|74 melon_seeds|75 iron_block|76 magenta_dye|77 stripped_birch_wood|
78 red_nether_bricks|79 diamond_block|80 orange_dye|81 dropper|82 stripped_spruce_wood|83 slime_block|
84 honeycomb_block|85 bucket|86 melon|87 snow_block|88 minecart|89 birch_planks|90 coarse_dirt|91 pumpkin_seeds|
92 flower_pot|93 brown_dye|94 iron_door|95 smooth_quartz_slab|96 white_wool|97 stonecutter|98 composter|
99 stripped_dark_oak_wood|100 iron_bars|101 oak_wood|102 stripped_oak_wood|103 iron_boots|104 stone_button|105 bread|
106 stripped_acacia_wood|107 spruce_planks|108 glistering_melon_slice|109 diamond_helmet|
110 smooth_red_sandstone_stairs|111 end_stone_bricks|112 jungle_planks|113 shears|114 sea_lantern|115 paper|
116 dark_oak_wood|117 dried_kelp_block|118 crimson_planks|119 mossy_cobblestone|120 brewing_stand|121 diorite|
122 oak_planks|123 stripped_warped_hyphae|124 cauldron|125 polished_blackstone|126 diamond_chestplate|
127 smooth_red_sandstone_slab|128 diamond_boots|129 stone_slab|130 purpur_pillar|131 packed_ice|132 leather|
133 nether_wart_block|134 stone_bricks|135 emerald_block|136 smooth_stone_slab|137 purpur_block|
138 smooth_sandstone_stairs|139 furnace|181 stone_axe|182 oak_trapdoor|183 orange_terracotta|
185 yellow_stained_glass_pane|186 white_stained_glass|187 stone_brick_wall|188 light_blue_stained_glass_pane|
189 brown_stained_glass_pane|190 spruce_pressure_plate|191 golden_chestplate|192 powered_rail|193 prismarine_stairs|
194 red_stained_glass|196 jungle_sign|197 birch_fence|198 diorite_wall|199 golden_shovel|200 nether_brick_stairs|
201 nether_brick_wall|202 light_gray_stained_glass_pane|203 wooden_pickaxe|204 nether_brick_fence|205 green_wool|
206 golden_helmet|207 spruce_fence|208 beehive|209 red_sandstone_wall|210 birch_stairs|211 purple_dye|212 brick_slab|
213 stone_sword|214 crimson_slab|215 brick_wall|217 lever|218 yellow_wool|219 blue_stained_glass_pane|
220 crafting_table|221 diamond_pickaxe|222 ladder|224 acacia_boat|225 cake|226 cyan_dye|227 prismarine_slab|
228 end_stone_brick_slab|230 wooden_hoe|231 diamond_hoe|232 oak_fence_gate|233 prismarine_brick_stairs|234 gray_dye|
235 jungle_pressure_plate|236 light_weighted_pressure_plate|237 orange_wool|238 magenta_stained_glass_pane|
240 warped_sign|241 iron_axe|242 magenta_stained_glass|244 birch_door|245 soul_torch|246 polished_blackstone_bricks|
247 iron_sword|248 oak_slab|249 map|250 black_stained_glass_pane|251 end_stone_brick_stairs|252 netherite_ingot|
253 oak_fence|255 iron_hoe|256 jungle_stairs|257 jungle_button|258 golden_leggings|259 tnt_minecart|
260 light_gray_terracotta|261 orange_stained_glass_pane|262 oak_pressure_plate|263 spruce_trapdoor|
264 pink_concrete_powder|266 skull_banner_pattern|267 dark_oak_sign|268 respawn_anchor|269 pink_stained_glass_pane|
270 oak_door|271 brown_terracotta|272 crimson_trapdoor|273 smoker|274 spruce_boat|275 acacia_fence_gate|276 oak_boat|
277 loom|278 crimson_fence|279 flower_banner_pattern|280 brown_wool|281 redstone_lamp|282 spruce_stairs|
283 polished_blackstone_pressure_plate|284 leather_helmet|285 crimson_fence_gate|286 stone_brick_stairs|
288 golden_apple|289 red_sandstone_stairs|290 bowl|291 wooden_shovel|292 furnace_minecart|293 pink_stained_glass|
294 crimson_sign|295 magenta_terracotta|296 blue_terracotta|297 leather_boots|298 cartography_table|
299 yellow_stained_glass|300 stone_hoe|301 leather_horse_armor|303 blast_furnace|304 light_gray_wool|
305 stone_pickaxe|306 warped_stairs|307 barrel|308 sandstone_stairs|309 pumpkin_pie|310 leather_leggings|
311 birch_boat|312 red_stained_glass_pane|313 warped_fence|314 yellow_concrete_powder|315 wooden_axe|
316 diamond_shovel|317 birch_trapdoor|318 ender_eye|319 jungle_door|320 yellow_terracotta|321 acacia_slab|
322 detector_rail|324 polished_blackstone_button|325 fermented_spider_eye|326 jungle_boat|327 black_concrete_powder|
328 golden_hoe|329 sandstone_wall|330 birch_button|331 clock|332 target|333 rail|334 white_bed|335 birch_slab|
336 white_terracotta|337 polished_blackstone_stairs|338 jungle_slab|339 warped_pressure_plate|340 black_terracotta|
341 book|342 acacia_fence|343 note_block|344 blue_ice|345 spruce_button|346 bow|347 anvil|348 acacia_sign|
349 dark_oak_door|350 white_carpet|351 creeper_banner_pattern|352 arrow|353 end_stone_brick_wall|354 pink_terracotta|
355 spruce_fence_gate|356 spruce_door|357 oak_stairs|358 mossy_cobblestone_slab|359 diorite_slab|360 diamond_sword|
361 iron_shovel|363 orange_concrete_powder|364 acacia_button|365 white_concrete_powder|366 black_stained_glass|
367 leather_chestplate|368 acacia_door|369 light_blue_wool|370 lime_dye|371 red_terracotta|
372 polished_blackstone_slab|373 jungle_trapdoor|374 acacia_stairs|375 oak_sign|377 polished_blackstone_wall|
378 dark_oak_slab|379 nether_brick_slab|380 shield|383 light_gray_stained_glass|384 red_sandstone_slab|
386 dark_oak_pressure_plate|387 diamond_axe|388 warped_slab|389 cut_sandstone|390 brown_concrete_powder|
391 stone_shovel|392 warped_door|393 birch_pressure_plate|394 spruce_slab|395 birch_sign|396 red_concrete_powder|
397 stone_brick_slab|398 dark_oak_boat|399 light_blue_concrete_powder|400 prismarine_wall|401 wooden_sword|
402 orange_stained_glass|403 jukebox|405 brick_stairs|406 crimson_button|407 warped_fence_gate|408 warped_trapdoor|
409 prismarine_brick_slab|410 blue_stained_glass|411 light_blue_stained_glass|412 cut_red_sandstone|413 red_wool|
414 fire_charge|415 acacia_pressure_plate|416 magma_cream|417 redstone_torch|418 granite|419 smithing_table|
445 cut_sandstone_slab|446 ender_chest|448 soul_lantern|449 pink_carpet|450 chiseled_stone_bricks|
451 gray_stained_glass|452 purple_concrete_powder|455 blue_carpet|459 spectral_arrow|462 cut_red_sandstone_slab|
463 beetroot_soup|464 purple_bed|466 purple_terracotta|469 mossy_stone_brick_slab|470 dark_prismarine_slab|
471 cyan_terracotta|472 polished_diorite_stairs|475 end_crystal|477 polished_blackstone_brick_wall|480 dispenser|
481 orange_carpet|482 chiseled_sandstone|484 jack_o_lantern|489 gray_wool|491 chiseled_nether_bricks|
492 gray_concrete_powder|495 chiseled_red_sandstone|496 cyan_wool|501 polished_blackstone_brick_slab|502 lantern|
504 activator_rail|506 chiseled_polished_blackstone|510 lime_stained_glass|511 polished_blackstone_brick_stairs|
513 lime_stained_glass_pane|514 cyan_concrete_powder|517 purple_wool|518 enchanting_table|520 lime_wool|
523 mossy_stone_brick_wall|528 gray_terracotta|531 purple_stained_glass|532 writable_book|537 hopper_minecart`;
