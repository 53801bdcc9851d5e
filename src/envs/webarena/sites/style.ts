/** The style sheet of all sites: one skeleton, and a look for each. System fonts and no pictures from elsewhere. */
export const style = `
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;color:#1f2328;background:#fff}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;--accent:#2f6f4f;--soft:#eef5f0;--line:#e2e6e4;--ground:#fff;background:var(--ground)}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:2rem 0 .75rem}
h3{font-size:1rem;margin:0;font-weight:600}
p{margin:0 0 .6rem}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
ul,ol{list-style:none;margin:0;padding:0}
header{border-bottom:1px solid var(--line);background:#fff}
.bar{max-width:1120px;margin:0 auto;padding:.8rem 1.25rem;display:flex;align-items:center;gap:1.5rem}
.brand{font-size:1.25rem;font-weight:700;color:inherit;white-space:nowrap}
.brand:hover{text-decoration:none}
.search{flex:1;display:flex;max-width:30rem}
.search input[type=text]{flex:1;min-width:0;border-radius:8px 0 0 8px;border-right:0}
.search button{border-radius:0 8px 8px 0}
.user{margin-left:auto;display:flex;gap:1.1rem;align-items:center;font-size:.93rem;white-space:nowrap}
.menu{max-width:1120px;margin:0 auto;padding:0 1.25rem;display:flex;gap:1.5rem;font-size:.95rem}
.menu a{padding:.5rem 0;color:#50585f;border-bottom:2px solid transparent}
.menu a:hover,.menu a.here{color:var(--accent);border-color:var(--accent);text-decoration:none}
main{flex:1;width:100%;max-width:1120px;margin:0 auto;padding:1.75rem 1.25rem 3rem}
footer{border-top:1px solid var(--line);color:#6a737b;font-size:.88rem;padding:1rem 1.25rem}
footer p{margin:0}
footer{display:flex;justify-content:center;align-items:center;gap:1.5rem}
input,textarea,button{font:inherit}
input[type=text],input[type=password],textarea{border:1px solid #c4ccd1;border-radius:8px;padding:.45rem .7rem;background:#fff;color:inherit}
input:focus,textarea:focus{outline:2px solid var(--accent);outline-offset:-1px;border-color:transparent}
textarea{width:100%;resize:vertical}
button,.button{display:inline-block;border:1px solid var(--accent);background:var(--accent);color:#fff;border-radius:8px;padding:.45rem 1rem;font-weight:600;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08);text-decoration:none}
button.quiet{background:#fff;color:var(--accent);font-weight:500}
footer button.quiet{border-color:var(--line);color:#6a737b;padding:.15rem .7rem;font-size:.85rem}
.field{display:flex;flex-direction:column;gap:.25rem;margin-bottom:.9rem;max-width:34rem}
.field label,legend{font-size:.9rem;font-weight:600;padding:0}
fieldset{border:0;padding:0;margin:0 0 .9rem}
.choice{display:flex;align-items:center;gap:.45rem;margin:.3rem 0}
.choice input{accent-color:var(--accent);width:1rem;height:1rem;margin:0}
.panel{margin-top:2rem;border:1px solid var(--line);border-radius:12px;padding:1.25rem 1.5rem;background:#fff;max-width:44rem}
.panel h2:first-child{margin-top:0}
.narrow{max-width:26rem;margin:2rem auto}
.wrong{color:#b3261e}
.notice{background:var(--soft);border-left:3px solid var(--accent);padding:.6rem 1rem;border-radius:0 8px 8px 0;margin-bottom:1.25rem}
.line,.meta{color:#68727a}
.meta{font-size:.9rem}
.actions{display:flex;gap:.7rem;align-items:center;margin-top:1.25rem}
table{border-collapse:collapse;width:100%;margin:.75rem 0;background:#fff}
th,td{text-align:left;padding:.6rem .9rem;border-bottom:1px solid var(--line);vertical-align:middle}
thead th{font-size:.85rem;color:#68727a;font-weight:600}
.facts{width:auto;min-width:22rem}
.facts th{color:#68727a;font-weight:500;padding-left:0}
td form{margin:0}
td button.quiet{padding:.15rem .7rem;font-size:.88rem}
.tabs{display:flex;gap:.5rem;margin:1rem 0 1.25rem;font-size:.92rem;flex-wrap:wrap}
.tabs a{padding:.25rem .8rem;border-radius:999px;border:1px solid var(--line);color:#50585f}
.tabs a.here{background:var(--accent);border-color:var(--accent);color:#fff}
.pager{display:flex;gap:1rem;align-items:center;margin-top:1.5rem;font-size:.95rem}
.pager span{color:#68727a}
.pager a{border:1px solid var(--line);border-radius:8px;padding:.3rem .9rem;background:#fff}

.shop{--accent:#2f6f4f;--soft:#eaf4ee;--line:#e5e3da;--ground:#fcfbf7}
.shop .brand{font-family:Georgia,"Times New Roman",serif;font-size:1.45rem;color:#1f4a35}
.shop .cart{background:var(--soft);border-radius:999px;padding:.25rem .85rem;font-weight:600}
.shop h1,.shop h2{font-family:Georgia,"Times New Roman",serif}
.hero{background:linear-gradient(105deg,#dcebdf,#f4e9d2);border-radius:18px;padding:2.4rem 2.5rem;margin-bottom:.5rem}
.hero h1{font-size:2.3rem;color:#1f4a35}
.hero p{font-size:1.08rem;color:#4a5a50;margin:0}
.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:1.25rem}
.cards li{background:#fff;border:1px solid var(--line);border-radius:14px;overflow:hidden;padding-bottom:.8rem;transition:box-shadow .15s}
.cards li:hover{box-shadow:0 6px 22px rgba(31,74,53,.12)}
.art{display:block;width:100%}
.art.small{height:150px}
.art.large{height:400px;border-radius:16px}
.cards h3,.cards p{padding:0 1rem}
.cards h3{margin-top:.8rem}
.cards p{margin:.1rem 0 0}
.price{font-weight:700;color:#1f4a35}
.rating{color:#7a7464;font-size:.88rem}
.product{display:grid;grid-template-columns:5fr 6fr;gap:2.5rem;align-items:start}
.product .price{font-size:1.4rem}
.buy{display:flex;align-items:flex-end;gap:.8rem;margin:1rem 0 .8rem}
.buy .field{margin:0;width:6rem}
.buy input{width:6rem}
.reviews{display:grid;gap:.8rem}
.reviews li{background:#fff;border:1px solid var(--line);border-radius:12px;padding:.9rem 1.2rem}
.reviews p{margin:.2rem 0 0}
.shop .facts{background:transparent}
.sum{text-align:right;font-size:1.1rem;font-weight:700}

.forum{--accent:#c2410c;--soft:#fff3ea;--line:#e4e4e7;--ground:#f6f7f8}
.forum .brand{color:#c2410c;letter-spacing:-.02em}
.forum main{max-width:900px}
.posts,.comments{display:grid;gap:.6rem}
.posts li,.comments li,.forum .post{background:#fff;border:1px solid var(--line);border-radius:12px;padding:.8rem 1.1rem}
.posts li{display:flex;gap:1.1rem;align-items:center}
.posts .votes{min-width:3.2rem;text-align:center;font-weight:700;color:#c2410c;background:var(--soft);border-radius:10px;padding:.5rem .4rem}
.posts h3 a{color:#1f2328;font-size:1.05rem}
.posts .meta,.comments p{margin:.15rem 0 0}
.forum .post{padding:1.4rem 1.6rem}
.forum .text{font-size:1.02rem}
.masthead{display:flex;align-items:center;gap:.9rem;flex-wrap:wrap}
.masthead .line{flex:1;margin:0}
.masthead h1{margin:0}
.masthead form{margin:0}
.bio{font-size:1.05rem}

.admin{--accent:#4338ca;--soft:#eef2ff;--line:#e5e7eb;--ground:#f5f6fa;flex-direction:row}
.admin header{width:220px;flex:none;background:#1e1b4b;border:0;padding:1.4rem 1rem;display:flex;flex-direction:column;gap:1.4rem;color:#fff;min-height:100vh}
.admin .rail{display:flex;flex-direction:column;gap:.2rem;flex:1}
.admin .rail a{color:#c7d2fe;padding:.5rem .8rem;border-radius:8px}
.admin .rail a:hover,.admin .rail a.here{background:rgba(255,255,255,.12);color:#fff;text-decoration:none}
.admin header button.quiet{background:transparent;color:#c7d2fe;border-color:rgba(255,255,255,.25);width:100%}
.admin main{max-width:none;padding:2rem 2.4rem}
.admin table,.admin .panel{box-shadow:0 1px 3px rgba(30,27,75,.08);border-radius:10px;overflow:hidden}
.admin .facts{padding:0}
.admin .facts th{padding-left:.9rem}
.numbers{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem}
.numbers li{background:#fff;border-radius:12px;padding:1rem 1.2rem;box-shadow:0 1px 3px rgba(30,27,75,.08)}
.numbers p{margin:0;color:#68727a;font-size:.9rem}
.numbers strong{font-size:1.6rem;color:#1e1b4b}
.admin .search{margin:.5rem 0 0}
.notes li{background:#fffbea;border:1px solid #f3e6b3;border-radius:8px;padding:.5rem .9rem;margin-bottom:.4rem}

.quarry{--accent:#6d28d9;--soft:#f5f0ff;--line:#e5e3ec;--ground:#fff}
.quarry header{background:#232136;border:0}
.quarry .brand,.quarry .user a{color:#fff}
.quarry .search input{border-color:#413e5c;background:#2e2b45;color:#fff}
.quarry .search button{border-color:#413e5c;background:#413e5c}
.quarry .path{font-size:1.1rem;margin:0}
.repos{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
.repos li{border:1px solid var(--line);border-radius:12px;padding:1rem 1.2rem}
.repos p{margin:.2rem 0 0}
.readme{border:1px solid var(--line);border-radius:12px;padding:.4rem 1.4rem 1rem;margin-top:1.5rem}
.readme h2{margin:.6rem 0;font-size:1rem;color:#68727a}
.quarry .comments li{border:1px solid var(--line);border-radius:10px;padding:.7rem 1rem;background:#fbfaff}
.quarry .act{display:inline-block}

.wayfare{--accent:#2563eb;--soft:#eff5ff;--line:#dfe3e8;--ground:#fff;height:100vh}
.wayfare .bar{max-width:none}
.wayfare main.split{max-width:none;padding:0;display:grid;grid-template-columns:400px 1fr;min-height:0}
.wayfare .side{padding:1.4rem 1.5rem;overflow-y:auto;border-right:1px solid var(--line)}
.wayfare .sheet{background:#bcd9ea;position:relative;min-height:0}
.map{position:absolute;inset:0;width:100%;height:100%}
.map text{font:600 4.2px system-ui,sans-serif;fill:#8a8272;text-anchor:middle}
.map .label{font-size:5px;fill:#1f2328;paint-order:stroke;stroke:#fff;stroke-width:1.6px}
.wayfare .facts{min-width:0;width:100%}
.chips{display:flex;flex-wrap:wrap;gap:.5rem}
.chips a{display:block;border:1px solid var(--line);border-radius:999px;padding:.3rem .9rem}
.entries li{padding:.6rem 0;border-bottom:1px solid var(--line)}
.entries p{margin:0}
.links li{padding:.25rem 0;color:#68727a}
.steps{counter-reset:step}
.steps li{padding:.35rem 0 .35rem 1rem;border-left:3px solid var(--accent);margin:.3rem 0}

.wiki{--accent:#2a4b8d;--soft:#eef2f9;--line:#dadde1;--ground:#f7f7f5}
.wiki .brand,.wiki h1,.wiki .box h2{font-family:Georgia,"Times New Roman",serif;font-weight:500}
.wiki h1{font-size:2rem;border-bottom:1px solid var(--line);padding-bottom:.4rem;margin-bottom:1rem}
.wiki main{max-width:1000px;background:#fff;border:1px solid var(--line);border-top:0;padding:2rem 2.5rem 3rem}
.box{float:right;width:310px;margin:0 0 1rem 1.6rem;border:1px solid var(--line);background:#f8f9fa;padding:.8rem 1rem;border-radius:6px;font-size:.92rem}
.box h2{margin:0 0 .3rem;text-align:center}
.box .facts{min-width:0;width:100%;background:transparent}
.box th,.box td{padding:.35rem .3rem;vertical-align:top}
.welcome{text-align:center;padding:1rem 0 1.5rem}
.welcome h1{font-size:2.6rem;border:0;margin:0;padding:0}
.welcome p{color:#68727a}
.shelves{display:grid;grid-template-columns:repeat(4,1fr);gap:1rem}
.shelves section{border:1px solid var(--line);border-radius:8px;padding:1rem 1.2rem;background:#fbfbfa}
.shelves h2{margin:0;font-size:1.1rem}
.shelves p{margin:.2rem 0 0;color:#68727a;font-size:.9rem}

.home{--accent:#1f2328;--ground:#eef1f4}
.home main{padding-top:4rem}
.home h1{text-align:center;font-size:2.4rem;margin-bottom:2rem}
.tiles{display:grid;grid-template-columns:repeat(3,1fr);gap:1.4rem}
.tiles li{background:#fff;border-radius:16px;border-top:5px solid;padding:1.6rem 1.6rem 1.4rem;box-shadow:0 4px 18px rgba(31,35,40,.08)}
.tiles h2{margin:0}
.tiles p{margin:.3rem 0 0;color:#68727a}
`;
