/**
 * The crafting recipes of Minecraft Java 1.16 (shaped and shapeless), as facts in a compact form: one line per recipe in
 * the order of their names, `name[=output][*count][@group]:count ingredient,…`, a tag marked `#`, ingredients in the order
 * in which TextCraft prints them. The game and its recipes are Mojang's; TextCraft chose this set (Prasad et al. 2023,
 * ADaPT; AgentGym).
 */
export interface Ingredient {
  /** Item or tag, without `minecraft:`, words joined by `_`. */
  readonly name: string;
  readonly tag: boolean;
  readonly count: number;
}

export interface TableRecipe {
  readonly name: string;
  readonly output: string;
  readonly count: number;
  readonly group: string | undefined;
  readonly inputs: readonly Ingredient[];
}

/** The table, parsed once on first use. */
export function recipeTable(): readonly TableRecipe[] {
  return (parsed ??= TABLE.trim().split('\n').map(parseRecipe));
}

let parsed: readonly TableRecipe[] | undefined;

function parseRecipe(line: string): TableRecipe {
  const match = /^([^=*@:]+)(?:=([^*@:]+))?(?:\*(\d+))?(?:@([^:]+))?:(.+)$/.exec(line);
  if (!match) throw new Error(`the recipe table has a bad line: ${line}`);
  const [, name = '', output, count, group, inputs = ''] = match;
  return { name, output: output ?? name, count: Number(count ?? 1), group, inputs: inputs.split(',').map(parseIngredient) };
}

function parseIngredient(text: string): Ingredient {
  const [count, name = ''] = text.split(' ');
  return { name: name.replace('#', ''), tag: name.startsWith('#'), count: Number(count) };
}

