/**
 * The twelve databases that SQLGym brings, as data. A line is a table: its name (and plural where it is irregular), how many rows,
 * and its columns. Every table has an `id` as primary key. Kinds of columns: a kind of name (person, place, title, company), `ref` to
 * another table, `of` a list of values, a range of numbers (with decimals where the ends have them), `date` between two years;
 * a `?` at the end leaves every tenth value unknown.
 */

export const databases: Readonly<Record<string, string>> = {
  library: `
author 60: name person; country of Brazil, Egypt, France, India, Japan, Kenya, Norway; birth_year 1890..1985
branch 8: name place; district of north, south, east, west; opening_date date 1950..2010
book 240: title title; author_id ref author; genre of novel, poetry, history, science, travel; page_count 60..900; price 4.50..70.00; publication_date date 1960..2023
member 160: name person; branch_id ref branch; kind of child, student, adult, senior; joining_date date 2012..2023; fine 0.00..45.00?
loan 900: book_id ref book; member_id ref member; loan_date date 2020..2024; day_count 1..60`,
  clinic: `
ward 9: name place; floor 1..6; bed_count 6..40
doctor 40: name person; ward_id ref ward; specialty of surgery, heart, skin, eyes, bones; salary 4000..9500; hiring_date date 2001..2023
patient 260: name person; sex of female, male; birthday date 1935..2018; blood of A, B, AB, O; weight 12..120
visit 1100: patient_id ref patient; doctor_id ref doctor; day date 2019..2024; cost 20.00..900.00; outcome of healed, better, same, worse
drug 50: name title; form of pill, syrup, cream, injection; price 1.20..190.00
prescription 700: visit_id ref visit; drug_id ref drug; dose_count 1..60`,
  airline: `
airport 30: name place; country of Chile, Egypt, Ghana, Italy, Korea, Mexico, Spain; altitude 2..2600
plane 45: name place; model of falcon, heron, ibis, osprey, raven; seat_count 40..380; building_year 1988..2023
pilot 70: name person; rank of captain, officer, trainee; hour_count 120..15000; hiring_date date 1998..2023
flight 800: plane_id ref plane; pilot_id ref pilot; airport_id ref airport; day date 2021..2024; minute_count 35..840; delay 0..240?
passenger 300: name person; status of basic, silver, gold; mile_count 0..200000
booking 1500: flight_id ref flight; passenger_id ref passenger; seat 1..380; price 29.00..1900.00`,
  payroll: `
department 12: name title; site of Lyon, Oslo, Porto, Turin; budget 80000..900000
employee 220/employees: name person; department_id ref department; role of analyst, clerk, engineer, manager, driver; wage 1800..9800; hiring_date date 1995..2024
project 40: title title; department_id ref department; state of planned, active, closed; cost 5000.00..250000.00
assignment 500: employee_id ref employee; project_id ref project; hour_count 4..400
payment 1400: employee_id ref employee; day date 2022..2024; amount 1500.00..9900.00; kind of wage, bonus, travel`,
  league: `
stadium 18: name place; city place; capacity 3000..80000
team 24: name company; stadium_id ref stadium; founding_year 1890..2015; division of first, second, third
player 330: name person; team_id ref team; position of keeper, defender, midfielder, striker; height 165..204; value 0.10..60.00?
coach 24/coaches: name person; team_id ref team; licence of A, B, C; birthday date 1950..1990
goal 1300: player_id ref player; day date 2020..2024; minute 1..95; foot of left, right, head`,
  shop: `
supplier 25: name company; country of Austria, China, Ghana, Italy, Peru, Turkey; rating 1..5
product 200: title title; supplier_id ref supplier; section of garden, kitchen, office, sport, toys; price 1.99..260.00; stock 0..400
customer 220: name person; town place; level of new, regular, premium; first_date date 2014..2023
purchase 1000: customer_id ref customer; day date 2021..2024; channel of web, store, phone
line 2600: purchase_id ref purchase; product_id ref product; piece_count 1..12
review 600: product_id ref product; customer_id ref customer; stars 1..5; writing_date date 2021..2024`,
  school: `
subject 14: title title; field of arts, languages, science, sport
teacher 36: name person; subject_id ref subject; degree of bachelor, master, doctor; salary 2400..6200; hiring_date date 1990..2023
room 30: name place; floor 0..4; seat_count 12..120
student 320: name person; year 1..6; home place; birthday date 2004..2013; sex of female, male
course 80: title title; teacher_id ref teacher; room_id ref room; weekly_hours 1..6
grade 1800: student_id ref student; course_id ref course; score 0..100; day date 2022..2024`,
  museum: `
artist 70: name person; movement of baroque, cubism, realism, romanticism, surrealism; birth_year 1480..1960
hall 15: name place; floor 0..3; area 40..600
work 300: title title; artist_id ref artist; hall_id ref hall; medium of oil, marble, bronze, paper, video; creation_year 1500..2020; value 1000..900000?
guide 20: name person; language of Arabic, English, French, Spanish; hiring_date date 2005..2023
tour 600: guide_id ref guide; hall_id ref hall; day date 2022..2024; visitor_count 2..30; fee 0.00..25.00`,
  farm: `
field 28: name place; soil of clay, loam, sand; area 1.50..60.00
crop 16: name title; season of spring, summer, autumn; day_count 40..220
worker 50: name person; skill of driver, picker, planter; wage 9.50..28.00; hiring_date date 2008..2024
harvest 500: field_id ref field; crop_id ref crop; day date 2018..2024; tonnage 0.40..90.00
shift 1200: worker_id ref worker; field_id ref field; day date 2021..2024; hour_count 2..12
machine 25: name company; field_id ref field; kind of tractor, drill, sprayer; purchase_date date 1998..2023; price 4000..180000`,
  hotel: `
house 10: name place; town place; stars 1..5; opening_date date 1925..2015
chamber 150: house_id ref house; kind of single, double, suite; floor 0..9; price 35.00..520.00
guest 260: name person; country of Canada, Denmark, India, Japan, Nigeria, Spain; birthday date 1940..2004
stay 1100: guest_id ref guest; chamber_id ref chamber; arrival_date date 2021..2024; night_count 1..21; payment 35.00..4000.00?
staff 70/staff members: name person; house_id ref house; job of cook, cleaner, porter, receptionist; wage 1500..4200; hiring_date date 2003..2024`,
  studio: `
label 12: name company; country of Cuba, Ireland, Japan, Mali, Sweden; founding_year 1950..2015
band 60: name title; label_id ref label; style of blues, folk, jazz, metal, pop; founding_year 1960..2022
album 170: title title; band_id ref band; release_date date 1970..2024; copy_count 500..900000
song 900: title title; album_id ref album; length 70..720; play_count 100..5000000
musician 160: name person; band_id ref band; instrument of bass, drums, guitar, piano, voice; birthday date 1945..2004
concert 400: band_id ref band; town place; day date 2015..2024; ticket_count 40..25000; price 8.00..140.00`,
  rescue: `
station 14: name place; region of coast, hills, plain; opening_date date 1930..2015
crew 42/crews: name company; station_id ref station; size 3..14
medic 130: name person; crew_id ref crew; grade of junior, senior, chief; hiring_date date 1999..2024; wage 1900..5200
vehicle 60: name place; station_id ref station; kind of boat, helicopter, truck, van; purchase_date date 2000..2023; range 80..1400
mission 950: crew_id ref crew; vehicle_id ref vehicle; day date 2019..2024; minute_count 8..600; cause of fire, flood, fall, storm, traffic; rescue_count 0..12`,
};

/** Whose questions nobody trains on. */
export const heldOut: readonly string[] = ['studio', 'rescue', 'hotel'];
