/**
 * AgentGym's item numbers: 0 to 2419 are games of the official train folder, 2420 to 2619 of valid_train. Kept as one hash per
 * item, so that any collection of official games finds its numbers without AgentGym's files.
 */
import { at } from '../../core/at.ts';

/** Number of items, and the first that is for evaluation. */
export const ITEMS = 2620;
export const FIRST_TEST_ITEM = 2420;

/** AgentGym's number of a game (`pick_and_place_simple-Mug-None-Desk-308/trial_T2019…`), where it has one. */
export function itemOfGame(name: string): number | undefined {
  items ??= new Map(unpacked());
  return items.get(hash(name));
}

/** Which of the six kinds of tasks an item is: pick, look, clean, heat, cool, two. */
export function kindOfItem(item: number): number {
  return Number(at(KINDS, item));
}

let items: ReadonlyMap<number, number> | undefined;

/** FNV-1a of the name's characters, all ASCII. */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) value = Math.imul(value ^ name.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

function* unpacked(): Iterable<[hash: number, item: number]> {
  const bytes = atob(HASHES);
  for (let item = 0; item < ITEMS; item++) {
    const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((place) => bytes.charCodeAt(4 * item + place));
    yield [((a << 24) | (b << 16) | (c << 8) | d) >>> 0, item];
  }
}

const HASHES =
  'y0Qxq1pcf5tvnDy3YTY3lMgtgfEiWpRpz2HCHMnKwLRfNIb8W5OxIcEZkJ5S003nzcqn8HIjD5vAe57M/cg6GC+z/hbm4UjitnKFuHybPAsq14ml' +
  'xkhePfIRN0RMjjU8FESl8eofOOBgL/RlA+GCwnQi2P8HYhpZ6lb3M413KhG3D4NG/ugrbKJ3zrwdRDIUGZ6s6cxD2J71r0fwHHj3P5SQaxvbSEEA' +
  '5yhD2YElW6NUX2Qe1d/vgnkSOKR+JwbN2uxi0OKSptCpHoKpDlPcA/8CgENsead7TO992MC3wktrZ/F5fZ9654ZkzdORIoMv/NOicNluwZgnyJFT' +
  'g+olZz2FaG+4sTYge2Ux2m+nZnYWuL4tvm78xBO4HHZsvgdEqY44vx/+lNe3X+hiFLCnOJDcp977taUXep9wkkB9/rzOQ9LbaLPqBJWv6TtfypCi' +
  'vwSqt6wF0Bbzqhvh1RppmHzLpeyGo+UZ8a1gtvRBheP3TV261a0uXZ4ZpCT743QOUKSx0DGVb6IeI5qfVX5upCr+eUdnkTcMadqP0G3XiFdxMkXL' +
  'XzfNyZPiEfcuHfdyn7jOFj0WZJB15Rf6SiXgPYvmEmvn2za7utPIIQuvqr6WfF552CG1poEUnqgaziUgNSu5MwmIwyJ7t17udkDRj+bDlnrazVzs' +
  'NVjBSfRENkUf+gxyzWg64NXPsVNONQNqodj8/0Qbol+OmnXFVyG+bb97mKksHjFMp2zRrEOq+pAWlA6X9I6OUD1eow12EejzqOj9iKjRcQB5AyPW' +
  'Y15MG1j12amMYGf7+LtELNwLMB4BD0oGsMJuN4vSr7IJdY6bgFfNjIFPikKY00zsyjUkU8Ysu3ir7ESKeSBUz0BjjkkiOSjvFVPcTyZwbAJEE0el' +
  'BBjV/7Teq9zKMvErjkVUwPObi70JwEdcC69xCUojStzmk+jsWL3/FjMohx0AJ8lgvHSMcKuNVYFIybbr9fC9qX5WX2Z2QvDHZKo09gdgcUlV7oYi' +
  'M5ADRgsZB/uHgQ9FDK/Vdfn4DQymQ/U6ao3xmhQSAfn20deF0kpzzijTA8v2k1sjfwQhpx95IjRp733bi6hr75pIjTKqE4MtT+WEHFfTkl6ISy8g' +
  'OfQVE/mfnnGYlxfbpn5QqRRBrjwr374HplDk7MEKauP1uay+D2yDB4YF3yqhKA8TqfT0AQXELoMYstC8THlJ8R0UsIxlrRwVXsPw0WFD9oAOAhcm' +
  'Haf//LHuRjjVgS5sYQviSCVj7gWSpAXs2IXs3wlCWzzHKwnfHYMEAXuMHk6/PpFqErRDTuLVH7H+WdFq/em03tZkb/bBKZaMRoInjF59VUKv6iPT' +
  'LM9oTzkUg0GQHVe+rxJV377IXT9WV3z6aeGuB79ei9cHRBIQJsFY+6K3YEkTL7+9BNNvhqtdHpeSIxpMI/DPCa7PDAeDL1wKDJcHEkzFEQcO1W7e' +
  'Z7PUCZ5JHIrKZyf/QdTATjl5+ZCQpFBW3608/CUa/b6PbsqMDqVmGXCYk7xZgB8xCoLoPJPVrXsUFhazbQ8Vnq4rYEksoEUls6W4N4pdvk+sWHAk' +
  'VY+waMA0tDIkvJiWfArHUBIDe9gGU9oFJrPms9v3RCatpIgv7wjWflA+eSvfC5TOTL6tEnbIyydq3WVkpYmJz56UZtTcwjGUS4n2ofRj+49Pt5Js' +
  'SdwA2WJ6DvLrnivrwGT6ECmvaLopAboPlY1wcspusyT/TCjJI0Q88MHboie5EBtoSXzN9gbzwSmZgoX5FkGX4zpL9U3LQaovh1L4x48iQvrjSinV' +
  'h0foibItv55s73Nb+BONdoW3Om+ctOdeRPtLqt3217TrbGI/Kc7ZZnJcXD3MVTQoouFauBSlx/UeVtjNQR+6cSi5kxqiMQJoW1TPP4D0QJtmZqLc' +
  'n1PX6F9S2PxbZySyAgajviXx8CxFn7jvC5fm8XhBLjInF2PKR6dIKk5A4bTkLPe+B9/SdFIoobbm3QVOU58mpywWNoqnA/mJr1iYREVEkIuXh/5K' +
  'sznH6hmH5NrfprYDm9sgDa+OdkGSfJe7G23cxU+4ELiCZ0iLivBRz2B4U40A5jMF5/bxDDYN9thFNft95p/NiuUnvRUyykq7kerQeBcSxsYrzJsr' +
  'JB2RT+0mZu+ME86aA+G7L9v1X/PVcndFjecl9NAO14x0cUGd9QCG2J//nSIV7WRUPaI3XbmwHJ7b1T9UPA8beVYnw1tjp8iXpaEEEGtRdbg76Xy5' +
  'ZgRc/w740/RDEXaS0zqJozsLpiv9cNfSF6z/Ve/ZrYVgy5pP1koZPWjR2szcRejQAYB9zUop8uIdJvY/BipzrenuNWCiuHwffUAckFMliW+y1mPN' +
  'tIn7d2v6ChNGX+b7FWerMzbrbt9P9mqmEWvKEKjb50ZL2EP1/j+TccgZmzV3UEvnopsivfx/RlcvtIrjvj5p74eYh7q4xg6QYbITfD4i02PnKX2J' +
  't4ZY5fnG0RmPUAgxGgK+HHC/fkboxTOyTH2HRYPHPe0SWxBmgai0TvUxSNIIBNUAdbuwcWwRjtCFNrPT2eyyOElmwYD4CMOrifdZpLbaobqeNjlf' +
  '9Ggmv0BiP11jA85/kBMG06EB+FG2YDXjjepqT2OSL8HY67ddzC/1yBeBA7GnZussjxoJXeQvozZg2zM9jcpT+lVBtiXpA0tGiqaXRoQfrcdnBjZz' +
  'ckXIylN+v0kCy/pr1+LHlTg2LW6nGoLQJaVPhW4JV86zsCZX+BMADCiukSfLGL6tu0C4r646DBINm9uY8zrwyxW6SQzU5A9kSsVvM+zUNjToOFJC' +
  'lVZwTVU0yOL/MDOOr3CH80OG7f0XRfsV0ShdtO7+MV/amzjSb7wkSSbyiYHpG5NxyMXX0moWhgP8NoyruPdljlExy5MLaZa4yoy3ufkhVOoxf818' +
  '+1vWWRGMurAbVaxSbWZAT27z1aSleW634M5X+pBHNp3Kr8lDGMjZxqzwV/hqsg+hiRq2uxNY/reX8LV/BGz16WCLsDoMpuqE7SBwHpjYU3Pg7tLO' +
  'PGRo0hzj++VHFGsUITep9BbjxBDmF40O4on9qBf95MfzEWVSpucRIKhNafHEe1jBBGJuYTfoVGx1DQiLfVeuK/XOBcN1On1J4H4TSBOwbU5NgqjE' +
  'vz1JZi8fJEwmSaEqh5wA9HJZgIGgur9N6pjhZeInjoFuCJL+VQfJ1qMf5dkcHCgR1lyObPO8FZ1Ymz9otVdW2KngPeuGxxGf2xUI/ckCZ0/hW/4T' +
  'WmWjA3SlN+3gRw95RBjQTYXEXQr4VNdTeA033sTTZJVs9EgmEbD5o/LyBmcPAq8WWaYNARo7tE/T8pGuwpCRJjUY56rAmpY2L3k5ivMj79/GvTQw' +
  'dIN0Rw937q3L7hJTbWYhX0kZyG0fOv/U1jAKMCNnkW27j9nWgdRqvoOq0a6HfLpBPsE2ebUXWjtIrMDIv89JOtUrbCVN4oJvogZyqe0bmaG9X8qx' +
  'BwIxVaxExncuTPCUX/VoJD82+k+cWMlXOH6Ro/X5siBQ653xwbf+c6urlFVgfql8+NI8xD/jccvPaeyPH7l6Xl9Zy8u2e4ujt89yZ85i0S+Wq8wG' +
  'guMxCcGpUTPwh2afj20dahmUQVb+CC7YZm1POAHeM2aj/CnUUEwhAqsOdKJYR8wZkkwyOmhB98jBnFpqEfLNDvKqV42BNNYnpUAWU9c0cNUA01OT' +
  '7puEuL3NSLt+C5jKEU30vLHw4WKB0iA+cGVhNd5W8P+7vl89Z5q9Kh7244sUiZCR59dLOZSr+MEYr2VY6FrSWfaET7UQKRlaD3s7J1z9iCSo4mDs' +
  'vd6kJJhLa9u3+YOkBcXxnIFPctBjrlB/+vhjzjcjhBut35+BjddsksUjwHRSq/OemipWrdzW0rH7ipdhjkei5DllhVbIK9Pgv+pdep6AKtt7t41D' +
  'OjFY+8y/AEWG3PO15UuqJCLUOZW74dtZmUhlWvWAgmvafO+FdkIUXJSp38H/0XREUVYDvPyuoOKn0nX4mPOwmZTbRUJizfcy8Iw3VOgaXd13MgQV' +
  'Xz6C4ooYOSDKTNlAv62iTQpMRikGzG1kibnisoO+UMCf5/Izxn3Dwl10cC75mUetknW7jWubXJ/JJ5dNWUidYU/Sas4ZJRDqyQD/3cSyvlJKtw/p' +
  '6UJvGFpKbWdAtq4RpgzRi37AMsPG2bR7EifAOT0v9pMTSZj+2zKJnWGQJJs86pWllKvnYmjaf6lLrttSqjNT3SnVBYdXLtawv7hWbjqYZAiInn7m' +
  'TO2Tp4mXzBSQdh3isEjaDQzjPLU+KJY4IXIH6sQNt47P3QrEajcYG2h84kDWkYi86QhvyPI6kJy+IBhbsbNrLz9aMxILSJNEgbcK+FlyIvP/C/of' +
  'Y/T74CCosQ7hAiV0Y8ggEiwsOXOe02WU4KTgATY53Z5hgISX2m3rZLYNvGO5Q8H8ovrRhxAOgMCHPc2d7yVKGjnIWWfcEJxH2jNBisCBqXBMpYAn' +
  '9QdWx/XHaGpj+Fxm1PAiDN/t2fHzan9neknqtHkaD59tg6wQWcnlJxhHQIb3cqlr+hZ37BC2+bpFJ2lK/gkfCuTvs5SpsIEAFGJ6+c6qdW8bzj2J' +
  'YrUjpQOya2bejVjO29yFpBibqbH5PjfJhLkGGilCYDz7/y1YDl0KW+CACv1SKcRut/+9iY9/xLu3nt/5V5gfd/QIxgKX5iBwejUmx/dYTzotMXlU' +
  'wNoeuf6AaBWQc3oW6qdm+0K0HbaS25HHJVJSC76MR2zVZ5PH4ymEYvyRYUQHVdgVbRMMzLMuZNB1XJReub6fumLQdAuCzJyJTtp+bVJKbigXlVfg' +
  'oONE4Zh3xRAZQ7FHS68NoeoRSZtTNy/j7Ji72f+KvY8TpRzlQtRuvpaWsVF9thTpOPmGD3YKPVa18/+RvtI329GNhg/nwX5iURelMHD+AhbkAlnX' +
  'yzb2WvzS5rQUV1xxqa3OXvO2gUJFOqiXB+smCirdH+GhjTeZH01TJKxgjS0ux41fCAof+Ojyo4Cq7p8QbCoDbtyDqzT6aeKMnkyYBFmZClKArrTO' +
  'S4608c3OJi5gSnL+flNyRBPzhsuT6TQd5aOo+Mi4wTRZB5zV7xZ3TL6dLab98Au2/8wWFIlZXabV/VkVV3Rl3GfuC/Pa8By6+vwR11g+Mxu8S1Lw' +
  '28uziJnOGuiXTt2X5X/Hh3dOt3+USHhr6ViE/knLogDzpUYJy/iRXEDP9SSFTa+mEBYuOwvMtABhgrvZPbGPsoYtAOZXeVMMwH7XrMbEkgjLUPcO' +
  'E8m5vIRvvIDH4+kA5CZcb+XEvoYGYBlgR7/9tRVNxXxWa7ZoSNC9UoMDA0fphFihprGk4mX6+L2isEDAZTYJlaxETdZvlUYfcUM2E6wckgjIbQyv' +
  '4hL+gsb+Cl/iG3JNOfB6lhlmfCIKUQfwSyuDG64AWg0AHib3wFwedQRh5jKwZ76mpUHsOUPBfYUblRso9eFnCc/Nny2A6Fx3IqhJepRjdpMFQRDi' +
  '8DVVkrOi8wlTJoIrL/6xE7V5TgtHkDx4G5AAHGk14yh2MBYWaPrOawxmzlWDnuP45yGZPRawOLDdE+NTrbWXwnvwBLnX9wi5c1E7UefFc5M0YbRp' +
  'XHptOwXug0uaEKFsj908RXx/0Ab7g6KrWhni+NAts5irT+3FB+fp9Fdsgi+7s1E0daauTytQlaFSd83E3pwbbp+6E79XPjuuUOFFv9ECQf4Bm5/o' +
  '/UuTEhsHMR/izxFIMSzo9+jT3JZwvIAYyxpMJPoUS0wGmwE+iokZUwWfjVf3tOs2qN7enZdMa9yULnWhX/6VxAu/U75oQtqPcobWB3QVg2t4QV6R' +
  'ni/PW3q/t0g4v1y15s4oxrWeLb4ISL7VmYe5WcHuAAJeAxiPNUbxaoW0zZL0ZcH3f4AuxbFtTmdetOhSfERN+kC/s2vCavjQf51xpH3vp2rVU+EG' +
  'mDXebEBxttq/uV1r1i2NUqw05wtG0gHMZRs6Ud8Lz4O6MJYI1tcQm07Cu0kJ8ublxbkdpNYaUiH4HN0Youeyzj68i8Fx0GjY9Qai06lIrEL5Z7sV' +
  'wlfgdoQasBISLD+BIlVDd0ADXVbggtxCtVdEg1cP2rRmGpNu1cCzU2U6M/sPL0XI6rXla0TJLxJ1wTArJKaLOlN401puBx5x4uBUhtXCpFrFP3ev' +
  'v4tDXWwrWqz2R8qeIhS1UnrQYrLCIMfWdyFTy/CB0+R76JMhjnEBipnMA5ORzpk1N49OqiHHi2jM5nN3lpGeBAZPVF08r7EQrKkAWZW6FWLCQVbE' +
  'xORS1JwVSj1rhLQ6Ypgw5eAvUmKuKWn4kdh4IYmO2sUYHCsgQ5ew2yVh/0w9MImeTGo/BESpaBU88F9ObUmVkM9yYE3RJp4Oy92cPodHMOc1WGCE' +
  'XZ4+JXfsdruM7W2WPHYTTkJ5B2wSMa8XUJXCuWPYrnRHSc+d8pxV4a0txaHrqLWZ4SMZ/qK+6DIw+14wrhCZqGO4S1IvhVry1TE4eP4kBwnQBISc' +
  '39sjRz1kFNXSVb59USHhluXnk4EYZXZsAUUVMgJHnOIKYYRSahvSQcfVsMrDKG3pFCMKnN3SnjbR4a+QnmVRtTJr7hzjSzIEGWj/Dss9e2jtzmP/' +
  'rw9ks52MxKCVoVA4qEfUU4xtn/Sd75FP0ivjJHnMYCWrkzmn8Lu6dYXM+khpB2PjC419FRjSWRSTHFmfItDpg4j4BmCzWkyUxdxdv4HBMmb0XSJV' +
  'riJDxW1iPlGBGvihgzxhpS2BzOnMS3Ls7uqQstx0c9WfFXJLnfN6xAt/T29CDTpBql5Y5sc1KLIA6+BoervqChBXJ1j452Bd+SYMXF4nAef/ruJI' +
  'pgOU2AqToXS05qggc/QYUtOcuZxPHwRGpiOYyZU8VDcsf4oqtHDK90jDGJW2aXtZ2jorUt/Heipkgavt/7ajmIgQNlmv/5RLFpSx1QS8c4MmHbrZ' +
  'PFSSnKyXC3YOSo85IrOOkQTu+0nsHv3sv+BRQnMXeLyQ0/GyDszyIoY6bDwVvrhFvoURVvdiCP90+JX+yHUN+OAVksUEyAk7dpNX1gKsd+qINY1T' +
  'CHTBEEbgmkOmiaBZjpeN5Mq89n2Se41FwZD5nCbLzw0aI2bLbVh+kFOs47Z2NOBKIYKlGtKjSDVrNcwjI2JcbrO+Mm8iOpM8+Py+5Y0LM1ch1/zW' +
  '/JdHyx5piEhw92x1ZgmO8kxR3Xmc7VzQCuXEqb5lZjDJPnkpV3ysWgGIUzbXmPXyOlQyG8hBM19fgA4vv7F09mx6kdiHHirJqp+HBqIDOWSYBVbJ' +
  '9l7jngmKGvOU1UZ4PPu1yji32P1VAH9h1XcRkLILRJBOrnNIXbp6yYjrgwUqrxvIB0N5880WoMxZOtmpEQOkM9i4LBOVt6D5lsiHdqz7+NY6biIx' +
  'uqECMEPx+9peSAM42Tzpa1iRG5qQsJRJgTrCofYUUX2NF22bIjnOT7f58gCpwjOqX6Usfa9p7bWqvzk7Qhbb3whUY1nxQPyzXQBXyESsuHUXUfZv' +
  'tp9tAaTdy8IdGZQQbgjojUYpHG/VIrZVtKg3Yh6+3VowRyMzTHFsHWqTXprfCbBuapnmqWQ5UoUIQ+6jP6lnwcB4Eq2l2lV94GAfpln/M6WAI3SI' +
  'gpDmZTh7rFncboZWgamoRiNgH1v8ifu+ji7YQBLt4VEWVmOng7slYX25D3mGTqvnMB9ajiQH+h45nAb7/kDxxK1y0veRTRdDGAqWq8YhIQ6DSSvJ' +
  'ohZlvBrpMvSf/hYWxwmChIuY2Jd5amaeBsos3JHIH+KumBQC2tjbr23QOrW00e2vaY08zaQEjm6nSJMSiJFzX10NTLaT3JSde7I7kz0QeUFQ3wGI' +
  'GvEmvJ9DsXTU71MH/35141ScGBtlk/nYjj4jO3NodMyqnaIV0PqQMF07rbU12sU3QIBqmWwU/cxVMp9mhR/7hJRvdFA8Wu1FiOeaIAxsiS04cydQ' +
  'ZNTilkIeSdmFNcGZrOGsa5ylhuWykn1R6htNwCp4e4JdCVgxIXKW7ygflhgDhkRweuJYy4rn1WLOfFHcgzIuvuDPkQHMxgr/qorOIXKDKTPvOdh2' +
  'UeWgZy5ai9DIup5zpeqaNTMjrhEYVJsph/VqoMdG8PhJsgxI6f5b5pq12zxJfJhSga5w2WZ63N/VmlsR/raoTSmlrozkJd6MXxMRmVJVDyqLl9Cu' +
  'ncdJQrQcIv0jLy+hHNOhz2tFguSqyZfttzp6O0LEZ/BarGaE3wySW+xIpxN2vFAnumihFtTLltiEt4S0zfPPegXI7+Z+BHeF9m0iJmZFDFY77H6K' +
  '6zHk5v1Wz+fx4Zc/PDcrShVEQ2VdXGcts6y4UT7VUYljb5Nx7w4cENHYHa9LdYNGHcz/Xr0YT5+EtO8COuTMQ4ABWMJ0eE7POFTHwhlJi77LL+xz' +
  'YqPzACoUUo1YO3goxpn4sJxRYxqlDzAej/MKRdYd3PcYghQaLOE+YxpozGWYzm1aJk0rd0crFX1Vwh++y0vE5AsM3IkC4i2D1hOeTh6qwJoC7zfZ' +
  'LX4jSTlAtz5NjuK0T8FAMfBYRbZ2shQ9RWGjYiUj32dri9uXyFgR23ElCW/Wpm+JZi2zNO5G0VSdrWDKtiMfdUGZ57Cz/dLPSI/W2KjqQQKAJcyZ' +
  'p1SXIpda6hUTCXATqZpAK6/ied5zVveOnNUdsfHbmisO/0zqvRo7StCHpZUoYciPauW9WKGsXtGbhJbmhdgZDjeliLQZQd/ef/iKcsETP+VXHGH6' +
  'YP6qg0WdIxTxzfxhipSBywQ8Q9zHvUlB7iSdEJZgGeE/lFfwZL5kF26xj1NUnbrITVhtWT5ks0ttn4TaRaTig63+BxV6ACmHvEP50AXDmxBnKzkl' +
  'HEnk1TK8PgHIYfayAJZmgo1Fbs/BE9JhM8wo/mX0GO9Pk2lJ3HhIy3MGewCR9OJNOoNL1l8e7ycy9m6bjVUsuWenT0ztCzkBurseHqYynGBCawT3' +
  'nmzDlYB52TUVeNJrgWm2FHtV+NWF4M4MxoX3adA6FzG02C9kqilj4JsdV1QPNppYkux/bQqcQNURgpXIjJBkNDahhzTxcDP/L0lCn+CdJuBth99s' +
  'x6LM8kcju7E4TRpk50AygXg1E5O5zqM14XWm6MdyINTSDf57F/neniIlmIPGCHtM/yQ94mlIBj/LGeO4xT5UDtlICQaQJmRda9ykIEHliYtoBqF/' +
  'N48K9em9M0R7J8vudrXdK/U9cPVupfp50qggTo+P8/6IdTFse0GVZ7BOCbY8v6y93r5VS7Rao3qSfEAOvfYA/3E1xzYAqUHPYgLvAzkn/eIABM6b' +
  'P5S8SJvLoNlzn4ZZcK5rPPZDokolznATZzSv38KF+bYP9k42Hplljgpr7KP63voHeqNavedvvho2HfqfCx6aSQVUY1EitZ4tNMSDqZBxZLg/N+la' +
  'tMNbG35fhP97gSOeu9QyckPZv5wLDfcAQG8vmJ+c+4Kw3Triqxsa+Fd/wKoF6Qa1IbogQth3O6JffbhA+Izk+WxQFthlNY+Do/p4yJvY1JL/gKM1' +
  'A82mshcOc4lx6ZSUtto7euuUNFhxPBnBpKOQ6E0/xCITlAm2XBNUgxF/J8p9Ww8dVk00/qljNPJHvrnk2FeOS5Yw32Zg3ddnbFTigd1/HiEMFsIo' +
  'VM4lQeirRm0K4HjJ2Z0ygngIhi5BppZiXYXIvhf+0I2AM8LqYZix0tRSDWl6nwrvoaaLXpxfgStEUd/yomLI5IFdnwdTb1yaae+LfRHGKjgoZRBO' +
  '5dXqzlvEfe3xrggLIh9KrM0MFsf4MOnVFN3ArjKGBUFPGY2CJUww1QbOjGVlpAMPBzexrOiyp35QxFEU2IaxSOFA5nUOpIuUMNHaxLm/3XrU3skv' +
  'PYsuyBdYZtVn4AaXpipw7bxOMCcATRMJdTZpNLclCa/DQed5yHzd6cmy5GIP97YTlixTvpn39AJPu1/yZp5EOMJQ4mqM8vEMkcs/iyQLQmNItjkZ' +
  'mo52H91QJE6T04y4tPcApUBHO25mVPF4dtYlUyrrE+2N0QOA1AUZJvXPxMcpYJ2xov/NR+MqMkr/kt7NYAU1M1CdFIZ3FeZYTnvSplIhPKvfMdfH' +
  'QGw+XbpjHv40vRoHV/wEKe+IFnjRaH4jESU0nWd811JKybe5/boDzy3Poa5ib0BrkSrrlUxLEwYcNG1vaeHqJ/vJSsJkz4iAsVhiUOFBYo6JRqEE' +
  'qklUxZ79Bh7RJXERPg58l8PK8sUMbzxety1EA9xg6IZd64RyodvlKetmt8guHyT5g1GoyrbW1yuwAiyGXo3XkYfiW3JsrAH10jHDTEbnjnjhP3Zd' +
  'eNNqXXR+++z9IsoWXZp2SyQmrsvFe/Jv8sQiGxwEhPtER0ehktkl5+fKZPVBV0jyO6ngaQjkw/B3YtUYb7CH8qf0cZBEdw+NIk/q3p08N/n1NFNq' +
  '9EeKU05PAOwq5eJ8AvlYBlJwTaAZU+j0q4mCWaBMJvkTw8DPRRBEagJlllmlp44I/77IalNx1CUc3amfufyKC+FMWkxk9kDq9BqrQdDyYdx6CPJC' +
  'MbU1SeBbZ8w7bU8QwP4XTtFE7dRHx9bcGFUBaqxf8TvZqyMk/gJlDdy73tjLXz3l8ZptyxFpUkoDjxgDjk79X8EXXDAVHlI6umn76YxHapfqtpjT' +
  'XA+PcHeR/EfnUIJno6RZD8Wqdf9g5RhQKjbmna8SHqXSFZltKmWsFGDWWZf9WXc8CyMpnxxabLcHepys3MxOVWpQa9+KXuS5ghDuOaKZWM+9Jo6T' +
  'qoHcT+uMxDINelpufV1IXyavsIQGZeeE0uLbkDU5khAsYqIbZNNWRiNSIbER/4O/JCneeCXDK3GN7Z6tlQGcf0S8+ucTMospMWGG+Jxua+qnUNis' +
  'VtcPGxb1QQD6KaS1CWcn/lymBNgAn5K4nxvt8CnLNHh/qS/cyxNVAuANjSbIeXU/DqXjoyIbdQiIkuSZgEPXNGU51p+BY5gx3Zx3XBAEJH0RB/F3' +
  '9YBOfbuAYvxcgJjEn8mVixAN1msDddFz4cemNjnotj23bwdr7xQkGnh4ITPr7tGZJNXNFnGoNQjOu++Mvi1BT5BXDHyP/Xy5MsjKy+XRp280SuJ1' +
  'K7I7ETh8aKiANmUaKipyhOiJLxtXV39dy2irm2UGryJDH7IstM2IxfIiRkCUmUc56jt3HbCIx9iYzgVBf8UYx2TbASt7viZEUyLqgbm9cmOMWoGJ' +
  'rT40nunYUYOGJW8CcFSwZmnAcuyT84zCXXtCIeNw7k260ymwHjXoe2ClhYEr6O61KtFOb1yx2poQWT6YG9lqLlbDzhqptqq2Tx7Wb+XARNDRCX0s' +
  'DN09VxhqejxYAGgiWg5YzH5XP/YOnKU27aj1iPm+R+BpLzfnvhsXzrdQTRMASBW1kBP9ePssm+PIcAtCSgvcAJD/P51KclnHlbrrFf6LHtecMoKu' +
  '/IW1QDMn20iIhBNu5Ro68p7nifLRc35nB6i43E3dwkAjE0ps7xTmcmz+zsvjbW1RdTP7lxnqStwaSc7JYTgYrdCZ2Ix+767YSmab5uhETK3VZ/aO' +
  '1nAS9MQsTeQ5ceTRGeTi10iAiIoYZerislDhJ3e5P6H7KDLFvqJV8Iy7gYIEPM2/+niWKF/vxq9NfUG7zMnE7UXKeqxL93kEy4drNQTDcyrjc36n' +
  '9nysef6iSI7Vb7+m+mrbebr8egRGwe39zbR06ElOXIsgIhdZq1kefir9vsc9OZoI6MvlkvoPvhjOllaYt0P3WuQC9kCe5mTXmVmlWWG1xcRVEgFz' +
  'f7WwFdc+CdCRcciGIu6UXm7OTGGzmJ0wluXFcGPpJFx+wNhbsAjaWYMeCGQu/Sn5DTFINM4fbDdpaz4solLK1zaLUHwVwRdzRfN02pzzvtl8ROih' +
  'Eagx2ge6k9j7wgK9Z1b9Ai+5SK5WUHM3g2/ROvDW+0wAKPwk1540Enq2b39FhsCOrOMHnlTGotKG+kG5H71tbtLpX58ROrmty1+EEcNGvs9tpnCL' +
  '1tfrkm6adjr30C4rwza6WmxbVuGMmq5pltDZNNB4UK/JRDxeOblONdGYL5ZmXVQkslp2fLxpFoDsQfFoQkkGmQlzTeIzvpwH+DvhOl01eFkcZxzn' +
  'JIvB1olUvZ/q/750VxnacI+o+pCST4EL5AepHQHnQLM/7/xbSYxlvEXB0+Pij8lqdZuVJa1/ekXTmXGYX96i1R0ptWuZkTRTgxQbSgrIQIKZoXz5' +
  'TRYijGjELwHv3V9esPexZHb3powx02y5bwjvH6Fhwnq9g77blrcJOVyZT4Ni9zEOG1sIScqFpvUrHAJs4Pk7UzSQcSqhMbZ4pe9aFltCjC2A3gjf' +
  'YpsdyMCv2zeClCWCjDvbjJepzFfNHKG2Rwyl8vB5n5l0ew8QwcUIxfHBp4FKQGvRvrNdFWzTxa70KogXCRmTx1inLMHJEqWxE247Sj2JDw8/XrKp' +
  'hntYx2Zvx09JX5thTstFd/YqK/VfGUOXQF+JOy7WbJfuTN8E6K9hORqTRcozpGkLxcpsPdMxibz6sz9Z8hTn7pdn22aIOS3x9TPJX5OeiqvrI1Bf' +
  'OwCQ6htNCh8Gjr9XsNjYz7bvuRpL3ErxXF25aNd5qRPzEqBiuqqXTqyxjhkPxGHhgnD0w7krNfbUGJ5cRYbU3N+301gv95XpBZfitpbteT6T/BA0' +
  '/JAE3sxTzPOOy/hhDrsydN3XXTHoHKJKmyXtOZ/WxkclY/weCoDfuPUZdnoDrfaUN08wqwzTEi2PzjOYY9Qx2qk1Q8D5GiUwI9rn2QRm1qFt8+IN' +
  '4De5zUQgznNtfx14uhKH7w5gWA8Kt0R9SimtCsSs0ilFzoYluVfRdLa7qD1xeDBLVShoa+wdsrb4xTwV77CQA9pUmlANwu61r1fA6c08/22ZslEq' +
  'fE4uRQ/UdlL/XaIlgk+0aYoeaQDzZHawsTi0qsZLls139NtJ0Fj5n6XY05BdG4/2WuTWZ/Mv4zPsVJQerv38zYdI1cYGYyTxBLYokte5qDjSXA84' +
  '930Ya/LLG4VzgpqDm9+86WaqMwOtWbvcTJxaLKwCKpt/Y58VhZPlGRRbMOGgbCRZFNvamIj78VHGtjv7vnULh+TnYlMUmeoSpFeTay/vjH8PEWyr' +
  'r0XenMZ2P7SXhTPWPPWeEgu+c2oTSxnrjMIrigXp7n149u8g/hMGSdBAlYxcNFmRVYWLrQ34n1m6OzQMfjD67EYCvCAb4Qp89VRrspuDZv2GeeXa' +
  '+S9tSlkUiO0xIvL/uoF0vxNpCbVZLoH+jsrDVPqeY4NI+3yPiDed7qxx4zrnQqT3Gp2ZQz+PjBn9ShUcEusRcca5WzI3TMK9ZgRR4tr2p9XYtFQI' +
  'YG76cFrc0JVBZHfIPH2vb9GymVH6T7OVRoBesVXm90gq3jU+4TXNw7sXoX4U1tWmz4DnOD7AfS5utFkncDzDe75bMP9xDT3QwFD0S0WrEz3rSvkz' +
  'k35X77au9E35BVPiZlq2EBkrfR9r+sg9cde3PeMwHlBbLyAJJIlQsJv+uNSD1vJR5xewyciYwo3uFkjWfUNnkYDYB1gCcnJ81yymPITZ/StwU8qF' +
  'Ybf/O4BfI83mkKCa3QTpB/G9W5sDOdUeubzMbFlljSVUrIbFbR4wuedFAy3BFoWbp/BiY1a35y8SpiBz36jJpC9auqokxIWe+/ReP/RhhzxgwFU9' +
  'NErO3/zpvACjNP01Ww3391FVpABRe9eXout3Y+sz1nkvHIjd2FCHSMlZM+zd7a08bsB9OkqI8ocCCEpLPv23elE6uymya2jCZ6ATSHzUUDg90Ip9' +
  '8YqdOcR8yNr1dfdwYEcLFff+wXNxo65e5pjLl8zSCaevkYNjVEQtli0QbV6tAtCvdvH9RjQ5tadQfUTY6bNpjInV+xsLLcBzDo6PAFWkRDH5ge1t' +
  '6KUg169ThuoAPl7Gu6gneQb69Y1i4U1luX2w1fH3+OMJ2n8AWUyPBbUBMdbkQpXq91s3Y3R88xDrxiu3l4Prcw==';

const KINDS =
  '1'.repeat(196) +
  '0'.repeat(672) +
  '2'.repeat(448) +
  '4'.repeat(394) +
  '3'.repeat(321) +
  '5'.repeat(389) +
  '4520320150545024350520530055230423422014244233520543553544352411101115500435505432500241544405042205544520230053' +
  '1023245205230251232122234125500450532011052503244150105005002233531400312500550342250005';
