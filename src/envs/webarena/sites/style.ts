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
.search input{flex:1;min-width:0;border-radius:8px 0 0 8px;border-right:0}
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
`;
