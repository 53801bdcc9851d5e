/**
 * What the generated catalogue sells: 48 kinds of products in five departments, with the nouns of their titles, the
 * attributes they may have, the options they come in and what they cost. Written for this project.
 */

export interface Kind {
  readonly department: string;
  readonly path: string;
  readonly query: string;
  readonly nouns: readonly string[];
  /** Attributes said before the noun, after "with", and after "for". */
  readonly plain: readonly string[];
  readonly having: readonly string[];
  readonly purpose: readonly string[];
  /** Names of option axes (see `axes`). */
  readonly axes: readonly string[];
  readonly price: readonly [low: number, high: number];
}

/** Option axes: how an option is called on the page, and its values. */
export const axes: Readonly<Record<string, { readonly name: string; readonly values: readonly string[] }>> = {
  color: { name: 'color', values: list('black, white, navy, red, olive, burgundy, teal, charcoal, beige, pink, purple, gray') },
  finish: { name: 'color', values: list('walnut, espresso, white, natural, black, gray, rust, ivory') },
  shade: { name: 'color', values: list('nude, rose, coral, plum, mauve, cranberry, peach, bronze') },
  metal: { name: 'color', values: list('gold, silver, rose gold, copper, black, pewter') },
  clothing: { name: 'size', values: list('x-small, small, medium, large, x-large, xx-large') },
  shoe: { name: 'size', values: list('6, 6.5, 7, 7.5, 8, 8.5, 9, 10, 11, 12') },
  bed: { name: 'size', values: list('twin, full, queen, king') },
  volume: { name: 'size', values: list('2 fl oz, 4 fl oz, 8 fl oz, 16 fl oz') },
  weight: { name: 'size', values: list('6 ounce, 12 ounce, 1 pound, 2 pound, 5 pound') },
  length: { name: 'size', values: list('3 feet, 6 feet, 10 feet, 15 feet, 25 feet') },
  area: { name: 'size', values: list('2x3 feet, 3x5 feet, 5x7 feet, 6x9 feet, 8x10 feet') },
  width: { name: 'size', values: list('18 inch, 24 inch, 30 inch, 36 inch, 48 inch') },
  storage: { name: 'capacity', values: list('32gb, 64gb, 128gb, 256gb, 512gb') },
  flavor: { name: 'flavor name', values: list('chocolate, vanilla, strawberry, caramel, cinnamon, maple, original, garlic') },
  scent: { name: 'scent', values: list('lavender, vanilla, lemon, rose, jasmine, eucalyptus, unscented') },
  pack: { name: 'number of items', values: list('1, 2, 3, 4, 6, 12') },
  pattern: { name: 'pattern name', values: list('striped, floral, geometric, paisley, plaid, abstract') },
  style: { name: 'style', values: list('classic, modern, compact, deluxe') },
};