const TABLE = `
acacia_boat@boat:5 acacia_planks
acacia_button@wooden_button:1 acacia_planks
acacia_door*3@wooden_door:6 acacia_planks
acacia_fence*3@wooden_fence:2 stick,4 acacia_planks
acacia_fence_gate@wooden_fence_gate:4 stick,2 acacia_planks
acacia_planks*4@planks:1 #acacia_logs
acacia_pressure_plate@wooden_pressure_plate:2 acacia_planks
acacia_sign*3@sign:6 acacia_planks,1 stick
acacia_slab*6@wooden_slab:3 acacia_planks
acacia_stairs*4@wooden_stairs:6 acacia_planks
acacia_trapdoor*2@wooden_trapdoor:6 acacia_planks
acacia_wood*3@bark:4 acacia_log
activator_rail*6:1 redstone_torch,2 stick,6 iron_ingot
andesite*2:1 diorite,1 cobblestone
andesite_slab*6:3 andesite
andesite_stairs*4:6 andesite
andesite_wall*6:6 andesite
anvil:3 iron_block,4 iron_ingot
armor_stand:6 stick,1 smooth_stone_slab
arrow*4:1 stick,1 flint,1 feather
barrel:6 #planks,2 #wooden_slabs
beacon:1 nether_star,5 glass,3 obsidian
beehive:6 #planks,3 honeycomb
beetroot_soup:1 bowl,6 beetroot
birch_boat@boat:5 birch_planks
birch_button@wooden_button:1 birch_planks
birch_door*3@wooden_door:6 birch_planks
birch_fence*3@wooden_fence:2 stick,4 birch_planks
birch_fence_gate@wooden_fence_gate:4 stick,2 birch_planks
birch_planks*4@planks:1 #birch_logs
birch_pressure_plate@wooden_pressure_plate:2 birch_planks
birch_sign*3@sign:6 birch_planks,1 stick
birch_slab*6@wooden_slab:3 birch_planks
birch_stairs*4@wooden_stairs:6 birch_planks
birch_trapdoor*2@wooden_trapdoor:6 birch_planks
birch_wood*3@bark:4 birch_log
black_banner@banner:6 black_wool,1 stick
black_bed@bed:3 black_wool,3 #planks
black_bed_from_white_bed=black_bed@dyed_bed:1 white_bed,1 black_dye
black_carpet*3@carpet:2 black_wool
black_carpet_from_white_carpet=black_carpet*8@carpet:8 white_carpet,1 black_dye
black_concrete_powder*8@concrete_powder:1 black_dye,4 sand,4 gravel
black_dye@black_dye:1 ink_sac
black_dye_from_wither_rose=black_dye@black_dye:1 wither_rose
black_stained_glass*8@stained_glass:8 glass,1 black_dye
black_stained_glass_pane*16@stained_glass_pane:6 black_stained_glass
black_stained_glass_pane_from_glass_pane=black_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 black_dye
black_terracotta*8@stained_terracotta:8 terracotta,1 black_dye
black_wool@wool:1 black_dye,1 white_wool
blackstone_slab*6:3 blackstone
blackstone_stairs*4:6 blackstone
blackstone_wall*6:6 blackstone
blast_furnace:3 smooth_stone,1 furnace,5 iron_ingot
blaze_powder*2:1 blaze_rod
blue_banner@banner:6 blue_wool,1 stick
blue_bed@bed:3 blue_wool,3 #planks
blue_bed_from_white_bed=blue_bed@dyed_bed:1 white_bed,1 blue_dye
blue_carpet*3@carpet:2 blue_wool
blue_carpet_from_white_carpet=blue_carpet*8@carpet:8 white_carpet,1 blue_dye
blue_concrete_powder*8@concrete_powder:1 blue_dye,4 sand,4 gravel
blue_dye@blue_dye:1 lapis_lazuli
blue_dye_from_cornflower=blue_dye@blue_dye:1 cornflower
blue_ice:9 packed_ice
blue_stained_glass*8@stained_glass:8 glass,1 blue_dye
blue_stained_glass_pane*16@stained_glass_pane:6 blue_stained_glass
blue_stained_glass_pane_from_glass_pane=blue_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 blue_dye
blue_terracotta*8@stained_terracotta:8 terracotta,1 blue_dye
blue_wool@wool:1 blue_dye,1 white_wool
bone_block:9 bone_meal
bone_meal*3@bonemeal:1 bone
bone_meal_from_bone_block=bone_meal*9@bonemeal:1 bone_block
book:3 paper,1 leather
bookshelf:6 #planks,3 book
bow:3 stick,3 string
bowl*4:3 #planks
bread:3 wheat
brewing_stand:1 blaze_rod,3 #stone_crafting_materials
brick_slab*6:3 bricks
brick_stairs*4:6 bricks
brick_wall*6:6 bricks
bricks:4 brick
brown_banner@banner:6 brown_wool,1 stick
brown_bed@bed:3 brown_wool,3 #planks
brown_bed_from_white_bed=brown_bed@dyed_bed:1 white_bed,1 brown_dye
brown_carpet*3@carpet:2 brown_wool
brown_carpet_from_white_carpet=brown_carpet*8@carpet:8 white_carpet,1 brown_dye
brown_concrete_powder*8@concrete_powder:1 brown_dye,4 sand,4 gravel
brown_dye@brown_dye:1 cocoa_beans
brown_stained_glass*8@stained_glass:8 glass,1 brown_dye
brown_stained_glass_pane*16@stained_glass_pane:6 brown_stained_glass
brown_stained_glass_pane_from_glass_pane=brown_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 brown_dye
brown_terracotta*8@stained_terracotta:8 terracotta,1 brown_dye
brown_wool@wool:1 brown_dye,1 white_wool
bucket:3 iron_ingot
cake:3 milk_bucket,2 sugar,3 wheat,1 egg
campfire:3 #logs,3 stick,1 #coals
carrot_on_a_stick:1 fishing_rod,1 carrot
cartography_table:4 #planks,2 paper
cauldron:7 iron_ingot
chain:1 iron_ingot,2 iron_nugget
chest:8 #planks
chest_minecart:1 chest,1 minecart
chiseled_nether_bricks:2 nether_brick_slab
chiseled_polished_blackstone:2 polished_blackstone_slab
chiseled_quartz_block:2 quartz_slab
chiseled_red_sandstone:2 red_sandstone_slab
chiseled_sandstone:2 sandstone_slab
chiseled_stone_bricks:2 stone_brick_slab
clay:4 clay_ball
clock:4 gold_ingot,1 redstone
coal*9:1 coal_block
coal_block:9 coal
coarse_dirt*4:2 dirt,2 gravel
cobblestone_slab*6:3 cobblestone
cobblestone_stairs*4:6 cobblestone
cobblestone_wall*6:6 cobblestone
comparator:3 redstone_torch,1 quartz,3 stone
compass:4 iron_ingot,1 redstone
composter:7 #wooden_slabs
conduit:8 nautilus_shell,1 heart_of_the_sea
cookie*8:2 wheat,1 cocoa_beans
crafting_table:4 #planks
creeper_banner_pattern:1 paper,1 creeper_head
crimson_button@wooden_button:1 crimson_planks
crimson_door*3@wooden_door:6 crimson_planks
crimson_fence*3@wooden_fence:2 stick,4 crimson_planks
crimson_fence_gate@wooden_fence_gate:4 stick,2 crimson_planks
crimson_hyphae*3@bark:4 crimson_stem
crimson_planks*4@planks:1 #crimson_stems
crimson_pressure_plate@wooden_pressure_plate:2 crimson_planks
crimson_sign*3@sign:6 crimson_planks,1 stick
crimson_slab*6@wooden_slab:3 crimson_planks
crimson_stairs*4@wooden_stairs:6 crimson_planks
crimson_trapdoor*2@wooden_trapdoor:6 crimson_planks
crossbow:2 string,3 stick,1 iron_ingot,1 tripwire_hook
cut_red_sandstone*4:4 red_sandstone
cut_red_sandstone_slab*6:3 cut_red_sandstone
cut_sandstone*4:4 sandstone
cut_sandstone_slab*6:3 cut_sandstone
cyan_banner@banner:6 cyan_wool,1 stick
cyan_bed@bed:3 cyan_wool,3 #planks
cyan_bed_from_white_bed=cyan_bed@dyed_bed:1 white_bed,1 cyan_dye
cyan_carpet*3@carpet:2 cyan_wool
cyan_carpet_from_white_carpet=cyan_carpet*8@carpet:8 white_carpet,1 cyan_dye
cyan_concrete_powder*8@concrete_powder:1 cyan_dye,4 sand,4 gravel
cyan_dye*2:1 blue_dye,1 green_dye
cyan_stained_glass*8@stained_glass:8 glass,1 cyan_dye
cyan_stained_glass_pane*16@stained_glass_pane:6 cyan_stained_glass
cyan_stained_glass_pane_from_glass_pane=cyan_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 cyan_dye
cyan_terracotta*8@stained_terracotta:8 terracotta,1 cyan_dye
cyan_wool@wool:1 cyan_dye,1 white_wool
dark_oak_boat@boat:5 dark_oak_planks
dark_oak_button@wooden_button:1 dark_oak_planks
dark_oak_door*3@wooden_door:6 dark_oak_planks
dark_oak_fence*3@wooden_fence:2 stick,4 dark_oak_planks
dark_oak_fence_gate@wooden_fence_gate:4 stick,2 dark_oak_planks
dark_oak_planks*4@planks:1 #dark_oak_logs
dark_oak_pressure_plate@wooden_pressure_plate:2 dark_oak_planks
dark_oak_sign*3@sign:6 dark_oak_planks,1 stick
dark_oak_slab*6@wooden_slab:3 dark_oak_planks
dark_oak_stairs*4@wooden_stairs:6 dark_oak_planks
dark_oak_trapdoor*2@wooden_trapdoor:6 dark_oak_planks
dark_oak_wood*3@bark:4 dark_oak_log
dark_prismarine:8 prismarine_shard,1 black_dye
dark_prismarine_slab*6:3 dark_prismarine
dark_prismarine_stairs*4:6 dark_prismarine
daylight_detector:3 quartz,3 glass,3 #wooden_slabs
detector_rail*6:1 redstone,1 stone_pressure_plate,6 iron_ingot
diamond*9:1 diamond_block
diamond_axe:2 stick,3 diamond
diamond_block:9 diamond
diamond_boots:4 diamond
diamond_chestplate:8 diamond
diamond_helmet:5 diamond
diamond_hoe:2 stick,2 diamond
diamond_leggings:7 diamond
diamond_pickaxe:2 stick,3 diamond
diamond_shovel:2 stick,1 diamond
diamond_sword:1 stick,2 diamond
diorite*2:2 quartz,2 cobblestone
diorite_slab*6:3 diorite
diorite_stairs*4:6 diorite
diorite_wall*6:6 diorite
dispenser:1 redstone,7 cobblestone,1 bow
dried_kelp*9:1 dried_kelp_block
dried_kelp_block:9 dried_kelp
dropper:1 redstone,7 cobblestone
emerald*9:1 emerald_block
emerald_block:9 emerald
enchanting_table:1 book,4 obsidian,2 diamond
end_crystal:1 ghast_tear,1 ender_eye,7 glass
end_rod*4:1 popped_chorus_fruit,1 blaze_rod
end_stone_brick_slab*6:3 end_stone_bricks
end_stone_brick_stairs*4:6 end_stone_bricks
end_stone_brick_wall*6:6 end_stone_bricks
end_stone_bricks*4:4 end_stone
ender_chest:8 obsidian,1 ender_eye
ender_eye:1 ender_pearl,1 blaze_powder
fermented_spider_eye:1 spider_eye,1 brown_mushroom,1 sugar
fire_charge*3:1 gunpowder,1 blaze_powder,1 coal
fishing_rod:3 stick,2 string
fletching_table:4 #planks,2 flint
flint_and_steel:1 iron_ingot,1 flint
flower_banner_pattern:1 paper,1 oxeye_daisy
flower_pot:3 brick
furnace:8 #stone_crafting_materials
furnace_minecart:1 furnace,1 minecart
glass_bottle*3:3 glass
glass_pane*16:6 glass
glistering_melon_slice:8 gold_nugget,1 melon_slice
glowstone:4 glowstone_dust
gold_block:9 gold_ingot
gold_ingot_from_gold_block=gold_ingot*9@gold_ingot:1 gold_block
gold_ingot_from_nuggets=gold_ingot@gold_ingot:9 gold_nugget
gold_nugget*9:1 gold_ingot
golden_apple:8 gold_ingot,1 apple
golden_axe:2 stick,3 gold_ingot
golden_boots:4 gold_ingot
golden_carrot:8 gold_nugget,1 carrot
golden_chestplate:8 gold_ingot
golden_helmet:5 gold_ingot
golden_hoe:2 stick,2 gold_ingot
golden_leggings:7 gold_ingot
golden_pickaxe:2 stick,3 gold_ingot
golden_shovel:2 stick,1 gold_ingot
golden_sword:1 stick,2 gold_ingot
granite:1 diorite,1 quartz
granite_slab*6:3 granite
granite_stairs*4:6 granite
granite_wall*6:6 granite
gray_banner@banner:6 gray_wool,1 stick
gray_bed@bed:3 gray_wool,3 #planks
gray_bed_from_white_bed=gray_bed@dyed_bed:1 white_bed,1 gray_dye
gray_carpet*3@carpet:2 gray_wool
gray_carpet_from_white_carpet=gray_carpet*8@carpet:8 white_carpet,1 gray_dye
gray_concrete_powder*8@concrete_powder:1 gray_dye,4 sand,4 gravel
gray_dye*2:1 black_dye,1 white_dye
gray_stained_glass*8@stained_glass:8 glass,1 gray_dye
gray_stained_glass_pane*16@stained_glass_pane:6 gray_stained_glass
gray_stained_glass_pane_from_glass_pane=gray_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 gray_dye
gray_terracotta*8@stained_terracotta:8 terracotta,1 gray_dye
gray_wool@wool:1 gray_dye,1 white_wool
green_banner@banner:6 green_wool,1 stick
green_bed@bed:3 green_wool,3 #planks
green_bed_from_white_bed=green_bed@dyed_bed:1 white_bed,1 green_dye
green_carpet*3@carpet:2 green_wool
green_carpet_from_white_carpet=green_carpet*8@carpet:8 white_carpet,1 green_dye
green_concrete_powder*8@concrete_powder:1 green_dye,4 sand,4 gravel
green_stained_glass*8@stained_glass:8 glass,1 green_dye
green_stained_glass_pane*16@stained_glass_pane:6 green_stained_glass
green_stained_glass_pane_from_glass_pane=green_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 green_dye
green_terracotta*8@stained_terracotta:8 terracotta,1 green_dye
green_wool@wool:1 green_dye,1 white_wool
grindstone:2 stick,1 stone_slab,2 #planks
hay_block:9 wheat
heavy_weighted_pressure_plate:2 iron_ingot
honey_block:4 honey_bottle
honey_bottle*4:1 honey_block,4 glass_bottle
honeycomb_block:4 honeycomb
hopper:1 chest,5 iron_ingot
hopper_minecart:1 hopper,1 minecart
iron_axe:2 stick,3 iron_ingot
iron_bars*16:6 iron_ingot
iron_block:9 iron_ingot
iron_boots:4 iron_ingot
iron_chestplate:8 iron_ingot
iron_door*3:6 iron_ingot
iron_helmet:5 iron_ingot
iron_hoe:2 stick,2 iron_ingot
iron_ingot_from_iron_block=iron_ingot*9@iron_ingot:1 iron_block
iron_ingot_from_nuggets=iron_ingot@iron_ingot:9 iron_nugget
iron_leggings:7 iron_ingot
iron_nugget*9:1 iron_ingot
iron_pickaxe:2 stick,3 iron_ingot
iron_shovel:2 stick,1 iron_ingot
iron_sword:1 stick,2 iron_ingot
iron_trapdoor:4 iron_ingot
item_frame:8 stick,1 leather
jack_o_lantern:1 carved_pumpkin,1 torch
jukebox:8 #planks,1 diamond
jungle_boat@boat:5 jungle_planks
jungle_button@wooden_button:1 jungle_planks
jungle_door*3@wooden_door:6 jungle_planks
jungle_fence*3@wooden_fence:2 stick,4 jungle_planks
jungle_fence_gate@wooden_fence_gate:4 stick,2 jungle_planks
jungle_planks*4@planks:1 #jungle_logs
jungle_pressure_plate@wooden_pressure_plate:2 jungle_planks
jungle_sign*3@sign:6 jungle_planks,1 stick
jungle_slab*6@wooden_slab:3 jungle_planks
jungle_stairs*4@wooden_stairs:6 jungle_planks
jungle_trapdoor*2@wooden_trapdoor:6 jungle_planks
jungle_wood*3@bark:4 jungle_log
ladder*3:7 stick
lantern:1 torch,8 iron_nugget
lapis_block:9 lapis_lazuli
lapis_lazuli*9:1 lapis_block
lead*2:4 string,1 slime_ball
leather:4 rabbit_hide
leather_boots:4 leather
leather_chestplate:8 leather
leather_helmet:5 leather
leather_horse_armor:7 leather
leather_leggings:7 leather
lectern:4 #wooden_slabs,1 bookshelf
lever:1 cobblestone,1 stick
light_blue_banner@banner:6 light_blue_wool,1 stick
light_blue_bed@bed:3 light_blue_wool,3 #planks
light_blue_bed_from_white_bed=light_blue_bed@dyed_bed:1 white_bed,1 light_blue_dye
light_blue_carpet*3@carpet:2 light_blue_wool
light_blue_carpet_from_white_carpet=light_blue_carpet*8@carpet:8 white_carpet,1 light_blue_dye
light_blue_concrete_powder*8@concrete_powder:1 light_blue_dye,4 sand,4 gravel
light_blue_dye_from_blue_orchid=light_blue_dye@light_blue_dye:1 blue_orchid
light_blue_dye_from_blue_white_dye=light_blue_dye*2@light_blue_dye:1 blue_dye,1 white_dye
light_blue_stained_glass*8@stained_glass:8 glass,1 light_blue_dye
light_blue_stained_glass_pane*16@stained_glass_pane:6 light_blue_stained_glass
light_blue_stained_glass_pane_from_glass_pane=light_blue_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 light_blue_dye
light_blue_terracotta*8@stained_terracotta:8 terracotta,1 light_blue_dye
light_blue_wool@wool:1 light_blue_dye,1 white_wool
light_gray_banner@banner:6 light_gray_wool,1 stick
light_gray_bed@bed:3 light_gray_wool,3 #planks
light_gray_bed_from_white_bed=light_gray_bed@dyed_bed:1 white_bed,1 light_gray_dye
light_gray_carpet*3@carpet:2 light_gray_wool
light_gray_carpet_from_white_carpet=light_gray_carpet*8@carpet:8 white_carpet,1 light_gray_dye
light_gray_concrete_powder*8@concrete_powder:1 light_gray_dye,4 sand,4 gravel
light_gray_dye_from_azure_bluet=light_gray_dye@light_gray_dye:1 azure_bluet
light_gray_dye_from_black_white_dye=light_gray_dye*3@light_gray_dye:1 black_dye,2 white_dye
light_gray_dye_from_gray_white_dye=light_gray_dye*2@light_gray_dye:1 gray_dye,1 white_dye
light_gray_dye_from_oxeye_daisy=light_gray_dye@light_gray_dye:1 oxeye_daisy
light_gray_dye_from_white_tulip=light_gray_dye@light_gray_dye:1 white_tulip
light_gray_stained_glass*8@stained_glass:8 glass,1 light_gray_dye
light_gray_stained_glass_pane*16@stained_glass_pane:6 light_gray_stained_glass
light_gray_stained_glass_pane_from_glass_pane=light_gray_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 light_gray_dye
light_gray_terracotta*8@stained_terracotta:8 terracotta,1 light_gray_dye
light_gray_wool@wool:1 light_gray_dye,1 white_wool
light_weighted_pressure_plate:2 gold_ingot
lime_banner@banner:6 lime_wool,1 stick
lime_bed@bed:3 lime_wool,3 #planks
lime_bed_from_white_bed=lime_bed@dyed_bed:1 white_bed,1 lime_dye
lime_carpet*3@carpet:2 lime_wool
lime_carpet_from_white_carpet=lime_carpet*8@carpet:8 white_carpet,1 lime_dye
lime_concrete_powder*8@concrete_powder:1 lime_dye,4 sand,4 gravel
lime_dye*2:1 green_dye,1 white_dye
lime_stained_glass*8@stained_glass:8 glass,1 lime_dye
lime_stained_glass_pane*16@stained_glass_pane:6 lime_stained_glass
lime_stained_glass_pane_from_glass_pane=lime_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 lime_dye
lime_terracotta*8@stained_terracotta:8 terracotta,1 lime_dye
lime_wool@wool:1 lime_dye,1 white_wool
lodestone:8 chiseled_stone_bricks,1 netherite_ingot
loom:2 #planks,2 string
magenta_banner@banner:6 magenta_wool,1 stick
magenta_bed@bed:3 magenta_wool,3 #planks
magenta_bed_from_white_bed=magenta_bed@dyed_bed:1 white_bed,1 magenta_dye
magenta_carpet*3@carpet:2 magenta_wool
magenta_carpet_from_white_carpet=magenta_carpet*8@carpet:8 white_carpet,1 magenta_dye
magenta_concrete_powder*8@concrete_powder:1 magenta_dye,4 sand,4 gravel
magenta_dye_from_allium=magenta_dye@magenta_dye:1 allium
magenta_dye_from_blue_red_pink=magenta_dye*3@magenta_dye:1 blue_dye,1 red_dye,1 pink_dye
magenta_dye_from_blue_red_white_dye=magenta_dye*4@magenta_dye:1 blue_dye,2 red_dye,1 white_dye
magenta_dye_from_lilac=magenta_dye*2@magenta_dye:1 lilac
magenta_dye_from_purple_and_pink=magenta_dye*2@magenta_dye:1 purple_dye,1 pink_dye
magenta_stained_glass*8@stained_glass:8 glass,1 magenta_dye
magenta_stained_glass_pane*16@stained_glass_pane:6 magenta_stained_glass
magenta_stained_glass_pane_from_glass_pane=magenta_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 magenta_dye
magenta_terracotta*8@stained_terracotta:8 terracotta,1 magenta_dye
magenta_wool@wool:1 magenta_dye,1 white_wool
magma_block:4 magma_cream
magma_cream:1 blaze_powder,1 slime_ball
map:8 paper,1 compass
melon:9 melon_slice
melon_seeds:1 melon_slice
minecart:5 iron_ingot
mojang_banner_pattern:1 paper,1 enchanted_golden_apple
mossy_cobblestone:1 cobblestone,1 vine
mossy_cobblestone_slab*6:3 mossy_cobblestone
mossy_cobblestone_stairs*4:6 mossy_cobblestone
mossy_cobblestone_wall*6:6 mossy_cobblestone
mossy_stone_brick_slab*6:3 mossy_stone_bricks
mossy_stone_brick_stairs*4:6 mossy_stone_bricks
mossy_stone_brick_wall*6:6 mossy_stone_bricks
mossy_stone_bricks:1 stone_bricks,1 vine
mushroom_stew:1 brown_mushroom,1 red_mushroom,1 bowl
nether_brick_fence*6:4 nether_bricks,2 nether_brick
nether_brick_slab*6:3 nether_bricks
nether_brick_stairs*4:6 nether_bricks
nether_brick_wall*6:6 nether_bricks
nether_bricks:4 nether_brick
nether_wart_block:9 nether_wart
netherite_block:9 netherite_ingot
netherite_ingot@netherite_ingot:4 netherite_scrap,4 gold_ingot
netherite_ingot_from_netherite_block=netherite_ingot*9@netherite_ingot:1 netherite_block
note_block:8 #planks,1 redstone
oak_boat@boat:5 oak_planks
oak_button@wooden_button:1 oak_planks
oak_door*3@wooden_door:6 oak_planks
oak_fence*3@wooden_fence:2 stick,4 oak_planks
oak_fence_gate@wooden_fence_gate:4 stick,2 oak_planks
oak_planks*4@planks:1 #oak_logs
oak_pressure_plate@wooden_pressure_plate:2 oak_planks
oak_sign*3@sign:6 oak_planks,1 stick
oak_slab*6@wooden_slab:3 oak_planks
oak_stairs*4@wooden_stairs:6 oak_planks
oak_trapdoor*2@wooden_trapdoor:6 oak_planks
oak_wood*3@bark:4 oak_log
observer:1 quartz,2 redstone,6 cobblestone
orange_banner@banner:6 orange_wool,1 stick
orange_bed@bed:3 orange_wool,3 #planks
orange_bed_from_white_bed=orange_bed@dyed_bed:1 white_bed,1 orange_dye
orange_carpet*3@carpet:2 orange_wool
orange_carpet_from_white_carpet=orange_carpet*8@carpet:8 white_carpet,1 orange_dye
orange_concrete_powder*8@concrete_powder:1 orange_dye,4 sand,4 gravel
orange_dye_from_orange_tulip=orange_dye@orange_dye:1 orange_tulip
orange_dye_from_red_yellow=orange_dye*2@orange_dye:1 red_dye,1 yellow_dye
orange_stained_glass*8@stained_glass:8 glass,1 orange_dye
orange_stained_glass_pane*16@stained_glass_pane:6 orange_stained_glass
orange_stained_glass_pane_from_glass_pane=orange_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 orange_dye
orange_terracotta*8@stained_terracotta:8 terracotta,1 orange_dye
orange_wool@wool:1 orange_dye,1 white_wool
packed_ice:9 ice
painting:8 stick,1 #wool
paper*3:3 sugar_cane
pink_banner@banner:6 pink_wool,1 stick
pink_bed@bed:3 pink_wool,3 #planks
pink_bed_from_white_bed=pink_bed@dyed_bed:1 white_bed,1 pink_dye
pink_carpet*3@carpet:2 pink_wool
pink_carpet_from_white_carpet=pink_carpet*8@carpet:8 white_carpet,1 pink_dye
pink_concrete_powder*8@concrete_powder:1 pink_dye,4 sand,4 gravel
pink_dye_from_peony=pink_dye*2@pink_dye:1 peony
pink_dye_from_pink_tulip=pink_dye@pink_dye:1 pink_tulip
pink_dye_from_red_white_dye=pink_dye*2@pink_dye:1 red_dye,1 white_dye
pink_stained_glass*8@stained_glass:8 glass,1 pink_dye
pink_stained_glass_pane*16@stained_glass_pane:6 pink_stained_glass
pink_stained_glass_pane_from_glass_pane=pink_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 pink_dye
pink_terracotta*8@stained_terracotta:8 terracotta,1 pink_dye
pink_wool@wool:1 pink_dye,1 white_wool
piston:1 redstone,4 cobblestone,3 #planks,1 iron_ingot
polished_andesite*4:4 andesite
polished_andesite_slab*6:3 polished_andesite
polished_andesite_stairs*4:6 polished_andesite
polished_basalt*4:4 basalt
polished_blackstone*4:4 blackstone
polished_blackstone_brick_slab*6:3 polished_blackstone_bricks
polished_blackstone_brick_stairs*4:6 polished_blackstone_bricks
polished_blackstone_brick_wall*6:6 polished_blackstone_bricks
polished_blackstone_bricks*4:4 polished_blackstone
polished_blackstone_button:1 polished_blackstone
polished_blackstone_pressure_plate:2 polished_blackstone
polished_blackstone_slab*6:3 polished_blackstone
polished_blackstone_stairs*4:6 polished_blackstone
polished_blackstone_wall*6:6 polished_blackstone
polished_diorite*4:4 diorite
polished_diorite_slab*6:3 polished_diorite
polished_diorite_stairs*4:6 polished_diorite
polished_granite*4:4 granite
polished_granite_slab*6:3 polished_granite
polished_granite_stairs*4:6 polished_granite
powered_rail*6:1 redstone,1 stick,6 gold_ingot
prismarine:4 prismarine_shard
prismarine_brick_slab*6:3 prismarine_bricks
prismarine_brick_stairs*4:6 prismarine_bricks
prismarine_bricks:9 prismarine_shard
prismarine_slab*6:3 prismarine
prismarine_stairs*4:6 prismarine
prismarine_wall*6:6 prismarine
pumpkin_pie:1 pumpkin,1 sugar,1 egg
pumpkin_seeds*4:1 pumpkin
purple_banner@banner:6 purple_wool,1 stick
purple_bed@bed:3 purple_wool,3 #planks
purple_bed_from_white_bed=purple_bed@dyed_bed:1 white_bed,1 purple_dye
purple_carpet*3@carpet:2 purple_wool
purple_carpet_from_white_carpet=purple_carpet*8@carpet:8 white_carpet,1 purple_dye
purple_concrete_powder*8@concrete_powder:1 purple_dye,4 sand,4 gravel
purple_dye*2:1 blue_dye,1 red_dye
purple_stained_glass*8@stained_glass:8 glass,1 purple_dye
purple_stained_glass_pane*16@stained_glass_pane:6 purple_stained_glass
purple_stained_glass_pane_from_glass_pane=purple_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 purple_dye
purple_terracotta*8@stained_terracotta:8 terracotta,1 purple_dye
purple_wool@wool:1 purple_dye,1 white_wool
purpur_block*4:4 popped_chorus_fruit
purpur_pillar:2 purpur_slab
purpur_slab*6:3 purpur_block
purpur_stairs*4:6 purpur_block
quartz_block:4 quartz
quartz_bricks*4:4 quartz_block
quartz_pillar*2:2 quartz_block
quartz_slab*6:3 chiseled_quartz_block
quartz_stairs*4:6 chiseled_quartz_block
rabbit_stew_from_brown_mushroom=rabbit_stew@rabbit_stew:1 baked_potato,1 cooked_rabbit,1 bowl,1 carrot,1 brown_mushroom
rabbit_stew_from_red_mushroom=rabbit_stew@rabbit_stew:1 baked_potato,1 cooked_rabbit,1 bowl,1 carrot,1 red_mushroom
rail*16:1 stick,6 iron_ingot
red_banner@banner:6 red_wool,1 stick
red_bed@bed:3 red_wool,3 #planks
red_bed_from_white_bed=red_bed@dyed_bed:1 white_bed,1 red_dye
red_carpet*3@carpet:2 red_wool
red_carpet_from_white_carpet=red_carpet*8@carpet:8 white_carpet,1 red_dye
red_concrete_powder*8@concrete_powder:1 red_dye,4 sand,4 gravel
red_dye_from_beetroot=red_dye@red_dye:1 beetroot
red_dye_from_poppy=red_dye@red_dye:1 poppy
red_dye_from_rose_bush=red_dye*2@red_dye:1 rose_bush
red_dye_from_tulip=red_dye@red_dye:1 red_tulip
red_nether_brick_slab*6:3 red_nether_bricks
red_nether_brick_stairs*4:6 red_nether_bricks
red_nether_brick_wall*6:6 red_nether_bricks
red_nether_bricks:2 nether_wart,2 nether_brick
red_sandstone:4 red_sand
red_sandstone_slab*6:3 red_sandstone
red_sandstone_stairs*4:6 red_sandstone
red_sandstone_wall*6:6 red_sandstone
red_stained_glass*8@stained_glass:8 glass,1 red_dye
red_stained_glass_pane*16@stained_glass_pane:6 red_stained_glass
red_stained_glass_pane_from_glass_pane=red_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 red_dye
red_terracotta*8@stained_terracotta:8 terracotta,1 red_dye
red_wool@wool:1 red_dye,1 white_wool
redstone*9:1 redstone_block
redstone_block:9 redstone
redstone_lamp:4 redstone,1 glowstone
redstone_torch:1 stick,1 redstone
repeater:2 redstone_torch,1 redstone,3 stone
respawn_anchor:6 crying_obsidian,3 glowstone
sandstone:4 sand
sandstone_slab*6:3 sandstone
sandstone_stairs*4:6 sandstone
sandstone_wall*6:6 sandstone
scaffolding*6:1 string,6 bamboo
sea_lantern:4 prismarine_shard,5 prismarine_crystals
shears:2 iron_ingot
shield:6 #planks,1 iron_ingot
shulker_box:1 chest,2 shulker_shell
skull_banner_pattern:1 paper,1 wither_skeleton_skull
slime_ball*9:1 slime_block
slime_block:9 slime_ball
smithing_table:4 #planks,2 iron_ingot
smoker:4 #logs,1 furnace
smooth_quartz_slab*6:3 smooth_quartz
smooth_quartz_stairs*4:6 smooth_quartz
smooth_red_sandstone_slab*6:3 smooth_red_sandstone
smooth_red_sandstone_stairs*4:6 smooth_red_sandstone
smooth_sandstone_slab*6:3 smooth_sandstone
smooth_sandstone_stairs*4:6 smooth_sandstone
smooth_stone_slab*6:3 smooth_stone
snow*6:3 snow_block
snow_block:4 snowball
soul_campfire:3 #logs,3 stick,1 #soul_fire_base_blocks
soul_lantern:1 soul_torch,8 iron_nugget
soul_torch*4:1 coal,1 stick,1 #soul_fire_base_blocks
spectral_arrow*2:4 glowstone_dust,1 arrow
spruce_boat@boat:5 spruce_planks
spruce_button@wooden_button:1 spruce_planks
spruce_door*3@wooden_door:6 spruce_planks
spruce_fence*3@wooden_fence:2 stick,4 spruce_planks
spruce_fence_gate@wooden_fence_gate:4 stick,2 spruce_planks
spruce_planks*4@planks:1 #spruce_logs
spruce_pressure_plate@wooden_pressure_plate:2 spruce_planks
spruce_sign*3@sign:6 spruce_planks,1 stick
spruce_slab*6@wooden_slab:3 spruce_planks
spruce_stairs*4@wooden_stairs:6 spruce_planks
spruce_trapdoor*2@wooden_trapdoor:6 spruce_planks
spruce_wood*3@bark:4 spruce_log
stick*4@sticks:2 #planks
stick_from_bamboo_item=stick@sticks:2 bamboo
sticky_piston:1 piston,1 slime_ball
stone_axe:2 stick,3 #stone_tool_materials
stone_brick_slab*6:3 stone_bricks
stone_brick_stairs*4:6 stone_bricks
stone_brick_wall*6:6 stone_bricks
stone_bricks*4:4 stone
stone_button:1 stone
stone_hoe:2 stick,2 #stone_tool_materials
stone_pickaxe:2 stick,3 #stone_tool_materials
stone_pressure_plate:2 stone
stone_shovel:2 stick,1 #stone_tool_materials
stone_slab*6:3 stone
stone_stairs*4:6 stone
stone_sword:1 stick,2 #stone_tool_materials
stonecutter:1 iron_ingot,3 stone
stripped_acacia_wood*3@bark:4 stripped_acacia_log
stripped_birch_wood*3@bark:4 stripped_birch_log
stripped_crimson_hyphae*3@bark:4 stripped_crimson_stem
stripped_dark_oak_wood*3@bark:4 stripped_dark_oak_log
stripped_jungle_wood*3@bark:4 stripped_jungle_log
stripped_oak_wood*3@bark:4 stripped_oak_log
stripped_spruce_wood*3@bark:4 stripped_spruce_log
stripped_warped_hyphae*3@bark:4 stripped_warped_stem
sugar:1 sugar_cane
sugar_from_honey_bottle=sugar*3@sugar:1 honey_bottle
sugar_from_sugar_cane=sugar@sugar:1 sugar_cane
target:1 hay_block,4 redstone
tnt:4 sand,5 gunpowder
tnt_minecart:1 tnt,1 minecart
torch*4:1 stick,1 coal
trapped_chest:1 chest,1 tripwire_hook
tripwire_hook*2:1 #planks,1 stick,1 iron_ingot
turtle_helmet:5 scute
warped_button@wooden_button:1 warped_planks
warped_door*3@wooden_door:6 warped_planks
warped_fence*3@wooden_fence:2 stick,4 warped_planks
warped_fence_gate@wooden_fence_gate:4 stick,2 warped_planks
warped_fungus_on_a_stick:1 fishing_rod,1 warped_fungus
warped_hyphae*3@bark:4 warped_stem
warped_planks*4@planks:1 #warped_stems
warped_pressure_plate@wooden_pressure_plate:2 warped_planks
warped_sign*3@sign:6 warped_planks,1 stick
warped_slab*6@wooden_slab:3 warped_planks
warped_stairs*4@wooden_stairs:6 warped_planks
warped_trapdoor*2@wooden_trapdoor:6 warped_planks
wheat*9:1 hay_block
white_banner@banner:6 white_wool,1 stick
white_bed@bed:3 white_wool,3 #planks
white_carpet*3@carpet:2 white_wool
white_concrete_powder*8@concrete_powder:1 white_dye,4 sand,4 gravel
white_dye@white_dye:1 bone_meal
white_dye_from_lily_of_the_valley=white_dye@white_dye:1 lily_of_the_valley
white_stained_glass*8@stained_glass:8 glass,1 white_dye
white_stained_glass_pane*16@stained_glass_pane:6 white_stained_glass
white_stained_glass_pane_from_glass_pane=white_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 white_dye
white_terracotta*8@stained_terracotta:8 terracotta,1 white_dye
white_wool_from_string=white_wool:4 string
wooden_axe:2 stick,3 #planks
wooden_hoe:2 stick,2 #planks
wooden_pickaxe:2 stick,3 #planks
wooden_shovel:2 stick,1 #planks
wooden_sword:1 stick,2 #planks
writable_book:1 book,1 ink_sac,1 feather
yellow_banner@banner:6 yellow_wool,1 stick
yellow_bed@bed:3 yellow_wool,3 #planks
yellow_bed_from_white_bed=yellow_bed@dyed_bed:1 white_bed,1 yellow_dye
yellow_carpet*3@carpet:2 yellow_wool
yellow_carpet_from_white_carpet=yellow_carpet*8@carpet:8 white_carpet,1 yellow_dye
yellow_concrete_powder*8@concrete_powder:1 yellow_dye,4 sand,4 gravel
yellow_dye_from_dandelion=yellow_dye@yellow_dye:1 dandelion
yellow_dye_from_sunflower=yellow_dye*2@yellow_dye:1 sunflower
yellow_stained_glass*8@stained_glass:8 glass,1 yellow_dye
yellow_stained_glass_pane*16@stained_glass_pane:6 yellow_stained_glass
yellow_stained_glass_pane_from_glass_pane=yellow_stained_glass_pane*8@stained_glass_pane:8 glass_pane,1 yellow_dye
yellow_terracotta*8@stained_terracotta:8 terracotta,1 yellow_dye
yellow_wool@wool:1 yellow_dye,1 white_wool
`;