export const kinds: readonly Kind[] = read(`
fashion | Clothing, Shoes & Jewelry › Men › Clothing › Shirts › T-Shirts | men's t-shirts & tanks | Men's T-Shirt; Men's Crew Neck Tee; Men's Tank Top | slim fit, machine wash, short sleeve, quick drying, wash cold, loose fit | cotton spandex, moisture wicking, polyester heathers, tagless collar | gym workout, daily wear | color, clothing | 12-35
fashion | Clothing, Shoes & Jewelry › Men › Clothing › Shirts › Dress Shirts | men's dress shirts | Men's Dress Shirt; Men's Button Down Shirt | long sleeve, slim fit, machine wash, wrinkle free, regular fit, easy care | button closure, stretch fabric, cotton poplin, spread collar | office wear, special occasion | color, clothing | 20-60
fashion | Clothing, Shoes & Jewelry › Men › Clothing › Pants | men's pants | Men's Chino Pants; Men's Cargo Trousers; Men's Jogger Pants | straight leg, machine wash, relaxed fit, water repellent, slim fit, long lasting | elastic waist, drawstring closure, zipper pockets, stretch twill | daily wear, outdoor work | color, clothing | 25-70
fashion | Clothing, Shoes & Jewelry › Men › Clothing › Shorts | men's shorts | Men's Swim Shorts; Men's Board Shorts; Men's Running Shorts | quick drying, machine wash, hand wash, loose fit, light weight | elastic waistband, mesh lining, drawstring closure, side pockets | beach days, gym workout | color, clothing | 14-40
fashion | Clothing, Shoes & Jewelry › Women › Clothing › Dresses | women's dresses | Women's Maxi Dress; Women's Wrap Dress; Women's Midi Dress | short sleeve, machine wash, hand wash, high waist, long sleeve, tummy control | polyester spandex, v neck, side slit, tie waist | special occasion, daily wear | color, clothing | 22-75
fashion | Clothing, Shoes & Jewelry › Women › Clothing › Jumpsuits, Rompers & Overalls | women's jumpsuits, rompers & overalls | Women's Jumpsuit; Women's Romper; Women's Overalls | wide leg, machine wash, slim fit, short sleeve, hand wash | elastic waist, polyester spandex, deep pockets, adjustable straps | daily wear, summer vacation | color, clothing | 20-60
fashion | Clothing, Shoes & Jewelry › Women › Clothing › Sweaters | women's sweaters | Women's Cardigan; Women's Pullover Sweater; Women's Turtleneck | long sleeve, machine wash, loose fit, hand wash, light weight | cable knit, open front, soft acrylic, ribbed cuffs | office wear, daily wear | color, clothing | 24-70
fashion | Clothing, Shoes & Jewelry › Women › Shoes › Pumps | women's pumps | Women's Pumps; Women's Heeled Sandals | ankle strap, high heel, anti slip, open toe, pointed toe | rubber sole, memory foam, leather lining, block heel | evening party, office wear | color, shoe | 30-90
fashion | Clothing, Shoes & Jewelry › Men › Shoes › Fashion Sneakers | men's fashion sneakers | Men's Sneakers; Men's Walking Shoes; Men's Slip On Shoes | non slip, light weight, arch support, shock absorbing, slip resistant | rubber outsole, ethylene vinyl, memory foam, mesh upper | long walks, daily wear | color, shoe | 30-95
fashion | Clothing, Shoes & Jewelry › Women › Shoes › Boots | women's boots | Women's Ankle Boots; Women's Rain Boots; Women's Snow Boots | water proof, anti slip, slip resistant, knee high, easy clean | faux fur, rubber sole, side zipper, warm lining | winter walks, rainy weather | color, shoe | 35-110
fashion | Clothing, Shoes & Jewelry › Women › Handbags & Wallets | handbags & wallets | Crossbody Bag; Leather Tote; Clutch Wallet | light weight, large capacity, water resistant, easy carry | zipper closure, adjustable strap, card slots, faux leather | work trips, daily use | color, style | 18-80
fashion | Clothing, Shoes & Jewelry › Jewelry › Necklaces | necklaces | Pendant Necklace; Chain Necklace; Locket Necklace | nickel free, hypoallergenic finish, hand made, long lasting | sterling clasp, cubic zirconia, gift box, adjustable chain | sensitive skin, anniversary gifts | metal, style | 14-70
beauty | Beauty & Personal Care › Hair Care › Shampoo & Conditioner | shampoo & conditioner | Shampoo; Conditioner; Shampoo Bar | sulfate free, paraben free, cruelty free, color safe, deep moisturizing | argan oil, tea tree, keratin protein, coconut oil | damaged hair, dry scalp, curly hair | scent, volume | 8-32
beauty | Beauty & Personal Care › Hair Care › Styling Products | hair styling products | Styling Cream; Hair Gel; Finishing Spray | long lasting, alcohol free, strong hold, cruelty free | argan oil, aloe vera, vitamin complex | curly hair, fine hair, natural hair | scent, volume | 7-28
beauty | Beauty & Personal Care › Skin Care › Face › Creams & Moisturizers | face moisturizers | Face Cream; Day Lotion; Night Cream | fragrance free, anti aging, oil free, dermatologist tested, cruelty free | hyaluronic acid, shea butter, vitamin c, green tea | sensitive skin, dry skin, fine lines | volume, pack | 10-55
beauty | Beauty & Personal Care › Skin Care › Face › Cleansers | face cleansers | Face Wash; Cleansing Foam; Makeup Remover | paraben free, oil free, gentle formula, cruelty free | salicylic acid, green tea, aloe vera, witch hazel | acne prone skin, sensitive skin, oily skin | volume, pack | 7-30
beauty | Beauty & Personal Care › Makeup › Lips › Lipstick | lipstick | Matte Lipstick; Lip Stain; Lip Gloss | long lasting, highly pigmented, cruelty free, smudge proof | vitamin e, jojoba oil, satin finish | dry lips, evening wear | shade, pack | 5-25
beauty | Beauty & Personal Care › Makeup › Eyes › Mascara | mascara | Mascara; Brow Gel; Lash Primer | water proof, smudge proof, cruelty free, clump free | castor oil, curved brush, keratin fibers | sensitive eyes, short lashes | style, pack | 6-26
beauty | Beauty & Personal Care › Tools & Accessories › Brushes | makeup brushes | Makeup Brush Set; Powder Brush; Blending Brush | synthetic hair, cruelty free, easy clean, travel size | wooden handle, storage pouch, soft bristles | eye shadow, liquid foundation | metal, style | 8-35
beauty | Beauty & Personal Care › Oral Care › Toothbrushes | toothbrushes | Electric Toothbrush; Bamboo Toothbrush; Travel Toothbrush | soft bristle, bpa free, battery powered, easy grip | charcoal bristles, travel case, two minute timer | sensitive teeth, sensitive gums | color, pack | 6-60
beauty | Beauty & Personal Care › Foot, Hand & Nail Care › Nail Polish | nail polish | Gel Nail Polish; Nail Lacquer; Cuticle Oil | non toxic, quick drying, long lasting, chip resistant | glossy finish, wide brush, vitamin e | weak nails, home manicures | shade, pack | 5-22
beauty | Beauty & Personal Care › Fragrance › Candles & Home Scents | scented candles | Scented Candle; Soy Candle; Wax Melts | lead free, hand poured, long burning, eco friendly | soy wax, cotton wick, essential oils | small rooms, relaxing evenings | scent, pack | 9-36
electronics | Electronics › Headphones › Earbud Headphones | earbud headphones | Wireless Earbuds; Sport Earphones; In Ear Headphones | noise cancelling, sweat proof, hands free, fast charging, light weight | stereo sound, charging case, ear hooks, touch control | running sports, video calls | color, style | 18-120
electronics | Electronics › Portable Audio › Bluetooth Speakers | bluetooth speakers | Bluetooth Speaker; Outdoor Speaker; Shower Speaker | water resistant, easy carry, hands free, long lasting | stereo sound, carrying strap, usb port, deep bass | pool parties, home offices | color, style | 20-150
electronics | Electronics › Computers & Accessories › Cables | usb cables | USB Cable; Charging Cable; HDMI Cable | fast charging, high speed, gold plated, tangle free, heavy duty | nylon braid, aluminum shell, hook strap | car chargers, game consoles | color, length | 6-30
electronics | Electronics › Cell Phones & Accessories › Cases | phone cases | Phone Case; Wallet Case; Clear Case | shock proof, wireless charging, dust proof, easy install | tempered glass, card slots, raised edges, kick stand | drop protection, outdoor use | color, style | 8-35
electronics | Electronics › Computers & Accessories › Data Storage › Flash Drives | usb flash drives | USB Flash Drive; Memory Stick; Thumb Drive | plug play, high speed, water proof, light weight | key ring, metal body, slide cap | photo backups, school work | color, storage | 8-60
electronics | Electronics › Computers & Accessories › Tablet Accessories | tablet accessories | Tablet Stand; Tablet Sleeve; Tablet Keyboard | easy carry, heavy duty, scratch resistant, light weight | adjustable angle, aluminum alloy, soft lining | drawing work, kitchen use | color, style | 12-70
electronics | Electronics › Camera & Photo › Tripods | tripods | Camera Tripod; Phone Tripod; Desk Tripod | easy carry, quick release, light weight, heavy duty | carbon fiber, aluminum alloy, ball head, remote control | live streaming, night photos | color, style | 15-140
electronics | Electronics › Television & Video › Streaming Media Players | streaming media players | Streaming Stick; Media Player Box; TV Box | ultra hd, plug play, dual band, easy install | voice remote, hdmi cable, ethernet port | home theater, hotel rooms | storage, style | 25-130
electronics | Electronics › Wearable Technology › Smartwatches | smartwatches | Smart Watch; Fitness Tracker; Sport Watch | water proof, long lasting, light weight, fast charging | heart rate monitor, silicone band, color screen | sleep tracking, swimming laps | color, style | 30-200
electronics | Electronics › Office Electronics › Printer Ink | printer ink cartridges | Ink Cartridge; Toner Cartridge | high yield, easy install, fade resistant, long lasting | smart chip, leak guard | photo printing, office documents | pack, style | 14-90
garden | Home & Kitchen › Furniture › Living Room Furniture › Tables | coffee tables | Coffee Table; End Table; Console Table | easy assemble, heavy duty, space saving, assembly required | solid wood, storage shelf, metal legs, rounded corners | living room, small apartments | finish, width | 60-380
garden | Home & Kitchen › Furniture › Living Room Furniture › Chairs | accent chairs | Accent Chair; Lounge Chair; Swivel Chair | mid century, easy assemble, high density, button tufted | wood legs, velvet fabric, memory foam, padded arms | living room, reading corners | color, style | 90-420
garden | Home & Kitchen › Furniture › Bedroom Furniture › Mattresses | mattresses | Foam Mattress; Hybrid Mattress; Mattress Topper | high density, easy setup, fully assembled, extra firm | memory foam, cooling gel, washable cover, pocket springs | side sleepers, guest rooms | bed, style | 90-600
garden | Home & Kitchen › Bedding › Sheets & Pillowcases | bed sheets | Sheet Set; Pillowcase Set; Fitted Sheet | machine washable, super soft, wrinkle resistant, easy care | bamboo viscose, deep pockets, long staple cotton | hot sleepers, guest rooms | color, bed | 18-90
garden | Home & Kitchen › Home Décor › Throw Pillows | decorative pillows | Throw Pillow; Cushion Cover; Lumbar Pillow | double sided, machine washable, super soft, eco friendly | printing technology, hidden zipper, cotton linen, tassel trim | living room, garden benches | color, pattern | 10-45
garden | Home & Kitchen › Home Décor › Area Rugs | area rugs | Area Rug; Runner Rug; Shag Rug | non slip, easy clean, stain resistant, spot clean | low pile, woven jute, rubber backing | dining room, entry way | pattern, area | 28-260
garden | Home & Kitchen › Lighting › Lamps | table lamps | Table Lamp; Desk Lamp; Bedside Lamp | energy efficient, eye caring, easy install, space saving | usb ports, linen shade, touch control, glass base | living room, home offices | finish, style | 22-140
garden | Home & Kitchen › Window Treatments › Curtains | curtains | Blackout Curtains; Sheer Curtains; Cafe Curtains | machine washable, noise reducing, thermal insulated, easy install | steel grommets, rod pocket, linen blend | living room, nursery rooms | color, length | 16-80
garden | Home & Kitchen › Storage & Organization › Baskets & Bins | storage baskets | Storage Basket; Storage Bin; Laundry Hamper | easy clean, space saving, heavy duty, water resistant | cotton rope, carrying handles, hinged lid | toy storage, closet shelves | color, pack | 14-60
garden | Patio, Lawn & Garden › Patio Furniture › Chairs | patio chairs | Patio Chair; Folding Chair; Rocking Chair | weather resistant, easy clean, heavy duty, easy assemble | steel frame, cup holder, woven wicker, thick cushions | front porch, camping trips | color, pack | 35-240
grocery | Grocery & Gourmet Food › Snack Foods › Bars | snack bars | Protein Bar; Granola Bar; Fruit Bar | gluten free, low sugar, high protein, plant based, non gmo | whole almonds, dietary fiber, dark cocoa | school lunches, long hikes | flavor, pack | 8-40
grocery | Grocery & Gourmet Food › Snack Foods › Chips & Crisps | chips & crisps | Potato Chips; Lentil Crisps; Tortilla Chips | gluten free, non gmo, low sodium, baked not fried | sea salt, avocado oil, simple ingredients | movie nights, party dips | flavor, weight | 5-30
grocery | Grocery & Gourmet Food › Beverages › Tea | tea | Herbal Tea; Black Tea; Loose Leaf Tea | caffeine free, usda organic, hand picked, sugar free | lemon balm, whole leaves, compostable bags | cold brewing, bed time | flavor, pack | 6-34
grocery | Grocery & Gourmet Food › Beverages › Coffee | coffee | Ground Coffee; Coffee Pods; Whole Bean Coffee | fair trade, usda organic, low acid, easy prepare | arabica beans, resealable bag, nitrogen seal | french press, cold brewing | flavor, weight | 9-48
grocery | Grocery & Gourmet Food › Nuts & Seeds | nuts & seeds | Roasted Almonds; Trail Mix; Pumpkin Seeds | keto friendly, dairy free, low carb, non gmo | sea salt, resealable bag, omega fats | salad toppings, road trips | flavor, weight | 7-45
grocery | Grocery & Gourmet Food › Breakfast Foods › Cereal | breakfast cereal | Granola Cereal; Oat Cereal; Protein Cereal | gluten free, low sugar, whole grain, high fiber | dried fruit, chia seeds, natural honey | quick breakfasts, kids lunches | flavor, weight | 6-36
`);

function read(table: string): Kind[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [department = '', path = '', query = '', nouns = '', plain = '', having = '', purpose = '', names = '', price = ''] =
        line.split('|').map((cell) => cell.trim());
      const [low = 0, high = 0] = price.split('-').map(Number);
      return {
        department,
        path,
        query,
        nouns: nouns.split(';').map((noun) => noun.trim()),
        plain: list(plain),
        having: list(having),
        purpose: list(purpose),
        axes: list(names),
        price: [low, high],
      };
    });
}

function list(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
